"""Histogram intersection: what two histograms have in common, for many pairs of them.

Histograms are rows of CSR matrices, their values rising. ``told`` maps values to what is counted:
for every column of interest, the value of that column behind each value of the histograms.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.typing import CodeArray, CountArray

__all__ = ["common_of_pairs", "intersection_of_pairs"]


@njit(cache=True, nogil=True)
def intersection_of_pairs(
    a_indptr: CountArray,
    a_values: CodeArray,
    a_counts: CountArray,
    b_indptr: CountArray,
    b_values: CodeArray,
    b_counts: CountArray,
    first: CodeArray,
    second: CodeArray,
    told: CodeArray,
    seen: CountArray,
) -> tuple[CountArray, CountArray, CodeArray]:
    """Add up the smaller counts of both rows of every pair.

    Returns the sums; for each pair the greatest sum over values that are the same on one of the
    columns of ``told``; and in two columns which of these that is, and the value there, -1 if there
    is none. ``seen`` is scratch memory with a row for each column of ``told`` and an entry for
    every value, all zero before and after. O(s) for the s entries of all pairs, times the number of
    columns.
    """
    n, n_columns = first.size, told.shape[0]
    left, peak = np.zeros(n, np.int64), np.zeros(n, np.int64)
    which = np.full((n, 2), -1, np.int32)
    for p in range(n):
        # The second pass over the same entries clears what the first one counted.
        for is_counting in (True, False):
            i, j = a_indptr[first[p]], b_indptr[second[p]]
            i_end, j_end = a_indptr[first[p] + 1], b_indptr[second[p] + 1]
            while i < i_end and j < j_end:
                if a_values[i] < b_values[j]:
                    i += 1
                elif a_values[i] > b_values[j]:
                    j += 1
                else:
                    value, both = a_values[i], min(a_counts[i], b_counts[j])
                    i += 1
                    j += 1
                    if is_counting:
                        left[p] += both
                    for c in range(n_columns):
                        if not is_counting:
                            seen[c, told[c, value]] = 0
                            continue
                        seen[c, told[c, value]] += both
                        if seen[c, told[c, value]] > peak[p]:
                            peak[p] = seen[c, told[c, value]]
                            which[p, 0], which[p, 1] = c, told[c, value]
    return left, peak, which


@njit(cache=True, nogil=True)
def common_of_pairs(
    a_indptr: CountArray,
    a_values: CodeArray,
    a_counts: CountArray,
    b_indptr: CountArray,
    b_values: CodeArray,
    b_counts: CountArray,
    first: CodeArray,
    second: CodeArray,
) -> tuple[CountArray, CodeArray, CountArray]:
    """List the smaller counts of both rows of every pair, as a CSR matrix without zeros. O(s)."""
    indptr = np.zeros(first.size + 1, np.int64)
    values, counts = np.empty(0, np.int32), np.empty(0, np.int64)
    # The first pass counts the entries, the second fills arrays of exactly that size.
    for is_filling in (False, True):
        at = 0
        if is_filling:
            values, counts = np.empty(indptr[-1], np.int32), np.empty(indptr[-1], np.int64)
        for p in range(first.size):
            i, j = a_indptr[first[p]], b_indptr[second[p]]
            i_end, j_end = a_indptr[first[p] + 1], b_indptr[second[p] + 1]
            while i < i_end and j < j_end:
                if a_values[i] < b_values[j]:
                    i += 1
                elif a_values[i] > b_values[j]:
                    j += 1
                else:
                    both = min(a_counts[i], b_counts[j])
                    if both > 0:
                        if is_filling:
                            values[at], counts[at] = a_values[i], both
                        at += 1
                    i += 1
                    j += 1
            indptr[p + 1] = at
    return indptr, values, counts
