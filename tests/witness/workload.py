"""Regions for a workload: how well the parts of a region tell a target, and which cuts are best.

Fung, Wang, Fu and Yu, "Introduction to Privacy-Preserving Data Publishing", 2010: section 6.4.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence
from fractions import Fraction

from tests.witness.classes import class_entropy
from tests.witness.regions import Point

__all__ = ["Region", "entropy_of_parts", "error_of_parts", "is_reachable", "least_cuts"]

Region = frozenset[int]
"""Positions of records."""


def entropy_of_parts(parts: Sequence[Sequence[Hashable]]) -> float:
    """Entropy(P, C), equation 6.4: the entropy of the classes of the parts, by their sizes.

    >>> round(entropy_of_parts(["Y" * 10 + "N" * 2, "N" * 12]), 6)
    0.325011
    """
    n = sum(map(len, parts))
    return sum(len(part) / n * class_entropy(part) for part in parts)


def error_of_parts(parts: Sequence[Sequence[Fraction | int]]) -> Fraction:
    """Error^2(P, Z), equation 6.5: squared deviations from the means of the parts, added up.

    >>> int(error_of_parts([[10, 12, 14], [30, 34]])), int(error_of_parts([[10, 12, 14, 30, 34]]))
    (16, 496)
    """
    total = Fraction(0)
    for part in parts:
        mean = Fraction(sum(part), len(part))
        total += sum(((value - mean) ** 2 for value in part), Fraction(0))
    return total


def least_cuts(
    region: Region,
    points: Sequence[Point],
    keeps: Callable[[Region], bool],
    loss: Callable[[Region, Region], float | Fraction],
) -> list[tuple[Region, Region]]:
    """Give the cuts between two codes of an axis with good halves that lose least, ties included.

    >>> points = [(0,), (1,), (2,), (3,)]
    >>> uneven = lambda a, b: abs(len(a) - len(b))
    >>> cuts = least_cuts(frozenset(range(4)), points, lambda half: len(half) >= 1, uneven)
    >>> [[sorted(half) for half in cut] for cut in cuts]
    [[[0, 1], [2, 3]]]
    """
    found: list[tuple[float | Fraction, tuple[Region, Region]]] = []
    for axis in range(len(points[0]) if points else 0):
        for code in sorted({points[i][axis] for i in region})[1:]:
            low = frozenset(i for i in region if points[i][axis] < code)
            high = region - low
            if keeps(low) and keeps(high):
                found.append((loss(low, high), (low, high)))
    least = min((lost for lost, _ in found), default=0)
    return [cut for lost, cut in found if lost <= least + 1e-9]


def is_reachable(
    final: Collection[Region],
    points: Sequence[Point],
    keeps: Callable[[Region], bool],
    loss: Callable[[Region, Region], float | Fraction],
    region: Region | None = None,
) -> bool:
    """Whether always making a best cut can end in these regions, whatever is done about ties.

    >>> points = [(0,), (1,), (2,), (3,)]
    >>> halves = [frozenset([0, 1]), frozenset([2, 3])]
    >>> two = lambda half: len(half) >= 2
    >>> is_reachable(halves, points, two, lambda a, b: 0), is_reachable(
    ...     [frozenset(range(4))], points, two, lambda a, b: 0)
    (True, False)
    """
    region = frozenset(range(len(points))) if region is None else region
    cuts = least_cuts(region, points, keeps, loss)
    if region in final:
        return not cuts
    return any(
        all(is_reachable(final, points, keeps, loss, half) for half in cut)
        for cut in cuts
        if all(any(part <= half for half in cut) for part in final if part <= region)
    )
