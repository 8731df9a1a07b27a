"""Trimming to a share: how many records a group must lose until no value has too large a share.

Counts come as CSR rows: ``counts[indptr[g]:indptr[g + 1]]`` are the counts of group ``g``. Records
of the most frequent values are removed first: all counts above a height are cut down to it.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.typing import BoolArray, CountArray

__all__ = ["trim_to_share"]


@njit(cache=True, nogil=True)
def trim_to_share(
    indptr: CountArray, counts: CountArray, is_bounded: BoolArray, p: int, q: int
) -> CountArray:
    """Count how many records must go until every bounded count is at most p / q of its row.

    0 for a row that meets the bound already. A row of bounded counts alone loses all records if
    even one record of each value is too much. The records left grow more slowly than the height, so
    the bound is met up to some height, which is found by bisection. O(s log c) for s entries and
    counts up to c. Counts, p and q are below 2^31, so products fit into 64 bits.
    """
    out = np.zeros(indptr.size - 1, np.int64)
    for g in range(out.size):
        first, end = indptr[g], indptr[g + 1]
        low, high = 0, 0
        for j in range(first, end):
            if is_bounded[j]:
                high = max(high, counts[j])
        if high * q <= _below(indptr, counts, is_bounded, g, high) * p:
            # Invariant: the bound is met at height ``low`` (at 0 it always is) and broken at height
            # ``high``.
            continue
        while high - low > 1:
            height = (low + high) // 2
            if height * q <= _below(indptr, counts, is_bounded, g, height) * p:
                low = height
            else:
                high = height
        for j in range(first, end):
            if is_bounded[j]:
                out[g] += max(counts[j] - low, 0)
    return out


@njit(cache=True, nogil=True)
def _below(
    indptr: CountArray, counts: CountArray, is_bounded: BoolArray, g: int, height: int
) -> int:
    """Count the records of a row that are left when its bounded counts are cut to a height."""
    total = 0
    for j in range(indptr[g], indptr[g + 1]):
        total += min(counts[j], height) if is_bounded[j] else counts[j]
    return int(total)
