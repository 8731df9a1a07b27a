"""Recursive histogram: cells by definition, promises that are kept, and the refusals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.tables.methods.regions.shared.test_subcubes import by_definition
from tests.witness import promises as witness
from unlinkable.errors import DataError, InfeasibleError, ParameterError, UnsupportedError
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups, Partition
from unlinkable.tables.methods.base.search import Solution, Task
from unlinkable.tables.methods.regions import RecursiveHistogram
from unlinkable.tables.methods.regions.recursive_histogram import Raising
from unlinkable.tables.methods.regions.shared.subcubes import Subcubes
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.models import (
    CTIsolation,
    DeltaPresence,
    DistinctLDiversity,
    KAnonymity,
    LKCPrivacy,
    TCloseness,
)
from unlinkable.tables.models.base import All, BindingContext, GroupModel
from unlinkable.tables.publishing import anonymize

Points = list[tuple[int, int]]
POINTS = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 12)), min_size=1, max_size=30)


def search(people: Table, t: int, *models: GroupModel, **options: object) -> Solution:
    context = BindingContext.of(people.schema)
    privacy = All(bound for model in models for bound in model.bind(context))
    task = Task(people.attributes, ILoss(), **options)  # type: ignore[arg-type]
    return RecursiveHistogram(t).search(count(people, privacy.needs()).finest, privacy, task)


def table_of(points: Points, hidden: list[str] | None = None) -> Table:
    x, y = zip(*points, strict=True)
    s = hidden or ["a"] * len(points)
    return as_table({"x": x, "y": y, "s": s}, quasi=["x", "y"], sensitive="s")


def boxes_of(people: Table, partition: Partition) -> list[tuple[tuple[int, ...], ...]]:
    """Give the ranges of codes that every record shows."""
    labels = partition.labels[count(people).labels]
    return [
        tuple(zip(partition.lo[g].tolist(), partition.hi[g].tolist(), strict=True))
        for g in labels.tolist()
    ]


@given(POINTS, st.integers(1, 4))
def test_without_need_to_raise_cells_are_those_of_the_recursion(points: Points, t: int) -> None:
    people = table_of(points)
    lower, upper = (tuple(map(end, zip(*points, strict=True))) for end in (min, max))
    ones, everybody = [1] * len(points), [*range(len(points))]
    literal = by_definition([*points], ones, (lower, upper), 2 * t, everybody)
    shown = boxes_of(people, search(people, t, KAnonymity(1)).partition)
    values = [sorted(set(column)) for column in zip(*points, strict=True)]
    for i, box in enumerate(shown):
        low, high = literal[i]
        for j, (first, end) in enumerate(box):
            inside = [
                code
                for code, value in enumerate(values[j])
                if low[j] <= value and (value < high[j] or high[j] == upper[j])
            ]
            assert (first, end) == (inside[0], inside[-1] + 1)


@given(POINTS, st.integers(1, 4), st.integers(1, 6), st.data())
def test_published_groups_keep_the_promise_by_definition(
    points: Points, t: int, k: int, data: st.DataObject
) -> None:
    hidden = data.draw(st.lists(st.sampled_from("abc"), min_size=len(points), max_size=len(points)))
    people = table_of(points, hidden)
    model, promise = data.draw(
        st.sampled_from(
            [
                (KAnonymity(k), witness.k_anonymous(k)),
                (DistinctLDiversity(2), witness.distinct_l_diverse(2, "s")),
            ]
        )
    )
    rows: list[dict[str, Hashable]] = [{"s": s} for s in hidden]
    assume(promise.keeps(rows, rows))
    shown = boxes_of(people, search(people, t, model).partition)
    for box in set(shown):
        group = [row for row, other in zip(rows, shown, strict=True) if other == box]
        assert promise.keeps(group, rows)
    for point, box in zip(points, shown, strict=True):
        for j, (first, end) in enumerate(box):
            values = sorted({p[j] for p in points})
            assert values[first] <= point[j] <= values[end - 1]


@given(POINTS, st.integers(1, 3), st.integers(1, 4), st.integers(2, 4))
def test_isolation_is_kept_by_cells_that_do_not_overlap(
    points: Points, t: int, c: int, crowd: int
) -> None:
    people = table_of(points)
    try:
        partition = search(people, t, CTIsolation(c, crowd)).partition
    except UnsupportedError as refused:
        assert "another t" in str(refused)  # noqa: PT017
        return
    (promise,) = CTIsolation(c, crowd).bind(BindingContext.of(people.schema))
    finest = count(people, promise.needs()).finest
    assert promise.holds(Partition(finest, partition.labels, partition.lo, partition.hi).groups())
    for g in range(partition.n_parts):
        for h in range(g):
            overlaps = (partition.lo[g] < partition.hi[h]) & (partition.lo[h] < partition.hi[g])
            assert not overlaps.all()


def test_leftovers_of_a_cell_are_put_together_in_the_box_over_them() -> None:
    # Cells of at most 2: {0, 1}, {2}, {3} in the lower half; {12, 13} in the upper one.
    people = as_table({"x": [0, 0, 1, 1, 2, 3, 12, 13, 15]}, quasi="x")
    found = search(people, 1, KAnonymity(2)).partition
    shown = {(int(lo), int(hi)) for lo, hi in zip(found.lo[:, 0], found.hi[:, 0], strict=True)}
    assert shown == {(0, 1), (1, 2), (2, 4), (4, 7)}


def test_what_no_cell_can_hold_joins_the_smallest_group_or_is_left_out() -> None:
    people = as_table({"x": [0, 1, 3, 3, 100]}, quasi="x")
    joined = search(people, 1, KAnonymity(2)).partition
    assert joined.n_suppressed == 0
    assert (joined.sizes >= 2).all()
    alone = search(people, 1, KAnonymity(2), suppression=0.2).partition
    assert alone.n_suppressed == 1
    assert (alone.sizes >= 2).all()


def test_a_promise_about_the_whole_table_is_judged_again_without_those_left_out() -> None:
    values = {"x": [0, 0, 1, 1, 100], "s": ["a", "b", "a", "b", "c"]}
    people = as_table(values, quasi="x", sensitive="s")
    found = search(people, 1, TCloseness("1/5"), suppression=0.2).partition
    assert found.n_suppressed == 1
    assert sorted(found.sizes.tolist()) == [2, 2]


@pytest.mark.parametrize("seed", range(5))
def test_people_who_are_not_in_the_table_are_counted_in_the_cells(seed: int) -> None:
    rng = np.random.default_rng(seed)
    everybody = {"x": rng.integers(0, 30, 60), "y": rng.integers(0, 10, 60)}
    is_in = rng.random(60) < 0.5
    people = as_table({name: v[is_in] for name, v in everybody.items()}, quasi=["x", "y"])
    promise = DeltaPresence("1/10", "4/5", population="everybody")
    # The published values are judged again before there is a release.
    release = anonymize(
        people, privacy=promise, method=RecursiveHistogram(1), side={"everybody": everybody}
    )
    assert release.finding.holds
    assert len(release.finding.sizes) > 1


def test_effort_on_a_fixed_table() -> None:
    rng = np.random.default_rng(1)
    data = {"x": rng.normal(50, 15, 3000).round(1), "y": rng.integers(0, 90, 3000)}
    people = as_table(data, quasi=["x", "y"])
    found = search(people, 5, KAnonymity(5))
    assert found.partition.n_parts == 402
    assert dict(found.effort) == {"rounds": 6, "cells": 612, "groups_judged": 1131, "raised": 301}


def test_categories_are_refused_by_name() -> None:
    people = as_table({"x": [1, 2], "job": ["cook", "clerk"]}, quasi=["x", "job"])
    with pytest.raises(UnsupportedError, match="'job' holds categories"):
        search(people, 1, KAnonymity(1))


def test_missing_values_are_refused_by_name() -> None:
    people = as_table({"x": [1, 2, None]}, quasi="x")
    with pytest.raises(DataError, match="1 records have no value of 'x'"):
        search(people, 1, KAnonymity(1))


def test_a_promise_about_some_columns_is_refused() -> None:
    people = table_of([(1, 2), (3, 4)])
    with pytest.raises(UnsupportedError, match="one by one"):
        search(people, 1, LKCPrivacy(1, 1, 1, sensitive="s"))


def test_a_promise_that_all_records_break_is_refused() -> None:
    people = table_of([(1, 2), (3, 4)])
    with pytest.raises(InfeasibleError, match="k-anonymity"):
        search(people, 1, KAnonymity(3))
    with pytest.raises(UnsupportedError, match="finds no cells that keep ct-isolation"):
        search(people, 1, CTIsolation(1, 3))


def test_t_must_be_a_number_of_records() -> None:
    with pytest.raises(ParameterError, match="t must be at least 1"):
        RecursiveHistogram(0)


Members = list[int]
Keeps = Callable[[Members], bool]


class Literal:
    """Cells that break a promise, raised one by one."""

    def __init__(self, cubes: Subcubes, sizes: Sequence[int], keeps: Keeps) -> None:
        self.cubes, self.sizes, self.keeps = cubes, sizes, keeps

    def children(self, cell: int) -> list[int]:
        return np.flatnonzero(self.cubes.parent == cell).tolist()

    def members(self, cell: int) -> Members:
        own = np.flatnonzero(self.cubes.cells == cell).tolist()
        return own + [i for child in self.children(cell) for i in self.members(child)]

    def whole(self, cell: int) -> list[Members]:
        parts = [group for child in self.children(cell) for group in self.whole(child)]
        if parts and all(self.keeps(group) for group in parts):
            return parts
        return [self.members(cell)]

    def place(self, cell: int, *, join: bool) -> tuple[dict[int, Members], Members]:
        if not self.children(cell):
            members = self.members(cell)
            return ({cell: members}, []) if self.keeps(members) else ({}, members)
        groups: dict[int, Members] = {}
        rest: Members = []
        for child in self.children(cell):
            placed, left = self.place(child, join=join)
            groups |= placed
            rest += left
        if rest and self.keeps(rest):
            return groups | {self.cubes.n + cell: rest}, []
        if rest and join and groups:
            smallest = min(groups, key=lambda g: (sum(self.sizes[i] for i in groups[g]), g))
            if self.keeps(rest + groups[smallest]):
                rest += groups.pop(smallest)
                return groups | {self.cubes.n + cell: rest}, []
        return groups, rest


@st.composite
def settings(draw: st.DrawFn) -> tuple[Groups, All, Subcubes]:
    n = draw(st.integers(1, 25))
    numbers = st.lists(st.integers(0, 30), min_size=n, max_size=n)
    hidden = draw(st.lists(st.sampled_from("aab"), min_size=n, max_size=n))
    people = as_table(
        {"x": draw(numbers), "y": draw(numbers), "s": hidden}, quasi=["x", "y"], sensitive="s"
    )
    models = st.sampled_from([KAnonymity(2), KAnonymity(4), DistinctLDiversity(2, sensitive="s")])
    privacy = All([draw(models)])
    finest = count(people, privacy.needs()).finest
    points = np.column_stack(
        [people.taxonomy(n).domain.as_numbers()[finest.keys[:, j]] for j, n in enumerate("xy")]
    )
    cubes = Subcubes.of(
        points, finest.sizes, points.min(axis=0), points.max(axis=0), most=draw(st.integers(1, 4))
    )
    return finest, privacy, cubes


def keeps_of(finest: Groups, privacy: All) -> Keeps:
    def keeps(members: Members) -> bool:
        labels = np.full(len(finest), -1, np.int32)
        labels[members] = 0
        return bool(privacy.judge(finest.merge(labels, 1, ("x",), np.zeros((1, 1), np.int32)))[0])

    return keeps


def sets_of(labels: Sequence[int]) -> set[frozenset[int]]:
    found: dict[int, list[int]] = {}
    for i, label in enumerate(labels):
        found.setdefault(label, []).append(i)
    return {frozenset(members) for label, members in found.items() if label >= 0}


@given(settings())
def test_leftovers_go_where_the_literal_recursion_puts_them(
    setting: tuple[Groups, All, Subcubes],
) -> None:
    finest, privacy, cubes = setting
    keeps = keeps_of(finest, privacy)
    everybody = [*range(len(finest))]
    assume(keeps(everybody))
    labels, n = Raising(finest, privacy, cubes, Counter()).leftovers(0)
    groups, rest = Literal(cubes, finest.sizes.tolist(), keeps).place(0, join=True)
    expected = [everybody] if rest else [*groups.values()]
    assert sets_of(labels.tolist()) == {frozenset(group) for group in expected}
    assert n == len(expected)


@given(settings())
def test_what_may_be_left_out_is_what_no_cell_can_hold(
    setting: tuple[Groups, All, Subcubes],
) -> None:
    finest, privacy, cubes = setting
    keeps = keeps_of(finest, privacy)
    groups, rest = Literal(cubes, finest.sizes.tolist(), keeps).place(0, join=False)
    assume(groups)
    limit = int(finest.sizes[rest].sum())
    assume(limit)
    labels, _ = Raising(finest, privacy, cubes, Counter()).leftovers(limit)
    assert np.flatnonzero(labels < 0).tolist() == sorted(rest)
    assert sets_of(labels.tolist()) == {frozenset(group) for group in groups.values()}


@given(settings())
def test_whole_cells_are_undone_where_the_literal_recursion_undoes_them(
    setting: tuple[Groups, All, Subcubes],
) -> None:
    finest, privacy, cubes = setting
    labels, n = Raising(finest, privacy, cubes, Counter()).whole_cells()
    literal = Literal(cubes, finest.sizes.tolist(), keeps_of(finest, privacy)).whole(0)
    assert sets_of(labels.tolist()) == {frozenset(group) for group in literal}
    assert n == len(literal)
