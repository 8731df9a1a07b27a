"""Microaggregation: small groups of near records, each shown as its mean.

Domingo-Ferrer and Mateo-Sanz, "Practical data-oriented microaggregation", 2002. Domingo-Ferrer and
Torra, "Ordinal, continuous and heterogeneous k-anonymity through microaggregation", 2005: algorithm
MDAV-generic. Hansen and Mukherjee, "A polynomial algorithm for optimal univariate
microaggregation", 2003. Aggarwal, Feder, Kenthapadi, Khuller, Panigrahy, Thomas and Zhu, "Achieving
anonymity via clustering", 2006: r-gather, (r,epsilon)-gather.

A point is a sequence of numbers; ties go to the record that comes first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations

from tests.witness.buckets import set_partitions

__all__ = [
    "Point",
    "gather_radius",
    "least_error",
    "least_error_of_any",
    "least_gather_radius",
    "mdav",
    "mean",
    "squared_distance",
    "within_error",
]

Number = Fraction | int | float
Point = Sequence[Number]
Part = list[int]


def mean(points: Sequence[Point]) -> list[Fraction]:
    """Give the mean of points, exactly."""
    return [Fraction(sum(map(Fraction, c)), len(points)) for c in zip(*points, strict=True)]


def squared_distance(a: Point, b: Point) -> Fraction:
    """Give the square of the distance of two points, exactly.

    >>> squared_distance([0, 1], [3, 5])
    Fraction(25, 1)
    """
    return sum(
        ((Fraction(x) - Fraction(y)) ** 2 for x, y in zip(a, b, strict=True)), start=Fraction(0)
    )


def within_error(points: Sequence[Point], parts: Sequence[Part]) -> Fraction:
    """Add up the squared distances of all points from the means of their groups (SSE)."""
    total = Fraction(0)
    for part in parts:
        centre = mean([points[i] for i in part])
        total += sum((squared_distance(points[i], centre) for i in part), start=Fraction(0))
    return total


def mdav(points: Sequence[Point], k: int) -> list[Part]:
    """Do the steps of maximum distance to average vector.

    While 3k records are left: find their mean, the record r farthest from it and the record s
    farthest from r; group r with its k - 1 nearest, then s with its k - 1 nearest. If 2k are left,
    group the record farthest from the mean with its k - 1 nearest. The others are the last group.

    >>> mdav([[0], [1], [2], [10], [11], [12], [30]], 2)
    [[6, 5], [0, 1], [2, 3, 4]]
    """
    left, found = list(range(len(points))), []

    def grouped(seed: int) -> Part:
        near = sorted(left, key=lambda i: (i != seed, squared_distance(points[i], points[seed]), i))
        for i in near[:k]:
            left.remove(i)
        return near[:k]

    def farthest(point: Point) -> int:
        return max(left, key=lambda i: (squared_distance(points[i], point), -i))

    while len(left) >= 3 * k:
        first = farthest(mean([points[i] for i in left]))
        second = farthest(points[first])
        found.append(grouped(first))
        if second not in left:
            second = farthest(points[first])
        found.append(grouped(second))
    if len(left) >= 2 * k:
        found.append(grouped(farthest(mean([points[i] for i in left]))))
    if left:
        found.append(left)
    return found


def least_error(values: Sequence[Number], k: int) -> Fraction | None:
    """Give the least error of groups of k or more numbers, over runs of the sorted numbers.

    Runs of 2k or more are never better than their halves, but all are tried here.

    >>> least_error([1, 2, 10, 11, 12], 2), least_error([1], 2)
    (Fraction(5, 2), None)
    """
    ordered = sorted(Fraction(value) for value in values)
    best: list[Fraction | None] = [Fraction(0)]
    for j in range(1, len(ordered) + 1):
        costs = []
        for i in range(j - k + 1):
            before = best[i]
            if before is not None:
                run = [[x] for x in ordered[i:j]]
                costs.append(before + within_error(run, [list(range(j - i))]))
        best.append(min(costs, default=None))
    return best[-1]


def least_error_of_any(points: Sequence[Point], k: int) -> Fraction | None:
    """Give the least error of groups of k or more points, by trying every partition."""
    sizes_fit = (
        parts for parts in set_partitions(len(points)) if all(len(part) >= k for part in parts)
    )
    return min((within_error(points, parts) for parts in sizes_fit), default=None)


def gather_radius(points: Sequence[Point], part: Part, *, anywhere: bool = False) -> Fraction:
    """Give the square of a cluster's radius around the best of its points, or of all points.

    >>> gather_radius([[0], [1], [3]], [0, 1, 2]), gather_radius([[0], [1], [3]], [0, 2])
    (Fraction(4, 1), Fraction(9, 1))
    >>> gather_radius([[0], [1], [3]], [0, 2], anywhere=True)
    Fraction(4, 1)
    """
    centres = range(len(points)) if anywhere else part
    return min(max(squared_distance(points[i], points[c]) for i in part) for c in centres)


def least_gather_radius(
    points: Sequence[Point], r: int, epsilon: Fraction | int = 0, *, anywhere: bool = False
) -> Fraction | None:
    """Give the square of the least largest radius of clusters of r or more points.

    At most ``floor(epsilon * n)`` points may be in no cluster. Everything is tried. None if there
    is no such clustering.

    >>> least_gather_radius([[0], [1], [2], [10], [11], [12], [99]], 3)
    Fraction(7569, 1)
    >>> least_gather_radius([[0], [1], [2], [10], [11], [12], [99]], 3, Fraction(3, 20))
    Fraction(1, 1)
    """
    radii = []
    for kept in _subsets(len(points), int(epsilon * len(points))):
        for parts in set_partitions(len(kept)):
            if parts and all(len(part) >= r for part in parts):
                clusters = [[kept[i] for i in part] for part in parts]
                radii.append(max(gather_radius(points, c, anywhere=anywhere) for c in clusters))
    return min(radii, default=None)


def _subsets(n: int, n_dropped: int) -> Iterator[list[int]]:
    for dropped in range(n_dropped + 1):
        yield from (list(kept) for kept in combinations(range(n), n - dropped))
