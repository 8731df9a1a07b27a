"""Information gain: how much rows of counts reveal beyond the rows that they are parts of.

Counts come as CSR rows: ``counts[indptr[g]:indptr[g + 1]]`` are the counts of row ``g``, above 0,
and ``values`` says beside them what is counted, rising.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["bits_told"]


@njit(cache=True, nogil=True)
def bits_told(
    indptr: CountArray,
    values: CodeArray,
    counts: CountArray,
    whole_of: CodeArray,
    whole_indptr: CountArray,
    whole_values: CodeArray,
    whole_counts: CountArray,
) -> FloatArray:
    """Add up log2(p / q) over the records of every row; 0 where ``whole_of`` is -1.

    p is the share of the record's value in its row, and q its share in row ``whole_of[g]`` of the
    wholes, which has all values that the row has. A quotient of equal shares is exactly 1: a row
    with the same shares as its whole reveals exactly 0, and no row less. O(s log w) for s entries
    and wholes of w values.
    """
    totals = np.zeros(whole_indptr.size - 1, np.int64)
    for w in range(totals.size):
        for j in range(whole_indptr[w], whole_indptr[w + 1]):
            totals[w] += whole_counts[j]
    out = np.zeros(indptr.size - 1, np.float64)
    for g in range(out.size):
        w = whole_of[g]
        if w < 0:
            continue
        n = 0
        for j in range(indptr[g], indptr[g + 1]):
            n += counts[j]
        at = whole_indptr[w]
        told = 0.0
        for j in range(indptr[g], indptr[g + 1]):
            # Both rows rise, so the search continues from where the last value was found.
            high = whole_indptr[w + 1]
            while at < high:
                middle = (at + high) // 2
                if whole_values[middle] < values[j]:
                    at = middle + 1
                else:
                    high = middle
            p, q = counts[j] / n, whole_counts[at] / totals[w]
            told += counts[j] * np.log2(p / q)
        # The sum is a relative entropy and cannot be negative; rounding can make it so.
        out[g] = max(told, 0.0)
    return out
