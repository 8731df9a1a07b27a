"""Dealing: in how many ways people of several kinds can share out what is there.

A *deal* says how many people of each kind get each value. It is a table of counts whose rows add up
to the numbers of people and whose columns add up to how often each value is there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import comb, factorial, prod

__all__ = ["Deal", "Hand", "count_deals", "count_free_deals", "deals", "free_deals", "ways"]

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
