"""Raising: the same, cell by cell, as it is said in the docstring of the method."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from unlinkable.tables.data import as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.regions.shared.raising import Raising
from unlinkable.tables.methods.regions.shared.subcubes import Subcubes
from unlinkable.tables.models import DistinctLDiversity, KAnonymity
from unlinkable.tables.models.base import All

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
