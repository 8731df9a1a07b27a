"""mu-Argus: no combination of few published values is rare, and of many it says nothing."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

import unlinkable as ul
from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import table_of
from tests.tables.methods.cuts.every_split import published
from tests.tables.methods.lattice.example import run, table_with
from tests.tables.methods.lattice.setting import AtMost
from tests.witness.models import Row
from tests.witness.tree import Tree
from unlinkable.errors import InfeasibleError, ParameterError, UnsupportedError
from unlinkable.tables.data import Table
from unlinkable.tables.engines import count
from unlinkable.tables.methods.base.search import Solution, Task
from unlinkable.tables.methods.cuts.mu_argus import MuArgus
from unlinkable.tables.methods.cuts.shared.rare_combinations import RisingCut, asked_combinations
from unlinkable.tables.metrics import Discernibility, ILoss
from unlinkable.tables.models import (
    AverageRisk,
    ConfidenceBounding,
    DistinctLDiversity,
    KAnonymity,
    KMap,
    LKCPrivacy,
)
from unlinkable.tables.models.base import All, GroupModel
from unlinkable.tables.operations.base.recoding import Recoding
from unlinkable.tables.publishing import anonymize
from unlinkable.tables.publishing.anonymizing.truthfulness import flaws, misfits
from unlinkable.typing import BoolArray, CodeArray


def keeps_lkc(
    shown: Sequence[Row], qid: Sequence[str], promise: LKCPrivacy, owner: str | None
) -> bool:
    """Whether published texts keep LKC-privacy, every combination looked up for every record."""
    for length in range(1, min(promise.l, len(qid)) + 1):
        for columns in combinations(qid, length):
            for victim in shown:
                alike = [row for row in shown if all(row[c] == victim[c] for c in columns)]
                people = {row[owner] for row in alike} if owner else alike
                if len(people) < promise.k:
                    return False
                secret: list[Hashable] = [row["s0"] for row in alike]
                if any(secret.count(s) > promise.c * len(secret) for s in secret):
                    return False
    return True


@st.composite
def promises(draw: st.DrawFn) -> LKCPrivacy:
    k, c = draw(st.integers(1, 4)), draw(st.sampled_from(["1", "1", "3/4", "1/2"]))
    return LKCPrivacy(l=draw(st.integers(1, 3)), k=k, c=Fraction(c), sensitive="s0")


def search(random: RandomTable, method: MuArgus, promise: GroupModel) -> Solution:
    table = table_of(random)
    finest = count(table, promise.needs()).finest
    return method.search(finest, All([promise]), Task(table.attributes, ILoss()))


@given(tables(min_records=1, max_records=20), promises(), st.sampled_from(["0", "1/20", "1/2"]))
def test_no_published_combination_is_rare(
    random: RandomTable, promise: LKCPrivacy, rare: str
) -> None:
    method = MuArgus(rare=rare)
    try:
        found = search(random, method, promise)
    except InfeasibleError:
        assert not promise.holds(count(whole(random), promise.needs()).finest)
        return
    shown = [row for row in published(random, found) if row is not None]
    assert len(shown) == len(random.rows)
    assert keeps_lkc(shown, random.qid, promise, random.owner)
    table = table_of(random)
    task = Task(table.attributes, ILoss())
    assert flaws(found, count(table, promise.needs()).finest, task) == []
    assert misfits(method, found, task) == []
    sizes = found.partition.sizes
    assert found.effort["smallest_group"] == sizes.min()
    # A value of which no more than the share c may be there takes 1/c records.
    least = promise.k if promise.sensitive is None else max(promise.k, math.ceil(1 / promise.c))
    assert found.effort["below_k"] == sizes[sizes < least].sum()
    if rare == "0":
        assert found.effort["hidden_cells"] == 0


def whole(random: RandomTable) -> Table:
    """All records, looking alike."""
    names = (*random.qid, *random.sensitive, *([random.owner] if random.owner else []))
    rows = [{n: "*" if n in random.qid else row[n] for n in names} for row in random.rows]
    trees = {a: Tree({"*": ("*", "all")}) for a in random.qid}
    return table_with(rows, trees, sensitive=random.sensitive, owner=random.owner)


@given(tables(min_records=1, max_records=20, owner=False), promises())
def test_without_hiding_no_node_can_be_told_by_its_children(
    random: RandomTable, promise: LKCPrivacy
) -> None:
    try:
        found = search(random, MuArgus(rare=0), promise)
    except InfeasibleError:
        return
    table = table_of(random)
    finest = count(table, promise.needs()).finest
    task = Task(table.attributes, ILoss())
    asked = asked_combinations(MuArgus(), All([promise]), finest, 3)
    cut = RisingCut(finest, task.attributes, asked, ILoss())
    made = []
    for step in found.trace:
        j = finest.columns.index(step.column)
        tree = cut.trees[j]
        node = int(np.flatnonzero((tree.lo == step.lo) & (tree.hi == step.hi))[0])
        assert tuple(tree.lo[tree.children(node)].tolist()) == step.parts
        cut.go_up(j, node)
        made.append((j, node))
    assert np.array_equal(np.sort(cut.partition().sizes), np.sort(found.partition.sizes))
    for j, node in made:
        if cut.cost_of(j, node) >= 0:
            cut.go_down(j, node)
            assert not promise.holds(cut.partition().groups())
            cut.go_up(j, node)


@given(tables(min_records=2, max_records=20, max_qid=3, owner=False), st.data())
def test_the_relief_of_a_node_is_what_going_up_brings(
    random: RandomTable, data: st.DataObject
) -> None:
    table = table_of(random)
    finest = count(table).finest
    promise = LKCPrivacy(l=2, k=data.draw(st.integers(2, 4)), c=1)
    asked = asked_combinations(MuArgus(), All([promise]), finest, 3)
    cut = RisingCut(finest, table.attributes, asked, ILoss())

    def trouble() -> int:
        groups = cut.partition().groups()
        return sum(
            int(seen.sizes[seen.sizes < promise.k].sum()) for seen, _ in promise.seen(groups)
        )

    everybody = np.ones(len(finest), bool)
    while (step := cut.best_step(everybody)) is not None:
        before = trouble()
        cost = max(float(cut._costs(step[0])[step[1]]), 1e-12)
        relief = cut._all_relief()[step[0]][step[1]]
        cut.go_up(*step[:2])
        assert before - trouble() == relief
        if before:
            assert step[2] == pytest.approx(
                (relief or finest.sizes[below(cut, finest.keys, step)].sum()) / cost
            )


def below(cut: RisingCut, keys: CodeArray, step: tuple[int, int, float]) -> BoolArray:
    tree, codes = cut.trees[step[0]], keys[:, step[0]]
    is_below: BoolArray = (codes >= tree.lo[step[1]]) & (codes < tree.hi[step[1]])
    return is_below


def clerks() -> Table:
    """One cook among clerks, whom any two columns single out."""
    rows = [{"job": "clerk", "sex": "fm"[i % 2], "town": "xy"[i // 2 % 2]} for i in range(12)]
    rows.append({"job": "cook", "sex": "f", "town": "x"})
    flat = {"job": "clerk cook", "sex": "f m", "town": "x y"}
    return table_with(rows, {n: Tree({v: (v, "*") for v in t.split()}) for n, t in flat.items()})


def test_what_is_rare_is_hidden_and_others_hide_with_it() -> None:
    # The cook alone may not show that he hides his job: that needs two.
    promise = LKCPrivacy(l=1, k=2, c=1)
    release = anonymize(clerks(), privacy=promise, method=MuArgus(rare="1/10"))
    assert release.holds
    frame = release.applied.frame
    assert sorted(frame["job"].to_list()).count("*") >= 2
    assert frame["job"].to_list().count("clerk") >= 2
    assert frame["sex"].to_list().count("*") == 0
    assert release.solution.effort["steps"] == 0


def test_the_same_is_found_again() -> None:
    first, second = (
        anonymize(clerks(), privacy=LKCPrivacy(l=2, k=3, c=1), method=MuArgus(rare="1/5"))
        for _ in range(2)
    )
    assert first.applied.frame.equals(second.applied.frame)
    assert first.solution.effort == second.solution.effort


def test_effort_is_golden() -> None:
    below_root = {"x": {"a": {}, "b": {}}, "y": {"c": {}, "z": {"d": {}, "e": {}, "f": {}}}}
    tree, six = Tree.nested({"*": below_root}), "abcdef"
    rows = [
        {
            n: six[int(6 * (i * p / 1009 % 1) ** 2)]
            for n, p in zip("pqrs", (3, 57, 211, 401), strict=True)
        }
        for i in range(400)
    ]
    table = table_with(rows, dict.fromkeys("pqrs", tree))
    found = run(MuArgus(), table, [LKCPrivacy(l=3, k=4, c=1)])
    assert found.effort == {
        "combinations": 4,
        "steps": 8,
        "rounds": 6,
        "hidden_cells": 37,
        "smallest_group": 1,
        "below_k": 19,
    }


def test_promises_on_few_columns_are_served() -> None:
    table = clerks()
    for promise in (KAnonymity(3, qid=["job", "sex"]), KAnonymity(3)):
        assert promise.holds(run(MuArgus(), table, [promise]).partition.groups())
    rows = [{"a": v, "b": w, "s": s} for v, w, s in zip("xxxyyy", "pqpqpq", "122121", strict=True)]
    trees = {"a": Tree({v: (v, "*") for v in "xy"}), "b": Tree({v: (v, "*") for v in "pq"})}
    hidden = table_with(rows, trees, sensitive=["s"])
    models: list[GroupModel] = [
        ConfidenceBounding("a -> s = 1 <= 1/2"),
        DistinctLDiversity(2, sensitive="s"),
    ]
    found = run(MuArgus(), hidden, models, metric=Discernibility())
    assert All(models).holds(found.partition.groups())


def test_a_proposal_of_another_kind_is_noticed() -> None:
    tree = Tree.nested({"*": {"x": {"p": {}, "q": {}}, "y": {"r": {}, "s": {}}}})
    table = table_with([{"a": v} for v in "pqrs"], {"a": tree})

    def said(lo: list[int], hi: list[int]) -> list[str]:
        shown = evolve(
            Recoding.of(table), lo=np.array([lo], np.int32).T, hi=np.array([hi], np.int32).T
        )
        return MuArgus().misfits(shown)

    assert said([0, 0, 2, 0], [2, 2, 3, 4]) == []
    assert "below others" in said([0, 1, 2, 3], [2, 2, 3, 4])[0]
    assert "no nodes" in said([0, 1, 1, 3], [1, 3, 3, 4])[0]
    twice = table_with([{"a": v} for v in "ppqq"], {"a": tree})
    mixed = evolve(
        Recoding.of(twice),
        lo=np.array([[0, 0, 1, 1]], np.int32).T,
        hi=np.array([[1, 4, 2, 2]], np.int32).T,
    )
    assert MuArgus().misfits(mixed) == ["records with the same values show different ones"]


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (
            KAnonymity(5),
            r"at most 3 columns, and k-anonymity\(k=5\) is about 4 together: promise "
            r"lkc-privacy\(l=3, k=5, c=1\)",
        ),
        (LKCPrivacy(l=4, k=2, c=1), r"looks at combinations of at most 3 columns"),
        (AtMost(3), "needs a promise that survives merging groups"),
        (AverageRisk(0.2), "is about all groups together"),
        (KMap(2, population="p"), "counts people outside the table"),
    ],
    ids=str,
)
def test_refuses_what_it_cannot_keep(model: GroupModel, message: str) -> None:
    rows = [dict.fromkeys("abcd", "x")] * 9
    table = table_with(rows, {c: Tree({"x": ("x", "*"), "y": ("y", "*")}) for c in "abcd"})
    with pytest.raises(UnsupportedError, match=message):
        MuArgus().search(count(table).finest, All([model]), Task(table.attributes, ILoss()))


def test_may_be_allowed_to_look_at_more() -> None:
    rows = [dict.fromkeys("abcd", "x")] * 9
    table = table_with(rows, {c: Tree({"x": ("x", "*"), "y": ("y", "*")}) for c in "abcd"})
    assert run(MuArgus(size=4), table, [KAnonymity(5)]).partition.sizes.tolist() == [9]


def test_says_that_the_table_is_too_small() -> None:
    with pytest.raises(InfeasibleError, match="needs at least 20 records, and the table has 13"):
        run(MuArgus(), clerks(), [LKCPrivacy(l=2, k=20, c=1)], limit=13)
    empty = table_with([], {"a": Tree({"x": ("x", "*")})})
    with pytest.raises(InfeasibleError, match="the table has no records"):
        run(MuArgus(), empty, [KAnonymity(1)])


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"size": 0}, "size must be at least 1, got 0"),
        ({"rare": 1}, r"rare must lie in \[0, 1\), got 1"),
        ({"rare": -1}, r"rare must lie in \[0, 1\), got -1"),
    ],
)
def test_refuses_parameters_that_mean_nothing(parameters: dict[str, int], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        MuArgus(**parameters)


def test_is_written_in_one_way() -> None:
    assert str(MuArgus()) == "mu-argus"
    assert str(MuArgus(size=2, rare=0)) == "mu-argus(size=2, rare=0)"


@pytest.mark.parametrize("method", ["mu-argus", "k-optimize", "l-plus-optimize"])
def test_owners_of_joined_tables_are_counted(method: str) -> None:
    """Every pair of visits is of one person: two pairs must look alike."""
    visits = ul.as_table(
        {"age": [20, 20, 21, 21, 30, 30, 31, 31], "who": [*"aabbccdd"]}, quasi="age", owner="who"
    )
    promise = ul.MultirelationalKAnonymity(2)
    release = ul.anonymize(visits, privacy=promise, method=method)
    assert release.holds
    assert release.n_groups == 2
