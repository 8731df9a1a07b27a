"""Multiset intersection: the smallest count of every value that several groups share."""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.typing import CodeArray, CountArray

__all__ = ["keep_common"]


@njit(cache=True, nogil=True)
def keep_common(
    indptr: CountArray,
    values: CodeArray,
    counts: CountArray,
    groups: CodeArray,
    group_indptr: CountArray,
    group_values: CodeArray,
    group_counts: CountArray,
) -> tuple[CountArray, CodeArray, CountArray]:
    """Intersect each multiset with that of one group: the smaller count of every value.

    ``values[indptr[i]:indptr[i + 1]]`` are the values of multiset ``i``, rising. It is intersected
    with that of group ``groups[i]``, or kept as it is if that is -1. O(s) for s entries that are
    looked at.
    """
    n = groups.size
    out_indptr = np.zeros(n + 1, np.int64)
    out_values = np.empty(values.size, np.int32)
    out_counts = np.empty(values.size, np.int64)
    out = 0
    for i in range(n):
        g = groups[i]
        j = group_indptr[g] if g >= 0 else 0
        end = group_indptr[g + 1] if g >= 0 else 0
        for k in range(indptr[i], indptr[i + 1]):
            if g < 0:
                out_values[out], out_counts[out] = values[k], counts[k]
                out += 1
                continue
            # Both rows rise, so ``j`` never has to go back: this is a merge of two sorted lists.
            while j < end and group_values[j] < values[k]:
                j += 1
            if j < end and group_values[j] == values[k]:
                out_values[out], out_counts[out] = values[k], min(counts[k], group_counts[j])
                out += 1
        out_indptr[i + 1] = out
    return out_indptr, out_values[:out].copy(), out_counts[:out].copy()
