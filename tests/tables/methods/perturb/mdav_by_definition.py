"""MDAV as it is published, and sums of squares: plain Python, no tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

Point = tuple[float, ...]


def gap(a: Sequence[float], b: Sequence[float]) -> float:
    """Give the square of a distance, added up from the first column on."""
    total = 0.0
    for x, y in zip(a, b, strict=True):
        # A power may be rounded in another way than a product.
        total += (x - y) * (x - y)
    return total


def mean(points: Sequence[Point]) -> Point:
    """Give the mean of points."""
    return tuple(sum(column) / len(points) for column in zip(*points, strict=True))


def squares(points: Sequence[Point]) -> float:
    """Add up the squared distances from the mean."""
    middle = mean(points)
    return sum(gap(p, middle) for p in points)


def mdav(points: Sequence[Point], k: int) -> list[list[int]]:
    """Group rows as the algorithm says; of rows that are as far, the first one is taken."""
    left = list(range(len(points)))
    groups = []

    def farthest(at: Point) -> int:
        return min(left, key=lambda row: (-gap(points[row], at), row))

    def group_around(row: int) -> None:
        others = sorted(
            (r for r in left if r != row), key=lambda r: (gap(points[r], points[row]), r)
        )
        group = sorted([row, *others[: k - 1]])
        groups.append(group)
        for r in group:
            left.remove(r)

    while len(left) >= 3 * k:
        one = farthest(mean([points[r] for r in left]))
        group_around(one)
        group_around(farthest(points[one]))
    if len(left) >= 2 * k:
        group_around(farthest(mean([points[r] for r in left])))
    if left:
        groups.append(list(left))
    return groups


def groupings(rows: list[int], k: int) -> Iterator[list[list[int]]]:
    """Yield every way to put rows into groups of at least k."""
    for blocks in _partitions(rows):
        if all(len(block) >= k for block in blocks):
            yield blocks


def _partitions(rows: list[int]) -> Iterator[list[list[int]]]:
    if not rows:
        yield []
        return
    first, rest = rows[0], rows[1:]
    for blocks in _partitions(rest):
        yield [[first], *blocks]
        for i in range(len(blocks)):
            yield [*blocks[:i], [first, *blocks[i]], *blocks[i + 1 :]]
