"""Possible worlds by enumeration: who may have which record of every release, one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from itertools import permutations, product
from math import perm, prod

from unlinkable.tables.attacks.series.series import Sheet

OTHER = "any other"
"""What stands for all values that may change."""

World = tuple[dict[int, Hashable], ...]


def shares(
    sheets: Sequence[Sheet], permanent: frozenset[int] | None = None
) -> dict[int, dict[Hashable, Fraction]]:
    """Give everybody's share of the worlds for each value, by going through all of them."""
    found: dict[int, dict[Hashable, int]] = {}
    total = 0
    for world in product(*(list(deals(sheet)) for sheet in sheets)):
        has = labels(world, permanent)
        if has is None:
            continue
        total += 1
        for person, value in has.items():
            own = found.setdefault(person, {})
            own[value] = own.get(value, 0) + 1
    return {p: {v: Fraction(n, total) for v, n in own.items()} for p, own in found.items()}


def shares_by_label(
    sheets: Sequence[Sheet], permanent: frozenset[int]
) -> dict[int, dict[Hashable, Fraction]]:
    """Do the same faster: give everybody a label, and count the ways to choose the records."""
    people = sorted({p for s in sheets for p in s.people.tolist() if p >= 0})
    groups = [
        (
            [p for p in s.people[s.groups == g].tolist() if p >= 0],
            Counter(v if v in permanent else OTHER for v in s.values[s.groups == g].tolist()),
        )
        for s in sheets
        for g in sorted(set(s.groups.tolist()))
    ]
    found: dict[int, dict[Hashable, int]] = {p: {} for p in people}
    total = 0
    for chosen in product([*permanent, OTHER], repeat=len(people)):
        has: dict[int, Hashable] = dict(zip(people, chosen, strict=True))
        ways = 1
        for members, records in groups:
            taken = Counter(has[p] for p in members)
            ways *= prod(perm(records[x], n) for x, n in taken.items())
        total += ways
        for p, label in has.items():
            found[p][label] = found[p].get(label, 0) + ways
    return {p: {v: Fraction(n, total) for v, n in own.items() if n} for p, own in found.items()}


def deals(sheet: Sheet) -> Iterator[dict[int, Hashable]]:
    """List all ways to give the records of each group to its people."""
    ways = []
    for g in sorted(set(sheet.groups.tolist())):
        values = sheet.values[sheet.groups == g].tolist()
        people = [p for p in sheet.people[sheet.groups == g].tolist() if p >= 0]
        picks = permutations(range(len(values)), len(people))
        ways.append([dict(zip(people, (values[i] for i in pick), strict=True)) for pick in picks])
    for chosen in product(*ways):
        yield {person: value for part in chosen for person, value in part.items()}


def labels(
    world: Sequence[dict[int, Hashable]], permanent: frozenset[int] | None
) -> dict[int, Hashable] | None:
    """Say what everybody has in a world; None if somebody has one thing here and another there."""
    has: dict[int, Hashable] = {}
    for release in world:
        for person, value in release.items():
            label = value if permanent is None or value in permanent else OTHER
            if has.setdefault(person, label) != label:
                return None
    return has
