"""Allocations: in how many ways the people of some groups can share out the groups' values.

A *pool* is people and values to share out. Usually it is a published group and the people in it.
Where a person fits several groups, these are one pool, with all who fit any of them.

A *deal* says how many people of each kind get each value. It is a table of counts whose rows add up
to the numbers of people and whose columns add up to how often each value is there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import comb, factorial, prod
from typing import Self

import numpy as np
from attrs import define

from unlinkable.kernels.counting import expand_stretches
from unlinkable.tables.attacks.shared.matching import Matching
from unlinkable.tables.engines import Counted
from unlinkable.typing import CodeArray, CountArray

__all__ = [
    "Deal",
    "Fits",
    "Hand",
    "Pool",
    "count_deals",
    "count_free_deals",
    "deals",
    "free_deals",
    "ways",
]


@define(eq=False, frozen=True)
class Fits:
    """Which groups people of each kind may be in: one entry for each kind and group that fit.

    Attributes
    ----------
    kinds, groups
        The kind of people, and the group.
    n_records
        How many records of the group they may have.
    """

    kinds: CountArray
    groups: CountArray
    n_records: CountArray

    @classmethod
    def of(cls, matching: Matching, first: CountArray, counted: Counted) -> Self:
        """Go from kinds of people to what they may show, and from there to groups.

        ``first`` is a person of each kind.
        """
        n_groups = max(len(counted.finest), 1)
        pairs = matching.look.astype(np.int64) * n_groups + counted.labels
        pairs, n = np.unique(pairs, return_counts=True)
        look, group = np.divmod(pairs, n_groups)
        kind = matching.kind[first]
        kinds, at = expand_stretches(matching.indptr[kind], np.diff(matching.indptr)[kind])
        looks = matching.looks[at]
        first, end = (np.searchsorted(look, looks, side) for side in ("left", "right"))
        above, at = expand_stretches(first, end - first)
        return cls(kinds[above], group[at], n[at])

    def pools(self, n_kinds: int, n_groups: int) -> tuple[CodeArray, CodeArray]:
        """Number the sets of kinds and groups that hang together; -1 for kinds without a group."""
        of_group = np.arange(n_groups)
        while True:
            of_kind = np.full(n_kinds, n_groups)
            np.minimum.at(of_kind, self.kinds, of_group[self.groups])
            lower = of_group.copy()
            np.minimum.at(lower, self.groups, of_kind[self.kinds])
            lower = lower[lower]
            if np.array_equal(lower, of_group):
                break
            of_group = lower
        number = np.full(n_groups + 1, -1, np.int32)
        used = np.unique(of_group)
        number[used] = np.arange(used.size)
        return number[of_kind], number[of_group]


@define(eq=False, frozen=True)
class Pool:
    """People who share out what some published records hide.

    Attributes
    ----------
    members
        The people of each kind.
    records
        A published record with each of the values that are shared out.
    n_each
        How many records have each value.
    is_left_out
        Whether no record is theirs: what each has is as likely as it is frequent.
    """

    members: tuple[CountArray, ...]
    records: CountArray
    n_each: tuple[int, ...]
    is_left_out: bool = False

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many people there are of each kind."""
        return tuple(len(people) for people in self.members)

    def n_classes(self, most: int) -> int:
        """Count the deals; more than ``most`` if there are more."""
        if self.is_left_out:
            return count_free_deals(self.sizes, len(self.n_each))
        return count_deals(self.sizes, self.n_each, most)

    def dealt(self) -> Iterator[tuple[Deal, int]]:
        """Yield every deal, and how many ways lead to it."""
        if not self.is_left_out:
            yield from ((deal, ways(deal)) for deal in deals(self.sizes, self.n_each))
            return
        for deal in free_deals(self.sizes, len(self.n_each)):
            chosen = (n**x for hand in deal for n, x in zip(self.n_each, hand, strict=True))
            yield deal, ways(deal) * prod(chosen)


Hand = tuple[int, ...]
"""How many people of one kind get each value."""

Deal = tuple[Hand, ...]
"""A hand for every kind of people."""


def deals(sizes: tuple[int, ...], room: Hand) -> Iterator[Deal]:
    """Yield all deals of as many values as there are people.

    Parameters
    ----------
    sizes
        How many people there are of each kind.
    room
        How often each value is there. The two have the same sum.

    Examples
    --------
    >>> list(deals((2, 5), (2, 5)))
    [((0, 2), (2, 3)), ((1, 1), (1, 4)), ((2, 0), (0, 5))]
    """
    if not sizes:
        yield ()
        return
    for hand in _hands(sizes[0], room):
        left = tuple(n - taken for n, taken in zip(room, hand, strict=True))
        for others in deals(sizes[1:], left):
            yield (hand, *others)


def free_deals(sizes: tuple[int, ...], n_values: int) -> Iterator[Deal]:
    """Yield all deals if every value is there as often as anybody likes.

    Examples
    --------
    >>> list(free_deals((2,), 2))
    [((0, 2),), ((1, 1),), ((2, 0),)]
    """
    if not sizes:
        yield ()
        return
    for hand in _hands(sizes[0], (sizes[0],) * n_values):
        for others in free_deals(sizes[1:], n_values):
            yield (hand, *others)


def count_deals(sizes: tuple[int, ...], room: Hand, most: int) -> int:
    """Count the deals; ``most + 1`` if there are more than ``most``.

    Every hand that can be dealt leaves a rest that can be dealt: if the first kinds alone have more
    than ``most`` hands between them, nothing more needs to be counted. O(most) for every kind.

    Examples
    --------
    >>> count_deals((2, 5), (2, 5), 100), count_deals((5, 5, 5), (5, 5, 5), 100)
    (3, 101)
    """
    left: Counter[Hand] = Counter({room: 1})
    for size in sizes:
        after: Counter[Hand] = Counter()
        steps = 0
        for state, n in left.items():
            for hand in _hands(size, state):
                steps += 1
                if steps > most:
                    return most + 1
                after[tuple(r - h for r, h in zip(state, hand, strict=True))] += n
        left = after
    return min(left.total(), most + 1)


def count_free_deals(sizes: tuple[int, ...], n_values: int) -> int:
    """Count the deals if every value is there as often as anybody likes.

    Examples
    --------
    >>> count_free_deals((2, 1), 2)
    6
    """
    return prod(comb(size + n_values - 1, n_values - 1) for size in sizes)


def ways(deal: Deal) -> int:
    """Count the ways to name the people who get each value.

    Examples
    --------
    >>> [ways(deal) for deal in deals((2, 5), (2, 5))]
    [10, 10, 1]
    """
    return prod(factorial(sum(hand)) // prod(map(factorial, hand)) for hand in deal)


def _hands(size: int, room: Hand) -> Iterator[Hand]:
    """Yield all hands of so many people that there is room for, in ascending order."""
    if len(room) == 1:
        yield (size,)
        return
    rest = sum(room[1:])
    for first in range(max(0, size - rest), min(size, room[0]) + 1):
        for others in _hands(size - first, room[1:]):
            yield (first, *others)
