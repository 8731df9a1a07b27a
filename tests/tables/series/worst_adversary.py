"""The worst adversary of a growing series, by plain definitions.

A release is a list of records: whose, in which group, with which value. The adversary knows who is
in which group of which release.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Sequence
from fractions import Fraction
from functools import reduce
from itertools import combinations
from operator import and_, or_

import numpy as np
import polars as pl

from unlinkable.tables.attacks.series.series import Edition, Sheet

__all__ = [
    "Record",
    "by_difference",
    "by_intersection",
    "by_tracing",
    "published",
    "sheet",
]

Record = tuple[int, Hashable, Hashable]
"""Whose, in which group, with which value."""

Release = Sequence[Record]


def published(edition: Edition, column: str) -> list[Record]:
    """Read a release from its texts alone."""
    frame = edition.target.frame
    assert edition.people is not None
    shown = frame.select(edition.target.quasi).cast(pl.String).rows()
    return list(zip(edition.people.tolist(), shown, frame[column].to_list(), strict=True))


def sheet(given: Sheet) -> list[Record]:
    """Read a release from its numbers."""
    columns = given.people.tolist(), given.groups.tolist(), given.values.tolist()
    return list(zip(*columns, strict=True))


def by_difference(releases: Sequence[Release], k: int, c: Fraction) -> set[int]:
    """Take all sets of groups away from the groups that cover them, in any other release.

    Sets of people are numbers, with a bit for each of them.
    """
    fallen = 0
    for one, other in ((a, b) for a in releases for b in releases if a is not b):
        there, home = _bits(person for person, _, _ in other), _homes(other)
        values = [_bits(p for p, _, v in other if v == value) for value in {v for _, _, v in other}]
        found = [(0, 0)]
        for members in _groups(one).values():
            inside = _bits(members)
            if not inside & ~there:
                cover = reduce(or_, (home[person] for person in members))
                found += [(before | inside, covers | cover) for before, covers in found]
        for inside, covers in found:
            left = covers & ~inside
            if left and _gives_away([(left & value).bit_count() for value in values], k, c):
                fallen |= left
    return {i for i in range(fallen.bit_length()) if fallen >> i & 1}


def by_intersection(releases: Sequence[Release], c: Fraction) -> set[int]:
    """Intersect the values of all groups that somebody is in, each as often as it is in all."""
    seen: dict[int, list[Counter[Hashable]]] = {}
    for release in releases:
        values = {person: value for person, _, value in release}
        for members in _groups(release).values():
            hidden = Counter(values[person] for person in members)
            for person in members:
                seen.setdefault(person, []).append(hidden)
    return {
        person
        for person, groups in seen.items()
        if len(groups) > 1 and _gives_away(reduce(and_, groups).values(), 0, c)
    }


def by_tracing(releases: Sequence[Release], k: int, c: Fraction) -> set[int]:
    """Ask for every two releases and every value which people may have it, in any world at all."""
    fallen: set[int] = set()
    for value in {value for release in releases for _, _, value in release}:
        worlds = [_who_may_have(value, one, other) for one, other in combinations(releases, 2)]
        for release in releases:
            owners = {person for person, _, v in release if v == value}
            for members in _groups(release).values():
                left = [person for person in members if all(w >> person & 1 for w in worlds)]
                n = len(owners & members)
                if n and left and (len(left) < k or n > c * len(left)):
                    fallen |= owners & members
    return fallen


def _who_may_have(value: Hashable, one: Release, other: Release) -> int:
    """Go through all sets of people who could have a value, and put them together.

    Nothing is known of people who are in neither release.
    """
    people = _bits(person for release in (one, other) for person, _, _ in release)
    sets = np.arange(1 << people.bit_length())
    sets = sets[sets & ~people == 0]
    for release in (one, other):
        owners = _bits(person for person, _, v in release if v == value)
        for members in _groups(release).values():
            group = _bits(members)
            sets = sets[np.bitwise_count(sets & group) == (owners & group).bit_count()]
    return int(np.bitwise_or.reduce(sets, initial=0)) | ~people


def _bits(people: Iterable[int]) -> int:
    return sum(1 << person for person in set(people))


def _homes(release: Release) -> dict[int, int]:
    """Give the group of everybody."""
    return {p: _bits(members) for members in _groups(release).values() for p in members}


def _groups(release: Release) -> dict[Hashable, set[int]]:
    found: dict[Hashable, set[int]] = {}
    for person, group, _ in release:
        found.setdefault(group, set()).add(person)
    return found


def _gives_away(counts: Collection[int], k: int, c: Fraction) -> bool:
    return sum(counts) < k or max(counts, default=0) > c * sum(counts)
