"""Greedy personalized anonymization: the literal search, its claims, and the refusals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
from attrs import evolve
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import taxonomy_of
from tests.tables.methods.regions.personalized_by_definition import Guard, Personalized
from tests.witness.tree import Tree as PlainTree
from unlinkable.errors import DataError, InfeasibleError, ParameterError, UnsupportedError
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.engines import Counted, count
from unlinkable.tables.methods.base.search import Solution, Task
from unlinkable.tables.methods.regions.greedy_personalized import GreedyPersonalized, Specializing
from unlinkable.tables.methods.regions.shared.guarded_cells import GuardedCells
from unlinkable.tables.metrics import Discernibility, ILoss
from unlinkable.tables.metrics.base import Shown
from unlinkable.tables.models import (
    DistinctLDiversity,
    KAnonymity,
    PersonalizedPrivacy,
    RecursiveCLDiversity,
)
from unlinkable.tables.models.base import All, GroupModel
from unlinkable.tables.taxonomies.builders import Tree
from unlinkable.tables.taxonomies.builders.ready_made import ReadyMade

ILLS = Tree({"infection": ["hiv", "sars"], "injury": ["burn", "cut"]})


def ward(**columns: list[Any]) -> Table:
    quasi = [name for name in columns if name not in ("ill", "mind", "w")]
    return as_table(
        columns,
        quasi=quasi,
        sensitive="ill",
        guard="mind",
        weight="w" if "w" in columns else None,
        taxonomies={"ill": ILLS},
    )


def promise(p: float | Fraction, **options: str) -> PersonalizedPrivacy:
    return PersonalizedPrivacy(p, sensitive="ill", guard="mind", **options)


def search(
    people: Table, *models: GroupModel, method: GreedyPersonalized | None = None, **options: object
) -> Solution:
    privacy = All(models)
    finest = count(people, privacy.needs()).finest
    task = Task(people.attributes, ILoss(), **options)  # type: ignore[arg-type]
    return (method or GreedyPersonalized()).search(finest, privacy, task)


@st.composite
def wards(draw: st.DrawFn) -> RandomTable:
    """Draw a table of which each person guards something of ``s0``, or nothing."""
    random = draw(tables(min_records=1, max_records=10, max_qid=2, max_sensitive=1, owner=False))
    tree = random.trees["s0"]
    labels = [
        label for i in range(tree.height + 1) for label in tree.labels(i) if label is not None
    ]
    guard = st.one_of(st.none(), st.sampled_from(labels))
    rows = [{**row, "g": draw(guard)} for row in random.rows]
    return RandomTable(rows, random.qid, random.sensitive, random.trees, None)


def counted_of(random: RandomTable, privacy: All) -> tuple[Table, Counted]:
    names = [*random.qid, "s0", "g"]
    people = as_table(
        pl.DataFrame(
            {n: pl.Series([row[n] for row in random.rows], dtype=pl.String) for n in names}
        ),
        quasi=random.qid,
        sensitive="s0",
        guard="g",
        taxonomies={n: ReadyMade(taxonomy_of(tree)) for n, tree in random.trees.items()},
    )
    return people, count(people, privacy.needs())


def leaves_of(tree: PlainTree, lo: int, hi: int) -> frozenset[Hashable]:
    return frozenset(tree.leaves[lo:hi])


# The literal search


@given(
    wards(),
    st.lists(
        st.tuples(st.sampled_from(["1/5", "1/3", "1/2", "3/4"]), st.booleans()),
        min_size=1,
        max_size=2,
        unique=True,
    ),
    st.integers(1, 3),
    st.sampled_from([None, 0, 1, 2]),
    st.integers(1, 2),
)
def test_shows_what_the_literal_search_shows(
    random: RandomTable, asked: list[tuple[str, bool]], k: int, steps: int | None, weight: int
) -> None:
    assume(len(random.rows) >= k)
    models: list[GroupModel] = [
        PersonalizedPrivacy(p, sensitive="s0", guard="g", reading="subtree" if subtree else "leaf")
        for p, subtree in asked
    ]
    guards = tuple(Guard(Fraction(p), subtree) for p, subtree in asked)
    literal = Personalized(random.rows, random.qid, random.trees, guards, k, weight)
    privacy = All([*models, KAnonymity(k)])
    people, counted = counted_of(random, privacy)
    method = GreedyPersonalized(weight=weight, steps=steps)
    task = Task(people.attributes, ILoss())
    if not literal.fit(random.rows)[1]:
        with pytest.raises(InfeasibleError, match="allow a larger probability"):
            method.search(counted.finest, privacy, task)
        return
    found = method.search(counted.finest, privacy, task)
    cuts = literal.run(steps)
    fitted = {id(row): literal.fit(group)[0] for group in literal.groups(cuts) for row in group}
    cells = found.cells["s0"]
    tree = random.trees["s0"]
    shown = {
        (part, value, other): leaves_of(tree, lo, hi)
        for part, value, other, lo, hi in zip(
            *(x.tolist() for x in (cells.part, cells.value, cells.other, cells.lo, cells.hi)),
            strict=True,
        )
    }
    assert len(shown) == cells.part.size
    values, others = people.codes("s0").tolist(), people.codes("g").tolist()
    for i, row in enumerate(random.rows):
        part = int(found.partition.labels[counted.labels[i]])
        for j, name in enumerate(random.qid):
            box = found.partition.lo[part, j], found.partition.hi[part, j]
            assert leaves_of(random.trees[name], *box) == cuts[j][row[name]]
        expected = fitted[id(row)][literal.kind(row)]
        assert shown[part, values[i], others[i]] == expected


# What is claimed


@given(wards(), st.sampled_from(["1/4", "1/2"]), st.booleans())
def test_nothing_that_was_generalized_could_be_told_more_precisely(
    random: RandomTable, p: str, subtree: bool
) -> None:
    literal = Personalized(random.rows, random.qid, random.trees, (Guard(Fraction(p), subtree),))
    model = PersonalizedPrivacy(
        p, sensitive="s0", guard="g", reading="subtree" if subtree else "leaf"
    )
    people, counted = counted_of(random, All([model]))
    task = Task(people.attributes, ILoss())
    try:
        found = GreedyPersonalized().search(counted.finest, All([model]), task)
    except InfeasibleError:
        return
    labels = found.partition.labels[counted.labels]
    for part in range(found.partition.n_parts):
        group = [row for row, g in zip(random.rows, labels, strict=True) if g == part]
        shown, _ = literal.fit(group)
        assert not literal.over(group, shown)
        for kind, node in shown.items():
            path = literal.path("s0", random.trees["s0"].leaves[kind[0]])
            for lower in path[: path.index(node)]:
                assert literal.over(group, {**shown, kind: lower})


@given(wards(), st.sampled_from(["1/4", "1/2"]))
def test_every_step_lowers_the_loss_by_what_the_trace_says(random: RandomTable, p: str) -> None:
    literal = Personalized(random.rows, random.qid, random.trees, (Guard(Fraction(p), False),))
    model = PersonalizedPrivacy(p, sensitive="s0", guard="g")
    people, counted = counted_of(random, All([model]))
    task = Task(people.attributes, ILoss())
    try:
        found = GreedyPersonalized().search(counted.finest, All([model]), task)
    except InfeasibleError:
        return
    before, _ = literal.measure(
        [dict.fromkeys(random.trees[n].leaves, literal.nodes[n][0]) for n in random.qid]
    )
    for n_steps, step in enumerate(found.trace, start=1):
        after, good = literal.measure(literal.run(n_steps))
        assert good
        assert step.score == pytest.approx(float(before - after) / len(random.rows))
        assert step.score > 0
        assert step.lo == step.parts[0] < step.parts[-1] < step.hi
        before = after
    assert found.effort["steps"] == len(found.trace)


def test_values_are_blurred_for_those_who_mind_first() -> None:
    # Two of four have hiv; one of them minds. That his cell shows an infection is enough.
    people = ward(sex=["f"] * 4, ill=["hiv", "hiv", "burn", "cut"], mind=["hiv", None, None, None])
    cells = search(people, promise(Fraction(3, 8))).cells["ill"]
    by_kind = {
        (value, other): (lo, hi)
        for value, other, lo, hi in zip(
            *(x.tolist() for x in (cells.value, cells.other, cells.lo, cells.hi)), strict=True
        )
    }
    domain = people.taxonomy("mind").domain
    hiv = people.taxonomy("ill").domain.code_of("hiv")
    assert by_kind[hiv, domain.code_of("hiv")] == (0, 2)
    assert by_kind[hiv, domain.missing] == (0, 1)


def test_nothing_is_blurred_where_nobody_minds() -> None:
    people = ward(age=[1, 2, 3, 4], ill=["hiv", "hiv", "burn", "cut"], mind=[None] * 4)
    found = search(people, promise(0.1))
    assert found.partition.n_parts == 4
    assert found.effort["generalized"] == 0
    cells = found.cells["ill"]
    assert (cells.hi - cells.lo == 1).all()


def test_a_step_that_blurs_more_than_it_tells_is_not_made() -> None:
    # Apart, the woman with hiv would have to show any illness, and the man gains one value of two.
    people = ward(sex=["f", "m"], ill=["hiv", "burn"], mind=["infection", "injury"])
    model = promise(Fraction(1, 2), reading="subtree")
    assert search(people, model).partition.n_parts == 1
    cheap = search(people, model, method=GreedyPersonalized(weight=0.1))
    assert cheap.partition.n_parts == 2
    assert (cheap.cells["ill"].hi - cheap.cells["ill"].lo).tolist() == [4, 4]


def test_weights_of_records_count() -> None:
    model = promise(Fraction(1, 2), reading="subtree")
    sex, ill, mind = ["f", "m"], ["hiv", "burn"], ["infection", None]
    even, heavy = (
        search(ward(sex=sex, ill=ill, mind=mind, w=weights), model).partition.n_parts
        for weights in ([1.0, 1.0], [9.0, 1.0])
    )
    assert (even, heavy) == (2, 1)


def test_other_promises_decide_how_far_quasi_identifiers_are_told() -> None:
    people = ward(age=[1, 2, 3, 4], ill=["hiv", "sars", "burn", "cut"], mind=[None] * 4)
    for k, n_parts in ((1, 4), (2, 2), (3, 1)):
        assert search(people, promise(0.5), KAnonymity(k)).partition.n_parts == n_parts


def test_a_promise_about_another_column_is_kept_as_well() -> None:
    people = as_table(
        {"age": [1, 2, 3, 4], "ill": ["hiv"] * 4, "mind": [None] * 4, "pay": list("xyyx")},
        quasi="age",
        sensitive=["ill", "pay"],
        guard="mind",
        taxonomies={"ill": ILLS},
    )
    found = search(people, promise(0.5), DistinctLDiversity(2, sensitive="pay"))
    assert found.partition.n_parts == 2


def test_several_bounds_hold_at_once() -> None:
    people = ward(
        age=[1, 2, 3, 4],
        ill=["hiv", "hiv", "burn", "cut"],
        mind=["hiv", None, "burn", None],
    )
    one, other = promise(0.5), promise(0.4, reading="subtree")
    widths = [
        int((cells.hi - cells.lo).sum())
        for cells in (search(people, *m).cells["ill"] for m in ([one], [other], [one, other]))
    ]
    assert widths[2] >= widths[1] > widths[0]


def test_a_metric_of_sizes_leaves_the_measure_to_iloss() -> None:
    people = ward(age=[1, 2, 3, 4], ill=["hiv", "sars", "burn", "cut"], mind=["hiv", *[None] * 3])
    privacy = All([promise(0.5)])
    finest = count(people, privacy.needs()).finest
    one, other = (
        GreedyPersonalized().search(finest, privacy, Task(people.attributes, metric))
        for metric in (Discernibility(), ILoss())
    )
    assert one.partition.labels.tolist() == other.partition.labels.tolist()
    assert one.trace == other.trace


def test_missing_values_are_told_as_missing_or_as_anything() -> None:
    people = ward(
        age=[1, 1, 2, 2, None, None],
        ill=["hiv", None, "burn", "cut", "hiv", None],
        mind=["hiv", None, None, None, None, None],
    )
    cells = search(people, promise(0.4)).cells["ill"]
    missing = people.taxonomy("ill").domain.missing
    wide = cells.hi - cells.lo > 1
    assert not ((cells.hi == missing + 1) & wide & (cells.lo > 0)).any()


def test_can_be_stopped_at_any_step() -> None:
    rng = np.random.default_rng(2)
    people = ward(
        age=rng.integers(0, 30, 60).tolist(),
        ill=rng.choice(["hiv", "sars", "burn", "cut"], 60).tolist(),
        mind=rng.choice(["hiv", "injury", ""], 60).tolist(),
    )
    whole = search(people, promise(0.5))
    assert whole.is_complete
    for steps in range(len(whole.trace)):
        found = search(people, promise(0.5), method=GreedyPersonalized(steps=steps))
        assert not found.is_complete
        assert found.trace == whole.trace[:steps]
    stopped = search(people, promise(0.5), is_stopped=lambda: True)
    assert (stopped.partition.n_parts, stopped.is_complete) == (1, False)


def test_effort_is_what_it_was() -> None:
    rng = np.random.default_rng(7)
    people = ward(
        age=rng.integers(0, 50, 400).tolist(),
        sex=rng.choice(["f", "m"], 400).tolist(),
        ill=rng.choice(["hiv", "sars", "burn", "cut"], 400, p=[0.4, 0.2, 0.2, 0.2]).tolist(),
        mind=rng.choice(["hiv", "infection", ""], 400, p=[0.3, 0.1, 0.6]).tolist(),
    )
    names = ("steps", "tried", "groups_fitted", "groups_judged", "generalized")
    found = search(people, promise(0.5), KAnonymity(2))
    assert tuple(found.effort[name] for name in names) == (35, 38, 503, 1106, 14)


def test_progress_is_told_to_the_end() -> None:
    told: list[tuple[float, str]] = []
    people = ward(age=[1, 2, 3, 4], ill=["hiv", "sars", "burn", "cut"], mind=[None] * 4)
    search(people, promise(0.5), progress=lambda *said: told.append(said))
    assert told[-1] == (1.0, "4 groups")


# Refusals


def test_refuses_plans_that_guard_nothing() -> None:
    people = ward(age=[1, 2], ill=["hiv", "cut"], mind=[None, None])
    with pytest.raises(UnsupportedError, match=r"k-anonymity.* is not about that: promise pers"):
        search(people, KAnonymity(2))


@pytest.mark.parametrize(
    "other",
    [DistinctLDiversity(2, sensitive="ill"), RecursiveCLDiversity(c=2, l=2, sensitive="ill")],
    ids=str,
)
def test_refuses_other_promises_about_the_same_column(other: GroupModel) -> None:
    people = ward(age=[1, 2], ill=["hiv", "cut"], mind=[None, None])
    with pytest.raises(UnsupportedError, match=f"{other.name}.* counts them as they are"):
        search(people, promise(0.5), other)


def test_refuses_to_guard_several_columns() -> None:
    people = as_table(
        {"a": [1, 2], "x": ["u", "v"], "y": ["u", "v"], "g": [None, None]},
        quasi="a",
        sensitive=["x", "y"],
        guard="g",
    )
    both = [PersonalizedPrivacy(0.5, sensitive=name, guard="g") for name in "xy"]
    with pytest.raises(UnsupportedError, match="generalizes one sensitive column"):
        search(people, *both)


def test_refuses_numbers() -> None:
    people = as_table(
        {"a": [1, 2], "pay": [10, 20], "g": ["10", None]}, quasi="a", sensitive="pay", guard="g"
    )
    with pytest.raises(UnsupportedError, match="'pay', which are numbers: make categories"):
        search(people, PersonalizedPrivacy(0.5, sensitive="pay", guard="g"))


def test_refuses_guards_that_are_no_nodes_without_telling_them() -> None:
    people = ward(age=[1, 2], ill=["hiv", "cut"], mind=["hvi", None])
    with pytest.raises(DataError, match="1 of the guards in column 'mind' are no nodes") as said:
        search(people, promise(0.5))
    assert "hvi" not in str(said.value)


def test_refuses_a_probability_that_nothing_reaches() -> None:
    people = ward(age=[1, 2], ill=["hiv", "cut"], mind=["hiv", None])
    with pytest.raises(InfeasibleError, match="however the values of 'ill' are generalized"):
        search(people, promise(0.1))


def test_refuses_a_table_that_breaks_another_promise_as_one_group() -> None:
    people = ward(age=[1, 2], ill=["hiv", "cut"], mind=[None, None])
    message = r"leaves out at most 0 of 2 records keeps k-anonymity\(k=3\)"
    with pytest.raises(InfeasibleError, match=message):
        search(people, promise(0.5), KAnonymity(3), suppression=Fraction(1, 2))


def test_refuses_a_table_without_records() -> None:
    empty = {n: pl.Series([], dtype=pl.String) for n in ("age", "ill", "mind")}
    people = as_table(empty, quasi="age", sensitive="ill", guard="mind")
    with pytest.raises(InfeasibleError, match="the table has no records"):
        search(people, promise(0.5))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"weight": 0}, "weight must be"),
        ({"steps": -1}, "steps must be at least 0, got -1"),
        ({"time": 0}, "time must be a number of seconds above 0"),
    ],
)
def test_refuses_options_that_mean_nothing(options: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        GreedyPersonalized(**options)  # type: ignore[arg-type]


def test_is_written_as_it_is_read() -> None:
    assert str(GreedyPersonalized()) == "greedy-personalized"
    assert str(evolve(GreedyPersonalized(), steps=3)) == "greedy-personalized(steps=3)"


def of(random: RandomTable, *others: GroupModel) -> tuple[Specializing, GuardedCells]:
    model = PersonalizedPrivacy("1/3", sensitive="s0", guard="g")
    people, counted = counted_of(random, All([model]))
    cells = GuardedCells.of(counted.finest, All([model]), ILoss(), 1.0, Counter())
    return Specializing(counted.finest, people.attributes, ILoss(), cells, All(others)), cells


def loss(state: Specializing, cells: GuardedCells) -> float:
    """Measure all columns from the groups as they are."""
    partition = state.partition()
    groups = partition.groups()
    attributes = state.attributes
    told = ILoss().totals(Shown.of(partition, attributes)).sum()
    return float(told + cells.lost(groups, cells.show(groups)).sum())


@given(wards())
def test_what_is_worked_out_ahead_is_what_comes_of_it(random: RandomTable) -> None:
    state, cells = of(random)
    if not state.is_feasible:
        return
    before = loss(state, cells)
    while (found := state.best(lambda: False)) is not None:
        n_parts = state.n_parts
        step = state.make(found)
        after = loss(state, cells)
        assert (before - after) / len(random.rows) == pytest.approx(step.score)
        assert state.n_parts >= n_parts
        before = after


@given(wards(), st.integers(1, 4))
def test_no_step_breaks_another_promise(random: RandomTable, k: int) -> None:
    state, _ = of(random, KAnonymity(k))
    if len(random.rows) < k:
        return
    while (found := state.best(lambda: False)) is not None:
        state.make(found)
        assert state.partition().sizes.min() >= k


@given(wards())
def test_the_groups_are_told_apart_by_what_they_show(random: RandomTable) -> None:
    state, _ = of(random)
    while (found := state.best(lambda: False)) is not None:
        state.make(found)
    partition = state.partition()
    boxes = {*zip(map(tuple, partition.lo), map(tuple, partition.hi), strict=True)}
    assert len(boxes) == partition.n_parts == state.n_parts
