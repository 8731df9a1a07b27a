"""Tiny series in plain numbers, and what can be inferred from them by listing all worlds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations

import numpy as np
from hypothesis import strategies as st

from unlinkable.tables.attacks.series.series import NOBODY, Sheet

__all__ = [
    "Owner",
    "grown",
    "possible_jointly",
    "possible_one_by_one",
    "records",
    "shuffled",
    "tiny_series",
]

Owner = tuple[int, int]
"""A person and -1, or a release and a record that was made up in it."""

N_VALUES = 3


@st.composite
def tiny_series(
    draw: st.DrawFn,
    *,
    n_people: int = 7,
    n_releases: int = 3,
    n_values: int = N_VALUES,
    made_up: bool = True,
    changes: bool = False,
) -> tuple[Sheet, ...]:
    """Draw releases from which people leave, and to which they come and return."""
    n = draw(st.integers(1, n_people))
    has = draw(st.lists(st.integers(0, n_values - 1), min_size=n, max_size=n))
    sheets = []
    for _ in range(draw(st.integers(2, n_releases))):
        people = draw(st.lists(st.integers(0, n - 1), unique=True, min_size=1))
        values = [has[p] for p in people]
        if changes and draw(st.booleans()):
            values[0] = draw(st.integers(0, n_values - 1))
        if made_up and draw(st.integers(0, 3)) == 0:
            people.append(NOBODY)
            values.append(draw(st.integers(0, n_values - 1)))
        size = len(people)
        groups = draw(st.lists(st.integers(0, 2), min_size=size, max_size=size))
        used = np.unique(groups, return_inverse=True)[1]
        sheets.append(Sheet.of(people, used.tolist(), values, n_values))
    return tuple(sheets)


def grown(sheets: tuple[Sheet, ...]) -> tuple[Sheet, ...]:
    """Leave out of the last release what was made up, and its groups: it is a table now."""
    *earlier, last = sheets
    real = np.flatnonzero(last.people >= 0)
    table = Sheet.of(last.people[real], [0] * real.size, last.values[real], last.n_values)
    return (*earlier, table)


def shuffled(sheet: Sheet, seed: int) -> Sheet:
    """Put the values of each group beside its records in any order, as in buckets."""
    rng = np.random.default_rng(seed)
    by_group = np.lexsort((np.arange(len(sheet)), sheet.groups))
    by_chance = np.lexsort((rng.random(len(sheet)), sheet.groups))
    values = sheet.values.copy()
    values[by_group] = sheet.values[by_chance]
    return Sheet(sheet.people, sheet.groups, values, sheet.n_groups, sheet.n_values)


def records(sheets: Sequence[Sheet]) -> list[list[tuple[Owner, int, int]]]:
    """List the records of every release: whose, in which group, with which value."""
    return [
        [
            ((person, -1) if person >= 0 else (i, row), group, value)
            for row, (person, group, value) in enumerate(
                zip(s.people.tolist(), s.groups.tolist(), s.values.tolist(), strict=True)
            )
        ]
        for i, s in enumerate(sheets)
    ]


def possible_one_by_one(sheets: Sequence[Sheet]) -> set[tuple[Owner, int]]:
    """Say who can have which value, by every two releases, all other values taken for one."""
    listed, n_values = records(sheets), sheets[0].n_values
    owners = {owner for release in listed for owner, _, _ in release}
    found = {(owner, value) for owner in owners for value in range(n_values)}
    for one, other in combinations(listed, 2):
        there = sorted({owner for owner, _, _ in (*one, *other)})
        for value in range(n_values):
            having = set().union(*_sets_with(value, there, (one, other)))
            found -= {(owner, value) for owner in there if owner not in having}
    return {
        (owner, value)
        for owner, value in found
        if all(
            value in {v for _, g, v in release if g == group}
            for release in listed
            for whose, group, _ in release
            if whose == owner
        )
    }


def possible_jointly(sheets: Sequence[Sheet]) -> set[tuple[Owner, int]]:
    """Say who can have which value, in some world of all values and releases at once."""
    listed = records(sheets)
    worlds: list[dict[Owner, int]] = [{}]
    for release in listed:
        worlds = [dict(w) for w in {tuple(sorted(x.items())) for x in _dealt(release, worlds)}]
    return {pair for world in worlds for pair in world.items()}


def _sets_with(
    value: int, owners: list[Owner], releases: Sequence[list[tuple[Owner, int, int]]]
) -> Iterator[set[Owner]]:
    """List all sets of owners who may be those with a value."""
    told = [Counter(g for _, g, v in release if v == value) for release in releases]
    homes = [{owner: g for owner, g, _ in release} for release in releases]
    for size in range(len(owners) + 1):
        for chosen in combinations(owners, size):
            if all(
                Counter(home[o] for o in chosen if o in home) == counts
                for home, counts in zip(homes, told, strict=True)
            ):
                yield set(chosen)


def _dealt(
    release: list[tuple[Owner, int, int]], worlds: list[dict[Owner, int]]
) -> Iterator[dict[Owner, int]]:
    """Deal out the values of a release to the owners of its groups in all ways."""
    for group in {g for _, g, _ in release}:
        owners = [o for o, g, _ in release if g == group]
        hands = {*permutations([v for _, g, v in release if g == group])}
        worlds = [
            {**world, **dict(zip(owners, hand, strict=True))}
            for world in worlds
            for hand in hands
            if all(world.get(o, v) == v for o, v in zip(owners, hand, strict=True))
        ]
    yield from worlds
