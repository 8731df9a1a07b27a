"""Points in space: histograms of cells, noise by density, and projections.

Chawla, Dwork, McSherry, Smith and Wee, "Toward privacy in public databases", TCC 2005: recursive
histogram, density-based perturbation and cross-training round sanitization. Oliveira and Zaiane,
"Privacy-preserving clustering to uphold business collaboration", 2007: DRBT. Achlioptas,
"Database-friendly random projections", 2003.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product

__all__ = [
    "Box",
    "cross_training_scales",
    "distances",
    "histogram",
    "histogram_faults",
    "holder",
    "neighbour_distance",
    "normalized",
    "projected",
    "sparse_second_moment",
    "stress",
]

Number = int | float | Fraction
Point = Sequence[Number]
Box = tuple[tuple[Fraction, Fraction], ...]


def histogram(
    points: Sequence[Point], space: Sequence[tuple[Number, Number]], t: int, depth: int = 30
) -> dict[Box, int]:
    """Halve space along all axes until no cell holds more than 2t points, and count.

    A cell holds its lower end and not its upper one, but for the last cell of the space. Points
    that no halving can part end at the given depth.

    >>> found = histogram([[0.5], [1.5], [2.5], [6.5]], [(0, 8)], 1)
    >>> [(int(box[0][0]), int(box[0][1]), n) for box, n in found.items()]
    [(0, 2, 2), (2, 4, 1), (4, 8, 1)]
    """
    whole: Box = tuple((Fraction(lo), Fraction(hi)) for lo, hi in space)
    todo, found = [(whole, depth)], {}
    while todo:
        box, left = todo.pop(0)
        inside = sum(holder([box], point, whole) is not None for point in points)
        if inside <= 2 * t or left == 0:
            found[box] = inside
            continue
        halves = [((lo, (lo + hi) / 2), ((lo + hi) / 2, hi)) for lo, hi in box]
        todo = [(smaller, left - 1) for smaller in product(*halves)] + todo
    return found


def holder(boxes: Sequence[Box], point: Point, space: Box) -> Box | None:
    """Give the cell that a point is in; None if there is none."""
    for box in boxes:
        if all(
            lo <= x < hi or x == hi == top
            for x, (lo, hi), (_, top) in zip(point, box, space, strict=True)
        ):
            return box
    return None


def histogram_faults(
    cells: Sequence[tuple[Sequence[tuple[Number, Number]], int]],
    points: Sequence[Point],
    t: int,
    *,
    empty_cells: bool = True,
) -> list[str]:
    """Say what is wrong with published cells and counts, whichever way space was divided.

    No two cells overlap, every point is in a cell, counts are true, and none is above 2t.

    >>> histogram_faults([([(0, 2)], 2), ([(2, 4)], 1)], [[0], [1], [2]], 1)
    []
    >>> histogram_faults([([(0, 3)], 2), ([(2, 4)], 1)], [[0], [1], [2]], 1)
    ['two cells overlap', 'a count is wrong']
    """
    faults = []
    boxes = [tuple((Fraction(lo), Fraction(hi)) for lo, hi in box) for box, _ in cells]
    overlap = any(
        all(a_lo < b_hi and b_lo < a_hi for (a_lo, a_hi), (b_lo, b_hi) in zip(a, b, strict=True))
        for a, b in combinations(boxes, 2)
    )
    if overlap:
        faults.append("two cells overlap")
    tops = tuple((Fraction(0), max(box[i][1] for box in boxes)) for i in range(len(boxes[0])))
    counts = [sum(holder([box], p, tops) is not None for p in points) for box in boxes]
    if counts != [n for _, n in cells]:
        faults.append("a count is wrong")
    if any(holder(boxes, point, tops) is None for point in points):
        faults.append("a point is in no cell")
    if any(n > 2 * t for _, n in cells):
        faults.append("a cell holds too much")
    if not empty_cells and 0 in counts:
        faults.append("an empty cell is told")
    return faults


def neighbour_distance(points: Sequence[Point], i: int, t: int) -> float:
    """Give the distance of a point from its t-th nearest other point.

    >>> neighbour_distance([[0], [1], [3], [9]], 0, 2)
    3.0
    """
    others = sorted(math.dist(points[i], p) for j, p in enumerate(points) if j != i)
    return others[t - 1]


def cross_training_scales(
    points: Sequence[Point], cells: Sequence[Box], space: Box
) -> list[tuple[Fraction, ...] | None]:
    """Give the scale of the noise of every point on every axis: the side of the cell it is in.

    The cells are those of the other half of the data, so that the noise of a point tells nothing of
    its neighbours in its own half. None for a point that is in no cell.

    >>> cells = [((Fraction(0), Fraction(2)),), ((Fraction(2), Fraction(3)),)]
    >>> found = cross_training_scales([[1], [2], [9]], cells, ((Fraction(0), Fraction(3)),))
    >>> [scale and int(scale[0]) for scale in found]
    [2, 1, None]
    """
    boxes = [holder(cells, point, space) for point in points]
    return [None if box is None else tuple(hi - lo for lo, hi in box) for box in boxes]


def projected(points: Sequence[Point], matrix: Sequence[Sequence[Number]]) -> list[list[Number]]:
    """Multiply the records (n x m) by a matrix (m x r).

    >>> projected([[1, 2], [0, 3]], [[1], [10]])
    [[21], [30]]
    """
    return [
        [sum(x * row[j] for x, row in zip(p, matrix, strict=True)) for j in range(len(matrix[0]))]
        for p in points
    ]


def normalized(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """Divide every column by its length.

    >>> normalized([[3.0, 0.0], [4.0, 2.0]])
    [[0.6, 0.0], [0.8, 1.0]]
    """
    lengths = [math.hypot(*column) for column in zip(*matrix, strict=True)]
    return [[x / length for x, length in zip(row, lengths, strict=True)] for row in matrix]


def distances(points: Sequence[Point], factor: float = 1.0) -> list[float]:
    """List the distances of all pairs of points, times a factor."""
    return [factor * math.dist(a, b) for a, b in combinations(points, 2)]


def stress(before: Sequence[float], after: Sequence[float]) -> float:
    """Compare distances: the sum of squared changes over the sum of squares before (Eq. 7.8).

    >>> stress([3.0, 4.0], [3.0, 4.0]), stress([3.0, 4.0], [0.0, 0.0])
    (0.0, 1.0)
    """
    changes = sum((x - y) ** 2 for x, y in zip(before, after, strict=True))
    return changes / sum(x**2 for x in before)


def sparse_second_moment(point: Sequence[Fraction | int]) -> Fraction:
    """Give the expected square of the product of a record and a sparse column, by enumeration.

    Entries are sqrt(3) times 1, 0 or -1, with probabilities 1/6, 2/3 and 1/6. The result is the
    square of the record's length, so that distances need the factor 1/sqrt(r).

    >>> sparse_second_moment([3, 4])
    Fraction(25, 1)
    """
    chances = {1: Fraction(1, 6), 0: Fraction(2, 3), -1: Fraction(1, 6)}
    total = Fraction(0)
    for signs in product(chances, repeat=len(point)):
        chance = math.prod((chances[s] for s in signs), start=Fraction(1))
        total += chance * 3 * Fraction(sum(s * x for s, x in zip(signs, point, strict=True))) ** 2
    return total
