"""Entropy: how evenly the values of a group are spread.

Counts come as CSR rows: ``counts[indptr[g]:indptr[g + 1]]`` are the counts of group ``g``.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.typing import CountArray, FloatArray

__all__ = ["entropies", "sum_largest"]

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
