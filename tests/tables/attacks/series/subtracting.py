"""The difference attack by its definition: every set of groups is tried."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np
import polars as pl
from attrs import frozen
from hypothesis import strategies as st

from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.series.series import Edition, Series, Sheet

Record = tuple[int, int, int]
"""Whose a record is (-1 if it was made up), its group, and what it hides."""

Release = list[Record]

SHARES = st.sampled_from([Fraction(1, 4), Fraction(1, 2), Fraction(3, 5), Fraction(1)])


@frozen
class Rest:
    """What is left when groups are taken away."""

    taken: frozenset[int]
    cover: frozenset[int]
    size: int
    people: frozenset[int]
    counts: Counter[int]

    def breaks(self, k: int, c: Fraction) -> bool:
        return self.size < k or any(n > c * self.size for n in self.counts.values())


def members(release: Release, group: int) -> list[tuple[int, int]]:
    return [(person, value) for person, g, value in release if g == group]


def rests(first: Release, second: Release) -> list[Rest]:
    """Take away every set of groups that can be, and leave something."""
    where = {person: group for person, group, _ in second if person >= 0}
    usable = [
        g
        for g in sorted({group for _, group, _ in first})
        if all(person in where for person, _ in members(first, g))
    ]
    found = []
    for n in range(1, len(usable) + 1):
        for taken in combinations(usable, n):
            gone = [r for g in taken for r in members(first, g)]
            cover = frozenset(where[person] for person, _ in gone)
            kept = [r for g in cover for r in members(second, g)]
            counts = Counter(v for _, v in kept)
            counts.subtract(v for _, v in gone)
            people = frozenset(p for p, _ in kept if p >= 0) - {p for p, _ in gone}
            if len(kept) > len(gone):
                size = len(kept) - len(gone)
                found.append(Rest(frozenset(taken), cover, size, people, counts))
    return found


def excess(rest: Rest, second: Release, value: int, c: Fraction) -> Fraction:
    """By how many records a value exceeds its share, beyond what the cover's groups do alone."""
    alone = Fraction(0)
    for g in rest.cover:
        held = [v for _, v in members(second, g)]
        alone += max(Fraction(0), held.count(value) - c * len(held))
    return rest.counts[value] - c * rest.size - alone


def fallen_few(first: Release, second: Release, k: int) -> set[int]:
    """Everybody in a difference of fewer than k records, and than his groups have."""
    found = rests(first, second)
    return {
        p
        for p, g, _ in second
        for rest in found
        if p in rest.people and rest.size < min(k, own_crowd(first, second, p, g))
    }


def fallen_smallest(first: Release, second: Release, c: Fraction) -> set[int]:
    """Everybody in whose smallest difference a value is too frequent."""
    found = rests(first, second)
    fallen: set[int] = set()
    for p, g, _ in second:
        mine = [rest for rest in found if p in rest.people]
        least = min((rest.size for rest in mine), default=len(second))
        if least >= own_crowd(first, second, p, g):
            continue
        smallest = [rest for rest in mine if rest.size == least]
        taken = frozenset.intersection(*(rest.taken for rest in smallest))
        rest = next(rest for rest in smallest if rest.taken == taken)
        value = min(rest.counts, key=lambda v: (-rest.counts[v], v))
        if excess(rest, second, value, c) > 0:
            fallen.add(p)
    return fallen


def fallen_most(first: Release, second: Release, c: Fraction) -> set[int]:
    """Everybody left where a value exceeds its share by the most records."""
    found = rests(first, second)
    fallen: set[int] = set()
    for value in {v for _, _, v in second}:
        most = max((excess(rest, second, value, c) for rest in found), default=Fraction(0))
        if most > 0:
            best = [rest for rest in found if excess(rest, second, value, c) == most]
            taken = frozenset.intersection(*(rest.taken for rest in best))
            rest = next(rest for rest in best if rest.taken == taken)
            fallen |= rest.people - _at_the_limit(first, second, rest, value, c)
    return fallen


def _at_the_limit(
    first: Release, second: Release, rest: Rest, value: int, c: Fraction
) -> frozenset[int]:
    """People of groups in which the value has its share exactly, within one part of the cover."""
    where = {person: group for person, group, _ in second if person >= 0}
    parts: list[set[int]] = []
    for g in rest.taken:
        held = {where[p] for p, _ in members(first, g)}
        touched = [part for part in parts if part & held]
        parts = [part for part in parts if not part & held] + [held.union(*touched)]
    gone: set[int] = set()
    for g in {group for _, group, _ in first}:
        people, values = zip(*members(first, g), strict=True)
        if values.count(value) == c * len(values) and all(p in where for p in people):
            held = {where[p] for p in people}
            if any(held <= part for part in parts):
                gone |= set(people)
    return frozenset(gone)


def own_crowd(first: Release, second: Release, person: int, group: int) -> int:
    """How many records the smaller of somebody's own groups has, of those that can be used."""
    there = {p for p, _, _ in second if p >= 0}
    sizes = [len(members(second, group))]
    for p, g, _ in first:
        if p == person and p >= 0 and all(q in there for q, _ in members(first, g)):
            sizes.append(len(members(first, g)))
    return min(sizes)


def shares(release: Release) -> list[Fraction]:
    """The largest share of a value in each group."""
    found = []
    for g in {group for _, group, _ in release}:
        values = [v for _, v in members(release, g)]
        found.append(Fraction(max(map(values.count, values)), len(values)))
    return found


def is_safe_alone(release: Release, k: int, c: Fraction) -> bool:
    sizes = Counter(g for _, g, _ in release).values()
    return min(sizes, default=k) >= k and max(shares(release), default=c) <= c


def merged_until_safe(release: Release, k: int, c: Fraction) -> Release:
    """Merge the last two groups until all keep k and c; nobody is in it if one group does not."""
    while release and not is_safe_alone(release, k, c):
        last = max(g for _, g, _ in release)
        release = [(p, min(g, last - 1), v) for p, g, v in release] if last else []
    return release


@st.composite
def releases(
    draw: st.DrawFn, n: int = 2, most: int = 12, *, made_up: bool = True, leave: bool = True
) -> list[Release]:
    """Several releases of the same people: some come, some go, some records are made up."""
    n_people = draw(st.integers(2, most))
    hidden = draw(st.lists(st.integers(0, 3), min_size=n_people, max_size=n_people))
    found = []
    for _ in range(n):
        n_groups = draw(st.integers(1, 4))
        least = draw(st.sampled_from([-1, 0])) if leave else 0
        groups = draw(
            st.lists(st.integers(least, n_groups - 1), min_size=n_people, max_size=n_people)
        )
        release = [(p, g, hidden[p]) for p, g in enumerate(groups) if g >= 0]
        if made_up and draw(st.booleans()):
            release += [(-1, draw(st.integers(0, n_groups - 1)), draw(st.integers(0, 3)))]
        found.append(_numbered(release))
    return found


def _numbered(release: Release) -> Release:
    """Number groups without gaps."""
    used = sorted({group for _, group, _ in release})
    return [(p, used.index(g), v) for p, g, v in release]


def sheet_of(release: Release) -> Sheet:
    people, groups, values = zip(*release, strict=True) if release else ((), (), ())
    return Sheet.of(people, groups, values, n_values=4)


def series_of(found: Sequence[Release]) -> Series:
    """Publish releases: what a record shows is its group."""
    editions = []
    for i, release in enumerate(found):
        frame = pl.DataFrame(
            {"g": [f"{g}" for _, g, _ in release], "s": [f"{v}" for _, _, v in release]},
            schema={"g": pl.String, "s": pl.String},
        )
        people = np.array([p for p, _, _ in release], np.int64)
        editions.append(Edition(Target(frame, ("g",), ("s",)), people, f"release {i + 1}"))
    return Series(tuple(editions))
