"""How evenly the values of a group are spread.

Counts come as CSR rows: ``counts[indptr[g]:indptr[g + 1]]`` are the counts of group ``g``.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.typing import CountArray, FloatArray

__all__ = ["entropies", "sum_largest"]


@njit(cache=True, nogil=True)
def entropies(indptr: CountArray, counts: CountArray) -> FloatArray:
    """Compute the entropy of every row, in nats; 0 for an empty row. O(s) for s entries.

    log n - (sum c log c) / n. Single records, which most rows are full of, take no logarithm.
    """
    out = np.zeros(indptr.size - 1, np.float64)
    for g in range(out.size):
        n = 0
        total = 0.0
        for j in range(indptr[g], indptr[g + 1]):
            c = counts[j]
            n += c
            if c > 1:
                total += c * np.log(c)
        if n > 1:
            out[g] = np.log(n) - total / n
    return out


@njit(cache=True, nogil=True)
def sum_largest(indptr: CountArray, counts: CountArray, how_many: int) -> CountArray:
    """Add up the largest counts of every row. O(s log s) for s entries."""
    out = np.zeros(indptr.size - 1, np.int64)
    for g in range(out.size):
        first, end = indptr[g], indptr[g + 1]
        if how_many == 1:
            for j in range(first, end):
                out[g] = max(out[g], counts[j])
        elif end - first <= how_many:
            out[g] = counts[first:end].sum()
        elif how_many > 0:
            out[g] = np.sort(counts[first:end])[-how_many:].sum()
    return out
