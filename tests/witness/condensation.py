"""Condensation: groups known by sums alone, and records made up from them.

Aggarwal and Yu, "A condensation approach to privacy preserving data mining", EDBT 2004; Aggarwal,
"Data mining: the textbook", 2015, equations 20.6 to 20.9.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Condensed", "condense", "eigen", "join", "pooled", "spans", "split"]

Vector = list[float]
Matrix = list[list[float]]


@dataclass(frozen=True)
class Condensed:
    """A group: its size r, the sums Sum(i) and the sums of products Sum(i, j)."""

    r: int
    sums: Vector
    products: Matrix

    @property
    def mean(self) -> Vector:
        """Sum(i) / r."""
        return [total / self.r for total in self.sums]

    @property
    def covariance(self) -> Matrix:
        """Equation 20.6: Sum(i, j) / r - Sum(i) Sum(j) / r^2."""
        return [
            [
                self.products[i][j] / self.r - self.sums[i] * self.sums[j] / self.r**2
                for j in range(len(self.sums))
            ]
            for i in range(len(self.sums))
        ]


def condense(points: Sequence[Sequence[float]]) -> Condensed:
    """Count a group of points.

    >>> condense([[1, 2], [3, 4], [5, 9]])
    Condensed(r=3, sums=[9, 15], products=[[35, 59], [59, 101]])
    """
    d = range(len(points[0]))
    return Condensed(
        len(points),
        [sum(p[i] for p in points) for i in d],
        [[sum(p[i] * p[j] for p in points) for j in d] for i in d],
    )


def pooled(a: Condensed, b: Condensed) -> Condensed:
    """Put two groups together: everything adds up."""
    return Condensed(
        a.r + b.r,
        [x + y for x, y in zip(a.sums, b.sums, strict=True)],
        [
            [x + y for x, y in zip(p, q, strict=True)]
            for p, q in zip(a.products, b.products, strict=True)
        ],
    )


def split(group: Condensed) -> tuple[Condensed, Condensed]:
    """Split a group in halves along its longest direction, as if it were spread evenly there.

    With the largest eigenvalue l, its eigenvector e and R = sqrt(12 l), the means are mean - e R/4
    and mean + e R/4 (20.7); the eigenvectors stay, the largest eigenvalue becomes l/4 (20.8); the
    sums follow from mean and covariance (20.9).

    >>> a, b = split(condense([[0.0], [2.0], [4.0], [6.0]]))
    >>> a.r, round(a.mean[0], 4), round(b.mean[0], 4), round(a.covariance[0][0], 4)
    (2, 1.0635, 4.9365, 1.25)
    """
    k, d = group.r // 2, range(len(group.sums))
    values, vectors = eigen(group.covariance)
    largest = max(range(len(values)), key=lambda j: values[j])
    step = math.sqrt(12 * max(values[largest], 0.0)) / 4
    smaller = [value / 4 if j == largest else value for j, value in enumerate(values)]
    covariance = [
        [sum(vectors[c][i] * smaller[c] * vectors[c][j] for c in d) for j in d] for i in d
    ]

    def half(sign: int) -> Condensed:
        at = [m + sign * step * vectors[largest][i] for i, m in enumerate(group.mean)]
        return Condensed(
            k,
            [k * m for m in at],
            [[k * (covariance[i][j] + at[i] * at[j]) for j in d] for i in d],
        )

    return half(-1), half(1)


def join(groups: Sequence[Condensed], point: Sequence[float], k: int) -> list[Condensed]:
    """Let a point join the group of the nearest mean, which is split when it has 2k records.

    >>> groups = join([condense([[0.0], [1.0]]), condense([[10.0], [11.0], [12.0]])], [13.0], 2)
    >>> [group.r for group in groups]
    [2, 2, 2]
    """
    nearest = min(range(len(groups)), key=lambda g: math.dist(groups[g].mean, point))
    grown = pooled(groups[nearest], condense([point]))
    new = list(split(grown)) if grown.r == 2 * k else [grown]
    return [*groups[:nearest], *new, *groups[nearest + 1 :]]


def spans(group: Condensed) -> list[tuple[Vector, float]]:
    """Give the directions in which records are made up, each with the range sqrt(12 eigenvalue)."""
    values, vectors = eigen(group.covariance)
    return [(e, math.sqrt(12 * max(v, 0.0))) for v, e in zip(values, vectors, strict=True)]


def eigen(matrix: Sequence[Sequence[float]]) -> tuple[Vector, list[Vector]]:
    """Give eigenvalues and unit eigenvectors of a symmetric matrix, by rotations of Jacobi.

    >>> values, vectors = eigen([[2.0, 1.0], [1.0, 2.0]])
    >>> sorted(round(v, 12) for v in values)
    [1.0, 3.0]
    """
    d = len(matrix)
    a = [list(map(float, row)) for row in matrix]
    v = [[float(i == j) for j in range(d)] for i in range(d)]
    for _ in range(100):
        for p in range(d):
            for q in range(p + 1, d):
                if a[p][q] == 0:
                    continue
                angle = 0.5 * math.atan2(2 * a[p][q], a[q][q] - a[p][p])
                c, s = math.cos(angle), math.sin(angle)
                for rows in (a, v):
                    for row in rows:
                        row[p], row[q] = c * row[p] - s * row[q], s * row[p] + c * row[q]
                a[p], a[q] = (
                    [c * x - s * y for x, y in zip(a[p], a[q], strict=True)],
                    [s * x + c * y for x, y in zip(a[p], a[q], strict=True)],
                )
    return [a[i][i] for i in range(d)], [[v[i][j] for i in range(d)] for j in range(d)]
