"""Squared errors: how far the numbers of a group scatter around their mean.

Counts come as CSR rows: ``values[indptr[g]:indptr[g + 1]]`` are the codes of group ``g``, rising,
and ``counts`` says how many records have each.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["squared_errors"]


@njit(cache=True, nogil=True)
def squared_errors(
    indptr: CountArray, values: CodeArray, counts: CountArray, steps: CountArray
) -> FloatArray:
    """Add up the squared distances of the numbers of every row from their mean. O(s) for s entries.

    Code c is the number ``steps[c]``; codes beyond the last are not numbers and are left out.
    Numbers are taken relative to the smallest of their row, which is exact. The sum is at least
    half the squared range, so the rounding error of the mean is a small share of it.
    """
    out = np.zeros(indptr.size - 1, np.float64)
    for g in range(out.size):
        first, end = indptr[g], indptr[g + 1]
        # Codes rise within a row, so everything that is not a number stands at its end.
        while end > first and values[end - 1] >= steps.size:
            end -= 1
        n = 0
        total = 0.0
        for j in range(first, end):
            n += counts[j]
            # The difference of two integers is exact; only then is it converted to a float.
            total += counts[j] * float(steps[values[j]] - steps[values[first]])
        mean = total / max(n, 1)
        for j in range(first, end):
            gap = float(steps[values[j]] - steps[values[first]]) - mean
            out[g] += counts[j] * gap * gap
    return out
