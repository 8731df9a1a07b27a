"""Long sums of simple terms: the first ones added up, the rest after Euler and Maclaurin."""

from __future__ import annotations

import math

import numpy as np

from unlinkable.typing import CountArray, FloatArray

__all__ = ["sum_inverses", "sum_logs", "sum_squares"]

_HEAD = 40
"""So many terms are added one by one; for the rest the formula is off by less than 1e-12."""


def sum_inverses(x: float, n: CountArray) -> FloatArray:
    """Add up 1 / (x + i) for i from 1 to n - 1.

    Examples
    --------
    >>> sum_inverses(0.0, np.array([1, 3, 101])).round(9).tolist()
    [0.0, 1.5, 5.187377518]
    """
    head, a, b = _split(x, n)
    edges = (1 / a + 1 / b) / 2 + (a**-2 - b**-2) / 12 - (a**-4 - b**-4) / 120
    return _total(1 / head, np.log1p((b - a) / a) + edges, n)


def sum_squares(x: float, n: CountArray) -> FloatArray:
    """Add up 1 / (x + i) ** 2 for i from 1 to n - 1.

    Examples
    --------
    >>> sum_squares(0.0, np.array([1, 3, 101])).round(9).tolist()
    [0.0, 1.25, 1.6349839]
    """
    head, a, b = _split(x, n)
    edges = (a**-2 + b**-2) / 2 + (a**-3 - b**-3) / 6 - (a**-5 - b**-5) / 30
    return _total(head**-2, (b - a) / (a * b) + edges, n)


def sum_logs(x: float, n: CountArray) -> FloatArray:
    """Add up log(x + i) for i from 1 to n - 1.

    Examples
    --------
    >>> float(np.exp(sum_logs(0.0, np.array([6])))[0].round(9))
    120.0
    """
    head, a, b = _split(x, n)
    inside = (b - a) * (math.log(a) - 1) + b * np.log1p((b - a) / a)
    edges = (math.log(a) + np.log(b)) / 2 + (1 / b - 1 / a) / 12 - (b**-3 - a**-3) / 360
    return _total(np.log(head), inside + edges, n)


def _split(x: float, n: CountArray) -> tuple[FloatArray, float, FloatArray]:
    """Give what the first terms are made of, and the ends of what the others are."""
    n_head = min(int(n.max(initial=1)) - 1, _HEAD)
    first = x + _HEAD + 1
    return x + np.arange(1.0, n_head + 1), first, np.maximum(x + n - 1, first)


def _total(head: FloatArray, rest: FloatArray, n: CountArray) -> FloatArray:
    first = np.append(0.0, np.cumsum(head))[np.minimum(n - 1, _HEAD)]
    total: FloatArray = first + np.where(n - 1 > _HEAD, rest, 0.0)
    return total
