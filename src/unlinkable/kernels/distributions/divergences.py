"""Divergences, entropies and gains of the values of groups."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = [
    "entropies",
    "extremes",
    "extremes_of_any_size",
    "relative_entropies",
    "squared_hellinger",
    "sum_largest",
]

Amounts = NDArray[Any]


@njit(cache=True, nogil=True)
def relative_entropies(
    indptr: CountArray,
    values: CodeArray,
    counts: CountArray,
    sizes: CountArray,
    whole: CountArray,
    totals: CountArray,
    which: CodeArray,
) -> FloatArray:
    """Compute sum p log(p / q) of every group, in nats. O(s) for s entries.

    Infinite where a value of the group does not occur in the reference. A quotient of equal shares
    is exactly 1: groups with the distribution of the reference are at exactly 0.
    """
    out = np.zeros(sizes.size, np.float64)
    for g in range(sizes.size):
        there, total, n = whole[which[g]], totals[which[g]], sizes[g]
        gain = 0.0
        for j in range(indptr[g], indptr[g + 1]):
            p, q = counts[j] / n, there[values[j]] / total
            gain += p * np.log(p / q) if q > 0 else np.inf
        out[g] = gain
    return out


@njit(cache=True, nogil=True)
def squared_hellinger(
    indptr: CountArray,
    values: CodeArray,
    counts: Amounts,
    sizes: Amounts,
    whole: Amounts,
    totals: Amounts,
    which: CodeArray,
) -> FloatArray:
    """Compute 1 - sum sqrt(p q) of every group, accurately also where it is small.

    O(s) for s entries. It is half the sum of (sqrt p - sqrt q)^2, in which sqrt p - sqrt q is
    (p - q) / (sqrt p + sqrt q), and p - q a quotient of integers. Values that the group lacks add
    q.
    """
    out = np.zeros(sizes.size, np.float64)
    for g in range(sizes.size):
        there, total, n = whole[which[g]], totals[which[g]], sizes[g]
        absent, twice = total, 0.0
        for j in range(indptr[g], indptr[g + 1]):
            w = there[values[j]]
            absent -= w
            # The numerator is an exact integer: it does not cancel, as 1 - sum sqrt(p q) would near
            # 0.
            excess = (counts[j] * total - w * n) / (float(n) * total)
            roots = np.sqrt(counts[j] / n) + np.sqrt(w / total)
            twice += (excess / roots) ** 2
        if n > 0:
            # What is left of the total belongs to values that the group lacks, where p is 0.
            out[g] = (twice + absent / total) / 2
    return out


_X_LOG_X = np.arange(256) * np.log(np.maximum(np.arange(256), 1))
"""Most counts are small: for these the logarithm is looked up."""


@njit(cache=True, nogil=True)
def entropies(indptr: CountArray, counts: CountArray) -> FloatArray:
    """Compute the entropy of every row, in nats; 0 for an empty row. O(s) for s entries.

    It is log n - (sum c log c) / n for counts c with sum n.
    """
    out = np.zeros(indptr.size - 1, np.float64)
    for g in range(out.size):
        n = 0
        total = 0.0
        for j in range(indptr[g], indptr[g + 1]):
            c = counts[j]
            n += c
            total += _X_LOG_X[c] if c < _X_LOG_X.size else c * np.log(c)
        if n > 1:
            out[g] = np.log(n) - total / n
    return out


@njit(cache=True, nogil=True)
def sum_largest(indptr: CountArray, counts: CountArray, how_many: int) -> CountArray:
    """Add up the largest counts of every row. O(s) for a few, O(s k) at worst for the k largest.

    The largest so far are kept in rising order; a count larger than the first is inserted.
    """
    out = np.zeros(indptr.size - 1, np.int64)
    if how_many <= 0:
        return out
    largest = np.zeros(how_many, np.int64)
    for g in range(out.size):
        first, end = indptr[g], indptr[g + 1]
        if end - first <= how_many:
            for j in range(first, end):
                out[g] += counts[j]
            continue
        largest[:] = 0
        for j in range(first, end):
            c = counts[j]
            # ``largest[0]`` is the least of those kept. It is dropped, smaller ones move down, and
            # the new count takes the place that becomes free.
            if c > largest[0]:
                place = 1
                while place < how_many and largest[place] < c:
                    largest[place - 1] = largest[place]
                    place += 1
                largest[place - 1] = c
        for k in range(how_many):
            out[g] += largest[k]
    return out


def extremes_of_any_size(
    indptr: CountArray, values: CodeArray, counts: Amounts, whole: Amounts
) -> tuple[CountArray, CountArray]:
    """Find the entries of each group with the least and the greatest count / whole.

    -1 for an empty group. O(s) for s entries. Products of two counts must fit the number type.
    """
    low = np.full(indptr.size - 1, -1, np.int64)
    high = low.copy()
    for g in range(low.size):
        for j in range(indptr[g], indptr[g + 1]):
            c, w = counts[j], whole[values[j]]
            # Quotients are compared crosswise, c / w < c' / w' as c w' < c' w, which is exact for
            # integers.
            if low[g] < 0 or c * whole[values[low[g]]] < counts[low[g]] * w:
                low[g] = j
            if high[g] < 0 or c * whole[values[high[g]]] > counts[high[g]] * w:
                high[g] = j
    return low, high


extremes = njit(cache=True, nogil=True)(extremes_of_any_size)
"""`extremes_of_any_size`, compiled for 64-bit integers."""
