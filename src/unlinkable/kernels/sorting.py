"""Sorting the rows of a region by what they show."""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.typing import CodeArray, CountArray

__all__ = ["sorted_rows"]


@njit(cache=True, nogil=True)
def sorted_rows(
    keys: CodeArray,
    start: int,
    end: int,
    columns: CountArray,
    lo: CodeArray,
    hi: CodeArray,
    g: int,
) -> CodeArray:
    """Sort the rows ``start:end`` by the first of the columns, equal ones by the second, and so on.

    Codes of column ``j`` lie in ``[lo[g, j], hi[g, j])``. Rows that are equal on all columns keep
    their order. O(n) per column where the range is not much wider than there are rows, else
    O(n log n).
    """
    n = end - start
    rows = np.arange(start, end).astype(np.int32)
    for k in range(columns.size - 1, -1, -1):
        j = columns[k]
        width = hi[g, j] - lo[g, j]
        if width <= 4 * n:
            rows = _by_counting(keys, rows, j, lo[g, j], width)
        else:
            packed = np.empty(n, np.int64)
            for i in range(n):
                packed[i] = (np.int64(keys[rows[i], j]) << 32) | i
            packed.sort()
            rows = rows[packed & 0xFFFFFFFF]
    return rows


@njit(cache=True, nogil=True)
def _by_counting(keys: CodeArray, rows: CodeArray, j: int, lo: int, width: int) -> CodeArray:
    free = np.zeros(width + 1, np.int64)
    for i in rows:
        free[keys[i, j] - lo + 1] += 1
    for c in range(width):
        free[c + 1] += free[c]
    out = np.empty(rows.size, np.int32)
    for i in rows:
        c = keys[i, j] - lo
        out[free[c]] = i
        free[c] += 1
    return out
