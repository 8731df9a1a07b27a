"""Chances over possible worlds as fractions, for what floats cannot decide."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import comb, factorial, lcm, prod

__all__ = ["credibility", "joint_chance", "value_chance"]

_MOST_STEPS = 1 << 18
"""So many products of whole numbers are computed for one chance at most."""

Row = tuple[Fraction, ...]
States = dict[tuple[int, ...], int]


@lru_cache(maxsize=1 << 14)
def value_chance(people: tuple[tuple[Fraction, int], ...], f: int) -> Fraction | None:
    """Compute how likely the likeliest person has a value that f of all people have.

    People come as how likely they have it beforehand, each once, and how many are as likely. None
    if it takes too long.

    Examples
    --------
    >>> value_chance(((Fraction(1, 10), 1), (Fraction(3, 1000), 1)), 1)
    Fraction(997, 1024)
    """
    if sum(n for _, n in people) * f > _MOST_STEPS:
        return None
    top = max(p for p, _ in people)
    ways = [1] + [0] * f
    for p, n in people:
        have, lack = p.numerator, p.denominator - p.numerator
        for _ in range(n - (p == top)):
            for k in range(f, 0, -1):
                ways[k] = lack * ways[k] + have * ways[k - 1]
            ways[0] *= lack
    inside = top.numerator * ways[f - 1]
    return Fraction(inside, inside + (top.denominator - top.numerator) * ways[f])


@lru_cache(maxsize=1 << 14)
def joint_chance(
    weights: tuple[Row, ...], n_each: tuple[int, ...], room: tuple[int, ...], place: int
) -> Fraction | None:
    """Compute how likely the likeliest person has the value ``place``, of all values at once.

    ``weights[i]`` is how likely people of kind i have each value, ``n_each`` how many there are of
    each kind, ``room`` how many people have each value. None if it takes too long.

    Examples
    --------
    >>> half, third = Fraction(1, 2), Fraction(1, 3)
    >>> joint_chance(((half, half), (third, 1 - third)), (1, 1), (1, 1), 0)
    Fraction(2, 3)
    """
    states = min(prod(n + 1 for n in room), prod(n + 1 for n in n_each))
    if states * len(room) * len(n_each) ** 2 > _MOST_STEPS:
        return None
    # A common factor of all weights of a kind changes nothing.
    scales = [lcm(*(w.denominator for w in row)) for row in weights]
    whole = [[int(w * scale) for w in row] for row, scale in zip(weights, scales, strict=True)]
    total, left = _weight(whole, n_each, room), _one_less(room, place)
    return max(
        row[place] * _weight(whole, _one_less(n_each, i), left) / (total * n)
        for i, (row, n) in enumerate(zip(whole, n_each, strict=True))
    )


@lru_cache(maxsize=1 << 14)
def credibility(sizes: tuple[int, ...], h: Fraction, j: int) -> Fraction | None:
    """Compute how likely the likeliest person has a value that j people have.

    People are in parts of these ``sizes``, at least one of which has a share of the value above h,
    if that can be. None if it takes too long.

    Examples
    --------
    >>> credibility((2, 5), Fraction(3, 5), 2), credibility((2, 5), Fraction(1), 2)
    (Fraction(1, 1), Fraction(2, 7))
    """
    if sum(sizes) * j * len(set(sizes)) > _MOST_STEPS:
        return None
    total = comb(sum(sizes), j) - _calm_ways(sizes, h, j)[j]
    if not total:
        return Fraction(j, sum(sizes))
    return max(_torn_worlds_with(sizes, size, h, j) / total for size in set(sizes))


def _torn_worlds_with(sizes: tuple[int, ...], size: int, h: Fraction, j: int) -> Fraction:
    """Count the worlds that must be merged, and in which somebody of a part has the value."""
    others = list(sizes)
    others.remove(size)
    calm = _calm_ways(tuple(others), h, j)
    within = sum(comb(size - 1, k - 1) * calm[j - k] for k in range(1, min(int(h * size), j) + 1))
    return Fraction(comb(sum(sizes) - 1, j - 1) - within)


def _calm_ways(sizes: tuple[int, ...], h: Fraction, j: int) -> list[int]:
    """Count by how many people have the value the worlds in which no share is above h."""
    ways = [1] + [0] * j
    for size in sizes:
        own = [comb(size, k) for k in range(min(int(h * size), j) + 1)]
        ways = [
            sum(c * ways[total - k] for k, c in enumerate(own) if k <= total)
            for total in range(j + 1)
        ]
    return ways


def _one_less(counts: tuple[int, ...], at: int) -> tuple[int, ...]:
    return tuple(n - (i == at) for i, n in enumerate(counts))


def _weight(weights: list[list[int]], n_each: tuple[int, ...], room: tuple[int, ...]) -> Fraction:
    """Add up the weights of all tables of how many people of each kind have each value.

    A table with counts a weighs the product of all w^a / a!. People choose values, or values choose
    people, whichever takes fewer states; a table then stands for as many worlds as those who choose
    can be told apart.
    """
    if prod(n + 1 for n in room) > prod(n + 1 for n in n_each):
        weights = [list(column) for column in zip(*weights, strict=True)]
        n_each, room = room, n_each
    ways = {(0,) * len(room): 1}
    for row, n in zip(weights, n_each, strict=True):
        for _ in range(n):
            ways = _choose(ways, row, room)
    return Fraction(ways.get(room, 0), prod(map(factorial, n_each)))


def _choose(ways: States, row: list[int], room: tuple[int, ...]) -> States:
    """Let one more choose where there is room."""
    out: States = {}
    for full, weight in ways.items():
        for d, (chance, n) in enumerate(zip(row, full, strict=True)):
            if chance and n < room[d]:
                state = (*full[:d], n + 1, *full[d + 1 :])
                out[state] = out.get(state, 0) + weight * chance
    return out
