"""Regions: sets of boxes that a person is known to be in, of which none contains another."""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.typing import CodeArray, CountArray

__all__ = ["add_box"]


@njit(cache=True, nogil=True)
def add_box(
    indptr: CountArray, members: CodeArray, more: CodeArray, lo: CodeArray, hi: CodeArray
) -> tuple[CountArray, CodeArray]:
    """Add a box to each set; leave out the boxes that contain another one of the set.

    ``members[indptr[i]:indptr[i + 1]]`` are the boxes of set ``i``, rising, and ``more[i]`` is the
    box to add; box ``b`` is ``[lo[b], hi[b])``. Of equal boxes the one already in the set stays.
    O(s d) for s members and d columns.
    """
    n = more.size
    out_indptr = np.zeros(n + 1, np.int64)
    out = np.empty(members.size + n, np.int32)
    last = 0
    for i in range(n):
        new, first = more[i], last
        # A person who is in the inner box is in the outer one as well: the outer box adds nothing.
        is_needed = True
        for j in range(indptr[i], indptr[i + 1]):
            is_needed = is_needed and not _holds(new, members[j], lo, hi)
        for j in range(indptr[i], indptr[i + 1]):
            box = members[j]
            if is_needed and _holds(box, new, lo, hi):
                continue
            out[last] = box
            last += 1
        if is_needed:
            # The members stay sorted: the new box is moved down to its place.
            j = last
            while j > first and out[j - 1] > new:
                out[j] = out[j - 1]
                j -= 1
            out[j] = new
            last += 1
        out_indptr[i + 1] = last
    return out_indptr, out[:last].copy()


@njit(cache=True, nogil=True)
def _holds(outer: int, inner: int, lo: CodeArray, hi: CodeArray) -> bool:
    for j in range(lo.shape[1]):
        if lo[outer, j] > lo[inner, j] or hi[outer, j] < hi[inner, j]:
            return False
    return True
