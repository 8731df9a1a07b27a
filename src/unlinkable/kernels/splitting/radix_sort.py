"""Radix sort: the rows of a region are sorted by their quasi-identifier."""

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
    their order. A radix sort: O(n) for every column and every log2(4 n) bits of its range.
    """
    n = end - start
    # Digits of about log2(4 n) bits keep the table of counts within a small multiple of the rows.
    bits = 1
    while 1 << bits < 4 * n:
        bits += 1
    free = np.empty((1 << bits) + 1, np.int64)
    rows, other = np.empty(n, np.int32), np.empty(n, np.int32)
    for i in range(n):
        rows[i] = start + i
    # The last column is sorted first. Every pass is stable, so earlier columns, which are sorted
    # later, decide and later ones only break ties.
    for k in range(columns.size - 1, -1, -1):
        j, shift = columns[k], 0
        # Digits above the width of the range are 0 in all rows and need no pass.
        while (hi[g, j] - lo[g, j] - 1) >> shift > 0:
            _sort_digit(keys, rows, other, j, lo[g, j], shift, free)
            rows, other = other, rows
            shift += bits
    return rows


@njit(cache=True, nogil=True)
def _sort_digit(
    keys: CodeArray,
    rows: CodeArray,
    out: CodeArray,
    j: int,
    lo: int,
    shift: int,
    free: CountArray,
) -> None:
    n_digits = free.size - 1
    for digit in range(n_digits + 1):
        free[digit] = 0
    for k in range(rows.size):
        # Counts are stored one place higher, so that after the running sum ``free[digit]`` is where
        # the rows of a digit start.
        free[((keys[rows[k], j] - lo) >> shift & (n_digits - 1)) + 1] += 1
    for digit in range(n_digits):
        free[digit + 1] += free[digit]
    for k in range(rows.size):
        digit = (keys[rows[k], j] - lo) >> shift & (n_digits - 1)
        out[free[digit]] = rows[k]
        free[digit] += 1
