"""Extreme gains: the values of a group that are most and least frequent relative to the table.

Counts come as CSR rows: ``counts[indptr[g]:indptr[g + 1]]`` are the counts of group ``g``, and
``values`` says beside them what is counted; ``whole`` counts the same over the table.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from unlinkable.typing import CodeArray, CountArray

__all__ = ["extremes", "extremes_of_any_size"]

Amounts = NDArray[Any]


def extremes_of_any_size(
    indptr: CountArray, values: CodeArray, counts: Amounts, whole: Amounts
) -> tuple[CountArray, CountArray]:
    """Find the entries of each group with the least and the greatest count / whole.

    -1 for an empty group. O(s) for s entries. Products of two counts must fit the number type.
    """
    low = np.full(indptr.size - 1, -1, np.int64)
    high = low.copy()
    for g in range(low.size):
        for j in range(indptr[g], indptr[g + 1]):
            c, w = counts[j], whole[values[j]]
            # Quotients are compared crosswise, c / w < c' / w' as c w' < c' w, which is exact for
            # integers.
            if low[g] < 0 or c * whole[values[low[g]]] < counts[low[g]] * w:
                low[g] = j
            if high[g] < 0 or c * whole[values[high[g]]] > counts[high[g]] * w:
                high[g] = j
    return low, high


extremes = njit(cache=True, nogil=True)(extremes_of_any_size)
"""`extremes_of_any_size`, compiled for 64-bit integers."""
