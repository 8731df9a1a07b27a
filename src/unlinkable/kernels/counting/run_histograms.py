"""Run histograms: adding up what consecutive rows hide.

A search that keeps rows in the order of its regions adds up histograms of runs of rows, and never
touches the rows of a finished region again.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["add_up", "merge_stretches"]


@njit(cache=True, nogil=True)
def add_up(amounts: FloatArray, order: CodeArray, start: CountArray, end: CountArray) -> FloatArray:
    """Add up the amounts of the rows ``order[start[g]:end[g]]``. O(n)."""
    out = np.zeros(start.size, np.float64)
    for g in range(start.size):
        for i in range(start[g], end[g]):
            out[g] += amounts[order[i]]
    return out


@njit(cache=True, nogil=True)
def merge_stretches(
    indptr: CountArray,
    values: CodeArray,
    counts: CountArray,
    order: CodeArray,
    start: CountArray,
    end: CountArray,
    seen: CountArray,
) -> tuple[CountArray, CodeArray, CountArray]:
    """Add up the histograms of the rows ``order[start[g]:end[g]]``, for every run ``g``.

    ``seen`` is scratch memory with an entry for every code. It is all zero before and after.
    O(s log s) for the s entries of these rows.
    """
    # The entries of all rows bound the output: values that rows share only make it smaller.
    room = 0
    for g in range(start.size):
        for i in range(start[g], end[g]):
            room += indptr[order[i] + 1] - indptr[order[i]]
    out_indptr = np.zeros(start.size + 1, np.int64)
    out_values = np.empty(room, np.int32)
    out_counts = np.empty(room, np.int64)
    out = 0
    for g in range(start.size):
        first = out
        for i in range(start[g], end[g]):
            for k in range(indptr[order[i]], indptr[order[i] + 1]):
                if seen[values[k]] == 0:
                    out_values[out] = values[k]
                    out += 1
                seen[values[k]] += counts[k]
        # The sorted list of values met serves to read the sums in order and to clear them again.
        out_values[first:out].sort()
        for k in range(first, out):
            out_counts[k] = seen[out_values[k]]
            seen[out_values[k]] = 0
        out_indptr[g + 1] = out
    return out_indptr, out_values[:out].copy(), out_counts[:out].copy()
