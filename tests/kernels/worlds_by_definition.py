"""What the kernels of possible worlds must give, in plain Python: every world one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb, prod

__all__ = ["credibilities", "joint_chances", "value_chances"]

Matrix = Sequence[Sequence[Fraction]]


def value_chances(shares: Sequence[Fraction], sizes: Sequence[int], f: int) -> list[Fraction]:
    """Give how likely people of each kind have a value that f have; nothing if there is no world.

    ``shares`` is how likely they are to have it before.
    """
    people = [i for i, n in enumerate(sizes) for _ in range(n)]
    weights = {
        world: prod(
            (shares[i] if at in world else 1 - shares[i] for at, i in enumerate(people)),
            start=Fraction(1),
        )
        for world in combinations(range(len(people)), f)
    }
    total = sum(weights.values())
    first = [people.index(i) for i in range(len(sizes))]
    return [sum(w for world, w in weights.items() if at in world) / total for at in first if total]


def joint_chances(weights: Matrix, sizes: Sequence[int], room: Sequence[int]) -> Matrix:
    """Give how likely people of each kind have each value; nothing if there is no world."""
    people = [i for i, n in enumerate(sizes) for _ in range(n)]
    total, have = Fraction(0), [[Fraction(0)] * len(room) for _ in sizes]
    for world in set(permutations([x for x, n in enumerate(room) for _ in range(n)])):
        weight = prod(
            (weights[i][x] for i, x in zip(people, world, strict=True)), start=Fraction(1)
        )
        total += weight
        for i, x in zip(people, world, strict=True):
            have[i][x] += weight / sizes[i]
    return [[x / total for x in row] for row in have] if total else []


def credibilities(sizes: Sequence[int], caps: Sequence[int], j: int) -> list[Fraction]:
    """Give how likely people of each part have a value that j have, if some part is above its cap.

    Nothing if none can be.
    """
    total, have = 0, [0] * len(sizes)
    for world in _allocations(sizes, j):
        if any(k > cap for k, cap in zip(world, caps, strict=True)):
            ways = prod(comb(n, k) for n, k in zip(sizes, world, strict=True))
            total += ways
            have = [a + ways * k for a, k in zip(have, world, strict=True)]
    return [Fraction(a, total * n) for a, n in zip(have, sizes, strict=True)] if total else []


def _allocations(sizes: Sequence[int], j: int) -> Iterator[tuple[int, ...]]:
    return (w for w in product(*(range(n + 1) for n in sizes)) if sum(w) == j)
