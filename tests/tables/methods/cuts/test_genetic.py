"""Genetic: the optimum of small tables, releases at any time, the same under the same seed."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from functools import partial
from itertools import chain, product, repeat

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable
from tests.tables.groups.plain import finest_of, table_of
from tests.tables.methods.cuts.plain_cuts import Range, all_cuts, least_loss
from tests.tables.methods.lattice.example import run, table_with
from tests.tables.methods.lattice.setting import AtMost, Setting, settings
from tests.witness.tree import Tree
from unlinkable.errors import InfeasibleError, ParameterError, SchemaError
from unlinkable.tables.data import as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.base.search import Solution, Task
from unlinkable.tables.methods.cuts.genetic import Genetic, Numbers
from unlinkable.tables.metrics import Discernibility, ILoss
from unlinkable.tables.metrics.base import Shown
from unlinkable.tables.metrics.classification_metric import ClassificationMetric
from unlinkable.tables.models import EntropyLDiversity, KAnonymity
from unlinkable.tables.models.base import All, Merging
from unlinkable.tables.operations.base.recoding import Recoding
from unlinkable.tables.taxonomies.builders import Intervals
from unlinkable.tables.taxonomies.taxonomy import Attribute

SMALL = 300
"""So many choices of cuts can be tried one by one."""

PATIENT = Genetic(population=12, idle=40)


def keeps_to_its_scheme(
    method: Genetic, found: Solution, attributes: tuple[Attribute, ...]
) -> bool:
    partition = found.partition
    labels = partition.labels
    lo = np.vstack([partition.lo, partition.finest.keys[:1]])[labels]
    hi = np.vstack([partition.hi, partition.finest.keys[:1] + 1])[labels]
    taxonomies = tuple(a.taxonomy for a in attributes)
    columns, keys = partition.finest.columns, partition.finest.keys
    return not method.misfits(Recoding(columns, taxonomies, keys, lo, hi, labels >= 0))


@given(settings(), st.booleans())
def test_finds_the_best_of_all_cuts_of_a_small_table(setting: Setting, towards_class: bool) -> None:
    finest, task, privacy = finest_of(setting.random), setting.task, setting.privacy
    choices = [all_cuts(a.taxonomy) for a in task.attributes]
    if np.prod([len(c) for c in choices]) > SMALL:
        return
    method = evolve(PATIENT, target="s0" if towards_class else None)
    metric = ClassificationMetric("s0") if towards_class else task.metric
    least = least_loss(finest, choices, privacy, task, metric)
    if least is None:
        with pytest.raises(InfeasibleError):
            method.search(finest, privacy, task)
        return
    found = method.search(finest, privacy, task)
    assert metric.loss(Shown.of(found.partition, task.attributes)) == pytest.approx(least)
    assert privacy.holds(found.partition.groups())
    assert found.partition.n_suppressed <= setting.limit
    assert keeps_to_its_scheme(method, found, task.attributes)
    assert found.is_complete
    assert found.optimal is None


@given(
    st.lists(st.tuples(st.integers(0, 4), st.sampled_from("ab")), min_size=2, max_size=9),
    st.booleans(),
)
def test_finds_the_best_intervals_if_numbers_can_be_cut_anywhere(
    pairs: list[tuple[int, str]], missing: bool
) -> None:
    ages: list[int | None] = [age for age, _ in pairs]
    ages[0] = None if missing else ages[0]
    data = {"age": ages, "sex": [sex for _, sex in pairs]}
    table = as_table(data, quasi=["age", "sex"], taxonomies={"age": Intervals(5)})
    finest, task = count(table).finest, Task(table.attributes, Discernibility())
    n = table.attributes[0].taxonomy.n
    intervals: list[list[Range]] = []
    for cut in product((False, True), repeat=n - 1):
        starts = [0, *(i + 1 for i, is_cut in enumerate(cut) if is_cut)]
        blocks = list(zip(starts, [*starts[1:], n], strict=True))
        if not (missing and blocks[-1][1] - blocks[-1][0] > 1 and len(blocks) > 1):
            intervals.append(blocks)
    choices: list[Sequence[Sequence[Range]]] = [intervals, all_cuts(table.attributes[1].taxonomy)]
    privacy = All([KAnonymity(2)])
    least = least_loss(finest, choices, privacy, task, task.metric)
    method = evolve(PATIENT, numbers="order")
    found = method.search(finest, privacy, task)
    assert task.metric.loss(Shown.of(found.partition, task.attributes)) == least
    assert keeps_to_its_scheme(method, found, task.attributes)


def letters(n: int, seed: int = 3) -> tuple[Groups, Task]:
    rng = np.random.default_rng(seed)
    tree = Tree.nested({"*": {a: {f"{a}{b}": {} for b in "0123"} for a in "abcd"}})
    values = np.array([str(leaf) for leaf in tree.leaves])
    rows = [{c: str(rng.choice(values)) for c in "xyz"} for _ in range(n)]
    table = table_with(rows, dict.fromkeys("xyz", tree))
    return count(table).finest, Task(table.attributes, ILoss())


def test_the_same_seed_gives_the_same_release_and_effort() -> None:
    finest, task = letters(800)
    privacy = All([KAnonymity(3)])
    found = [
        Genetic(idle=10).search(finest, privacy, evolve(task, rng=np.random.default_rng(7)))
        for _ in range(2)
    ]
    assert found[0].effort == found[1].effort
    assert np.array_equal(found[0].partition.labels, found[1].partition.labels)
    assert np.array_equal(found[0].partition.lo, found[1].partition.lo)


def test_effort() -> None:
    finest, task = letters(800)
    found = Genetic(steps=20).search(finest, All([KAnonymity(3)]), task)
    assert found.effort == {"generations": 20, "ranked": 554, "repeated": 67, "rows": 406082}


def test_a_class_that_is_the_same_everywhere_does_not_cost_all_detail() -> None:
    people = as_table(
        {"a": [*"aabbccdd"] * 5, "b": [*"xyxyxyxy"] * 5, "ill": ["no"] * 39 + ["yes"]},
        quasi=["a", "b"],
        target="ill",
    )
    method = Genetic(steps=5).bind(people.schema)
    finest = count(people, method.needs(people.schema)).finest
    found = method.search(finest, All([KAnonymity(2)]), Task(people.attributes, ILoss()))
    assert found.partition.n_parts == 8


@pytest.mark.parametrize("suppression", [Fraction(0), Fraction(1, 10)], ids=["whole", "tenth"])
def test_more_generations_never_lose_more_and_all_are_releases(suppression: Fraction) -> None:
    finest, task = letters(800)
    task, privacy = evolve(task, suppression=suppression), All([KAnonymity(3)])
    losses = []
    for steps in (0, 1, 4, 16, 64):
        chance = np.random.default_rng(1)
        found = Genetic(steps=steps).search(finest, privacy, evolve(task, rng=chance))
        assert found.effort["generations"] == steps
        assert not found.is_complete
        assert privacy.holds(found.partition.groups())
        assert found.partition.n_suppressed <= task.may_suppress(800)
        losses.append(ILoss().loss(Shown.of(found.partition, task.attributes)))
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < losses[0]


def test_stops_when_it_is_asked_to_and_keeps_what_it_has() -> None:
    finest, task = letters(800)
    for most in (0, 1, 30, 200):
        asked = chain(repeat(False, most), repeat(True))
        stopped = evolve(task, is_stopped=partial(next, asked))
        found = Genetic().search(finest, All([KAnonymity(3)]), stopped)
        assert not found.is_complete
        assert found.partition.sizes.min() >= 3
        assert found.effort["ranked"] <= 9 * most + 1
    found = Genetic(time=1e-9).search(finest, All([KAnonymity(3)]), task)
    assert (found.partition.n_parts, found.is_complete) == (1, False)


def test_tells_how_far_it_is() -> None:
    finest, task = letters(50)
    told: list[tuple[float, str]] = []
    task = evolve(task, progress=lambda share, words: told.append((share, words)))
    Genetic(idle=2).search(finest, All([KAnonymity(3)]), task)
    assert told[-1][0] == 1
    assert told[-1][1].endswith("2 of 2 without a better one")


def test_goes_by_the_class_if_the_table_has_a_target() -> None:
    data = {"job": list("aabbcc"), "rich": list("yyynnn")}
    table = as_table(data, quasi="job", target="rich")
    method = Genetic(idle=5).bind(table.schema)
    assert str(method) == 'genetic(idle=5, guide="class", target="rich")'
    assert method.needs(table.schema) == {("rich",)}
    assert Genetic(guide="metric").bind(table.schema).needs(table.schema) == frozenset()


def test_serves_promises_that_merging_breaks() -> None:
    assert AtMost(2).merging is Merging.UNSAFE
    tree = Tree({v: (v, "*") for v in "abc"})
    table = table_with([{"q": v} for v in "aabbc"], {"q": tree})
    found = run(PATIENT, table, [AtMost(2)])
    assert found.partition.sizes.tolist() == [2, 2, 1]


def test_nothing_to_choose_is_no_harm() -> None:
    finest = Groups(np.array([3]), np.array([3.0]), {}, {}, (), np.zeros((1, 0), np.int32))
    found = Genetic().search(finest, All([KAnonymity(2)]), Task((), ILoss()))
    assert found.partition.sizes.tolist() == [3]
    one = as_table({"job": ["cook", "cook"]}, quasi="job")
    found = run(Genetic(), one, [KAnonymity(2)])
    assert found.partition.sizes.tolist() == [2]
    assert found.is_complete


def test_says_what_is_missing_if_there_is_no_release() -> None:
    rows: list[dict[str, Hashable]] = [{"q": "a", "s": "x"}, {"q": "b", "s": "x"}]
    tree = Tree({"a": ("a", "*"), "b": ("b", "*")})
    random = RandomTable(rows, ("q",), ("s",), {"q": tree, "s": Tree({"x": ("x", "*")})}, None)
    table = table_of(random)
    for limit in (0, 1):
        with pytest.raises(InfeasibleError, match="needs at least 3 records"):
            run(Genetic(), table, [KAnonymity(3)], limit=limit)
    with pytest.raises(InfeasibleError, match="none of the 2 releases that genetic tried keeps"):
        run(Genetic(), table, [EntropyLDiversity(2, sensitive="s")], limit=1)
    empty = as_table({"job": np.array([], str)}, quasi="job")
    with pytest.raises(InfeasibleError, match="the table has no records"):
        run(Genetic(), empty, [KAnonymity(1)])


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"population": 1}, "population must be at least 2, got 1"),
        ({"idle": 0}, "idle must be at least 1, got 0"),
        ({"mutation": 1.5}, "mutation must be a number from 0 to 1, got 1.5"),
        ({"mutation": "often"}, "mutation must be a number from 0 to 1, got 'often'"),
        ({"guide": "x"}, "guide must be one of 'class', 'metric', got 'x'"),
        ({"numbers": "x"}, "numbers must be one of 'taxonomy', 'order', got 'x'"),
        ({"steps": -1}, "steps must be at least 0, got -1"),
        ({"time": 0}, "time must be a number of seconds above 0, got 0"),
    ],
    ids=str,
)
def test_refuses_parameters_that_mean_nothing(parameters: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Genetic(**parameters)  # type: ignore[arg-type]


def test_refuses_a_class_that_was_not_named() -> None:
    finest, task = letters(10)
    with pytest.raises(SchemaError, match="name it with target="):
        Genetic(guide="class").search(finest, All([KAnonymity(2)]), task)
    assert Genetic(numbers="order").numbers is Numbers.ORDER
