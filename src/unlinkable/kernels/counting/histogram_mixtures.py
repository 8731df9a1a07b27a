"""Mixing: weighted sums of histograms, and looking up entries in them.

Histograms come as CSR rows: ``values[indptr[g]:indptr[g + 1]]`` are the codes of row ``g``, rising,
and ``counts`` says how often each occurs.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.typing import CodeArray, CountArray

__all__ = ["find_entries", "mix_rows"]


@njit(cache=True, nogil=True)
def mix_rows(
    ends: CountArray,
    places: CodeArray,
    weights: CountArray,
    indptr: CountArray,
    values: CodeArray,
    counts: CountArray,
    n_values: int,
) -> tuple[CountArray, CodeArray, CountArray]:
    """Add up rows of a histogram with weights.

    New row ``i`` is the sum of the rows ``places[ends[i]:ends[i + 1]]``, each times its weight. The
    codes of a new row are collected in one dense row of scratch memory and then sorted:
    O(s log s) for s entries that are added up.
    """
    # Without common codes no sum is shorter than its parts, so this much room is always enough.
    most = 0
    for k in range(places.size):
        most += indptr[places[k] + 1] - indptr[places[k]]
    out_indptr = np.zeros(ends.size, np.int64)
    out_values, out_counts = np.empty(most, np.int32), np.empty(most, np.int64)
    seen = np.zeros(n_values, np.int64)
    out = 0
    for i in range(ends.size - 1):
        first = out
        for k in range(ends[i], ends[i + 1]):
            for j in range(indptr[places[k]], indptr[places[k] + 1]):
                if seen[values[j]] == 0:
                    out_values[out] = values[j]
                    out += 1
                seen[values[j]] += counts[j] * weights[k]
        _sort_stretch(out_values, first, out)
        # Reading a sum also clears it: ``seen`` is all zero again for the next row.
        for j in range(first, out):
            out_counts[j] = seen[out_values[j]]
            seen[out_values[j]] = 0
        out_indptr[i + 1] = out
    return out_indptr, out_values[:out], out_counts[:out]


@njit(cache=True, nogil=True)
def find_entries(
    indptr: CountArray, values: CodeArray, rows: CodeArray, codes: CodeArray
) -> CountArray:
    """Find the place of a code in a row, for many pairs of them; -1 if the row does not have it.

    A binary search each, in that row alone.
    """
    out = np.empty(rows.size, np.int64)
    for i in range(rows.size):
        low, high = indptr[rows[i]], indptr[rows[i] + 1]
        end = high
        while low < high:
            middle = (low + high) // 2
            if values[middle] < codes[i]:
                low = middle + 1
            else:
                high = middle
        out[i] = low if low < end and values[low] == codes[i] else -1
    return out


@njit(cache=True, nogil=True)
def _sort_stretch(values: CodeArray, first: int, last: int) -> None:
    """Sort a stretch of an array by Shell's method, in place."""
    gap = 1
    while gap < (last - first) // 9:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(first + gap, last):
            value, j = values[i], i
            while j >= first + gap and values[j - gap] > value:
                values[j] = values[j - gap]
                j -= gap
            values[j] = value
        gap //= 3
