"""What a strict multidimensional partition must satisfy, and when it cannot go on.

A point is a tuple of codes. A box has a half-open range ``(lo, hi)`` for every axis.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

__all__ = ["Box", "Point", "can_be_halved", "is_strict_partition", "valid_cuts"]

Point = tuple[int, ...]
Box = Sequence[tuple[int, int]]


def is_strict_partition(boxes: Sequence[Box], points: Sequence[Point]) -> bool:
    """Whether the boxes are disjoint, hold all points, and none is larger than its points.

    >>> is_strict_partition([[(0, 2)], [(5, 6)]], [(0,), (1,), (5,)])
    True
    >>> is_strict_partition([[(0, 3)], [(5, 6)]], [(0,), (1,), (5,)])
    False
    """
    disjoint = all(
        any(a_hi <= b_lo or b_hi <= a_lo for (a_lo, a_hi), (b_lo, b_hi) in zip(a, b, strict=True))
        for a, b in combinations(boxes, 2)
    )
    covering = all(any(_holds(box, point) for box in boxes) for point in points)
    return disjoint and covering and all(_is_tight(box, points) for box in boxes)


def valid_cuts(
    points: Sequence[Point], keeps: Callable[[Sequence[int]], bool]
) -> list[tuple[int, int]]:
    """Give every cut ``(axis, code)`` into below and not below the code with two good halves.

    ``keeps`` judges a half, given the positions of its points. Equal codes stay together.
    """
    found = []
    for axis in range(len(points[0]) if points else 0):
        for code in sorted({point[axis] for point in points})[1:]:
            low = [i for i, point in enumerate(points) if point[axis] < code]
            high = [i for i, point in enumerate(points) if point[axis] >= code]
            if keeps(low) and keeps(high):
                found.append((axis, code))
    return found


def can_be_halved(points: Sequence[Point], keeps: Callable[[Sequence[int]], bool]) -> bool:
    """Whether any axis-parallel cut leaves two good halves.

    >>> can_be_halved([(0,), (0,), (1,), (2,)], lambda half: len(half) >= 2)
    True
    >>> can_be_halved([(0,), (1,), (1,), (1,)], lambda half: len(half) >= 2)
    False
    """
    return bool(valid_cuts(points, keeps))


def _holds(box: Box, point: Point) -> bool:
    return all(lo <= code < hi for (lo, hi), code in zip(box, point, strict=True))


def _is_tight(box: Box, points: Sequence[Point]) -> bool:
    inside = [point for point in points if _holds(box, point)]
    return bool(inside) and all(
        lo == min(codes) and hi == max(codes) + 1
        for (lo, hi), codes in zip(box, zip(*inside, strict=True), strict=True)
    )
