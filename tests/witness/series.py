"""What is in releases of the same people, found by going through everything that is possible.

A release is a list of records: whose each is, the group that it is in, and what it hides. Which
record of a group is whose nobody knows who did not make the release.

Byun, Li, Bertino, Li and Sohn, "Privacy-preserving incremental data dissemination", 2009: sections
4.3 to 4.5; Xiao and Tao, "m-invariance", 2007; Bu, Fu, Wong, Chen and Li, "Privacy preserving
serial data publishing by role composition", 2008; Fung, Wang, Fu and Yu, "Introduction to
Privacy-Preserving Data Publishing", 2010: chapter 10.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations

__all__ = [
    "Left",
    "Record",
    "Release",
    "beliefs",
    "by_group",
    "can_have",
    "candidates",
    "changed",
    "common",
    "differences",
    "directed_differences",
    "highest_share",
    "n_worlds",
    "owners_exposed",
    "peak",
    "slot",
]


@dataclass(frozen=True)
class Record:
    """One published record; the owner of a made-up one is None."""

    owner: int | None
    group: Hashable
    value: Hashable


Release = Sequence[Record]
"""The records of one release."""


@dataclass(frozen=True)
class Left:
    """What is left of one release when groups of another one are taken away.

    Attributes
    ----------
    people
        Who is left.
    values
        What the records that are left hide.
    """

    people: frozenset[int]
    values: Counter[Hashable]

    @property
    def size(self) -> int:
        """How many records are left."""
        return self.values.total()

    def share(self) -> Fraction:
        """Give the share of the most frequent value."""
        return peak(self.values)

    def excess(self, value: Hashable, c: Fraction) -> Fraction:
        """Say by how many records a value exceeds the share c."""
        return self.values[value] - c * self.size

    def violates(self, k: int, c: Fraction) -> bool:
        """Whether fewer than k records are left, or a value has too large a share of them."""
        return self.size < k or self.share() > c


def peak(values: Counter[Hashable]) -> Fraction:
    """Give the share of the most frequent value; 0 if there is none."""
    return Fraction(max(values.values(), default=0), max(values.total(), 1))


def by_group(release: Release) -> dict[Hashable, list[Record]]:
    """Put the records of each group together."""
    found: dict[Hashable, list[Record]] = {}
    for record in release:
        found.setdefault(record.group, []).append(record)
    return found


def people_of(release: Release) -> dict[int, Record]:
    """Give everybody's record."""
    return {record.owner: record for record in release if record.owner is not None}


def highest_share(release: Release) -> Fraction:
    """Give the share that the most frequent value of any group has in it."""
    return max(peak(Counter(r.value for r in group)) for group in by_group(release).values())


def differences(releases: Sequence[Release]) -> Iterator[Left]:
    """Take all sets of groups of each release away from each other one (Byun, section 4.3).

    Only if everybody in them is there, and if somebody is left.

    >>> first = [Record(0, "a", "flu"), Record(1, "a", "hiv")]
    >>> then = [Record(0, "b", "flu"), Record(1, "b", "hiv"), Record(2, "b", "cold")]
    >>> [(set(left.people), left.share()) for left in differences([first, then])]
    [({2}, Fraction(1, 1))]
    """
    for one, other in permutations(releases, 2):
        yield from directed_differences(one, other)


def directed_differences(one: Release, other: Release) -> Iterator[Left]:
    """Take all sets of groups of one release away from the groups of another that hold them."""
    groups, where, others = by_group(one), people_of(other), by_group(other)
    for n in range(1, len(groups) + 1):
        for taken in combinations(groups, n):
            members = [record for name in taken for record in groups[name]]
            if any(r.owner is None or r.owner not in where for r in members):
                continue
            owners = {r.owner for r in members}
            covering = {where[r.owner].group for r in members if r.owner is not None}
            held = [record for name in covering for record in others[name]]
            left = [record for record in held if record.owner not in owners]
            values = Counter(record.value for record in held)
            values.subtract(record.value for record in members)
            if left:
                people = frozenset(r.owner for r in left if r.owner is not None)
                yield Left(people, Counter({s: m for s, m in values.items() if m}))


def common(releases: Sequence[Release], person: int) -> Counter[Hashable]:
    """Intersect what the groups hide that hold somebody, with repetitions (Byun, section 4.4).

    >>> first = [Record(0, "a", "x"), Record(1, "a", "x"), Record(2, "a", "y")]
    >>> then = [Record(0, "b", "x"), Record(3, "b", "y")]
    >>> common([first, then], 0) == Counter("xy")
    True
    """
    found: Counter[Hashable] | None = None
    for release in releases:
        for group in by_group(release).values():
            if any(record.owner == person for record in group):
                values = Counter(record.value for record in group)
                found = values if found is None else found & values
    assert found is not None
    return found


def slot(releases: Sequence[Release], i: int, j: int) -> Hashable:
    """Say whose a record is: a person, or something made up that is in this release only."""
    owner = releases[i][j].owner
    return ("made up", i, j) if owner is None else owner


def can_have(
    releases: Sequence[Release], pair: tuple[int, int], value: Hashable
) -> set[Hashable] | None:
    """Say who can have a value by two releases; None if nobody's having it explains them.

    Goes through all sets of people, and of made-up records, that could have it: in every group
    there must be as many of the set as records with the value.

    >>> first = [Record(0, "a", "x"), Record(1, "a", "y"), Record(2, "a", "y")]
    >>> then = [Record(0, "b", "x"), Record(1, "c", "y"), Record(2, "c", "y")]
    >>> can_have([first, then], (0, 1), "x")
    {0}
    """
    places: dict[Hashable, list[tuple[int, Hashable]]] = {}
    wanted: Counter[tuple[int, Hashable]] = Counter()
    for i in pair:
        for j, record in enumerate(releases[i]):
            places.setdefault(slot(releases, i, j), []).append((i, record.group))
            wanted[i, record.group] += record.value == value
    wanted = +wanted
    found: set[Hashable] | None = None
    for n in range(len(places) + 1):
        for holders in combinations(places, n):
            if Counter(place for who in holders for place in places[who]) == wanted:
                found = (found or set()) | {*holders}
    return found


def candidates(
    releases: Sequence[Release], *, feasible: bool = True
) -> list[dict[tuple[Hashable, Hashable], set[Hashable]]]:
    """Give for each release who can have each value of each group (Byun, section 4.5).

    If not only what is ``feasible`` counts, then everybody of the group can who is in no group of
    another release that does not hide the value. What is made up can have a value, too: nobody can
    tell it from people.
    """
    values = {record.value for release in releases for record in release}
    excluded: set[tuple[Hashable, Hashable]] = set()
    for pair in combinations(range(len(releases)), 2):
        everybody = {slot(releases, i, j) for i in pair for j in range(len(releases[i]))}
        for value in values if feasible else ():
            can = can_have(releases, pair, value)
            excluded |= {(who, value) for who in everybody - (everybody if can is None else can)}
    for i, release in enumerate(() if feasible else releases):
        for j, record in enumerate(release):
            hidden = {r.value for r in by_group(release)[record.group]}
            excluded |= {(slot(releases, i, j), value) for value in values - hidden}
    found: list[dict[tuple[Hashable, Hashable], set[Hashable]]] = []
    for i, release in enumerate(releases):
        found.append({(record.group, record.value): set() for record in release})
        for (group, value), can_be in found[-1].items():
            members = {slot(releases, i, j) for j, r in enumerate(release) if r.group == group}
            can_be |= {who for who in members if (who, value) not in excluded}
    return found


def owners_exposed(
    releases: Sequence[Release], k: int, limit: Fraction, *, feasible: bool = True
) -> set[int]:
    """Say who owns a record that too few people can have, or that is too likely of them."""
    exposed = set()
    for release, found in zip(releases, candidates(releases, feasible=feasible), strict=True):
        for record in release:
            can = len(found[record.group, record.value])
            group = by_group(release)[record.group]
            n = sum(r.value == record.value for r in group)
            if record.owner is not None and (can < k or n > limit * can):
                exposed.add(record.owner)
    return exposed


def _hands(
    release: Release, permanent: Collection[Hashable] | None
) -> Counter[frozenset[tuple[int, Hashable]]]:
    """Hand the records of each group to its members in all orders, and count these by who has what.

    Values that pass are not told apart.
    """
    ways: Counter[frozenset[tuple[int, Hashable]]] = Counter({frozenset(): 1})
    for group in by_group(release).values():
        told = [r.value if permanent is None or r.value in permanent else _PASSING for r in group]
        n_orders = math.prod(math.factorial(n) for n in Counter(told).values())
        mine: Counter[frozenset[tuple[int, Hashable]]] = Counter()
        for order in _arrangements(Counter(told)):
            hand = zip(group, order, strict=True)
            mine[frozenset((r.owner, s) for r, s in hand if r.owner is not None)] += n_orders
        ways = Counter({way | hand: n * m for way, n in ways.items() for hand, m in mine.items()})
    return ways


def _arrangements(left: Counter[Hashable]) -> Iterator[tuple[Hashable, ...]]:
    """Put values in all orders that look different."""
    if not left.total():
        yield ()
    for value in left:
        for rest in _arrangements(left - Counter([value])):
            yield (value, *rest)


def changed(releases: Sequence[Release], permanent: Collection[Hashable] | None = None) -> bool:
    """Whether somebody lost or got a permanent value, or any value changed if none is named."""
    for one, other in combinations(releases, 2):
        for person in people_of(one).keys() & people_of(other).keys():
            a, b = people_of(one)[person].value, people_of(other)[person].value
            if a != b and (permanent is None or a in permanent or b in permanent):
                return True
    return False


_PASSING = ("a value that passes",)


def _worlds(
    releases: Sequence[Release], permanent: Collection[Hashable] | None
) -> Counter[frozenset[tuple[int, Hashable]]]:
    """Count the worlds by who has which permanent value in them."""
    worlds: Counter[frozenset[tuple[int, Hashable]]] = Counter({frozenset(): 1})
    for release in releases:
        ways = _hands(release, permanent)
        grown: Counter[frozenset[tuple[int, Hashable]]] = Counter()
        for world, n in worlds.items():
            known = dict(world)
            for way, m in ways.items():
                if all(known.get(p, s) == s for p, s in way):
                    grown[world | way] += n * m
        worlds = grown
    return worlds


def n_worlds(releases: Sequence[Release], permanent: Collection[Hashable] | None = None) -> int:
    """Count the worlds that are possible.

    >>> n_worlds([[Record(0, "a", "x"), Record(1, "a", "y"), Record(None, "a", "y")]])
    6
    """
    return _worlds(releases, permanent).total()


def beliefs(
    releases: Sequence[Release], permanent: Collection[Hashable] | None = None
) -> dict[int, dict[Hashable, Fraction]]:
    """Say how likely everybody has each permanent value: by its share of all possible worlds.

    A world says whose every record of every release is, so that nobody has a permanent value in one
    and another value in another. Empty if there is none.

    >>> first = [Record(0, "a", "knee"), Record(1, "a", "nose")]
    >>> then = [Record(0, "b", "knee"), Record(2, "b", "hip")]
    >>> beliefs([first, then])[0]
    {'knee': Fraction(1, 1)}
    """
    worlds = _worlds(releases, permanent)
    found: dict[int, dict[Hashable, Fraction]] = {}
    for world, n in worlds.items():
        for person, value in world:
            if value != _PASSING:
                shares = found.setdefault(person, {})
                shares[value] = shares.get(value, Fraction(0)) + Fraction(n, worlds.total())
    return found
