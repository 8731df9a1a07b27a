"""Equal keys: pairs of rows with the same key, row by row."""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.typing import CodeArray, CountArray

__all__ = ["drop_repeated", "fill_equal", "sort_rows"]


@njit(cache=True, nogil=True)
def fill_equal(
    keys: CodeArray,
    indptr: CountArray,
    members: CodeArray,
    free: CountArray,
    out: CodeArray,
) -> None:
    """Write for every row the members of its key, from ``free`` on, which is advanced.

    ``members[indptr[key]:indptr[key + 1]]`` are the members of a key. O(n + pairs).
    """
    for i in range(keys.size):
        at = free[i]
        for k in range(indptr[keys[i]], indptr[keys[i] + 1]):
            out[at] = members[k]
            at += 1
        free[i] = at


@njit(cache=True, nogil=True)
def sort_rows(indptr: CountArray, values: CodeArray) -> None:
    """Sort every row of a CSR matrix. O(s log s) for rows of s entries."""
    for row in range(indptr.size - 1):
        first, last = indptr[row], indptr[row + 1]
        # Shell's method sorts in place: rows are short, and slicing each would cost more than
        # sorting.
        gap = 1
        while gap < (last - first) // 9:
            gap = 3 * gap + 1
        while gap > 0:
            for i in range(first + gap, last):
                value = values[i]
                j = i
                while j >= first + gap and values[j - gap] > value:
                    values[j] = values[j - gap]
                    j -= gap
                values[j] = value
            gap //= 3


@njit(cache=True, nogil=True)
def drop_repeated(indptr: CountArray, values: CodeArray) -> tuple[CountArray, CodeArray]:
    """Keep every value of a sorted row of a CSR matrix once. O(n), in place."""
    starts = np.empty(indptr.size, np.int64)
    starts[0] = 0
    kept = 0
    for row in range(indptr.size - 1):
        for k in range(indptr[row], indptr[row + 1]):
            # Reading is never behind writing: ``kept`` is at most ``k``, so nothing unread is
            # overwritten.
            if k == indptr[row] or values[k] != values[k - 1]:
                values[kept] = values[k]
                kept += 1
        starts[row + 1] = kept
    return starts, values[:kept].copy()
