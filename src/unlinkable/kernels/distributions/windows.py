"""Fullest windows: how many records of a group lie close together.

Counts come as CSR rows: ``values[indptr[g]:indptr[g + 1]]`` are the codes of group ``g``, rising,
and ``counts`` says how many records have each.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.typing import CodeArray, CountArray

__all__ = ["fullest_windows"]


@njit(cache=True, nogil=True)
def fullest_windows(
    indptr: CountArray, values: CodeArray, counts: CountArray, lo: CodeArray, hi: CodeArray
) -> CountArray:
    """Count the records of every row in the fullest window around one of its codes.

    The window around code c is ``lo[c] <= code < hi[c]``. O(s) for s entries if the ends of the
    windows rise with their codes; the result is right if they do not.
    """
    out = np.zeros(indptr.size - 1, np.int64)
    for g in range(out.size):
        first, end = indptr[g], indptr[g + 1]
        left, right, inside = first, first, 0
        for j in range(first, end):
            start, stop = lo[values[j]], hi[values[j]]
            # Invariant: ``inside`` counts the entries ``left:right``. Each end moves from where the
            # last window left it, outwards or inwards.
            while right < end and values[right] < stop:
                inside += counts[right]
                right += 1
            while right > first and values[right - 1] >= stop:
                right -= 1
                inside -= counts[right]
            while left < end and values[left] < start:
                inside -= counts[left]
                left += 1
            while left > first and values[left - 1] >= start:
                left -= 1
                inside += counts[left]
            out[g] = max(out[g], inside)
    return out
