"""Distance distortion: how far points are from each other before and after a perturbation."""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.typing import FloatArray

__all__ = ["compare_distances"]


@njit(cache=True, nogil=True)
def compare_distances(
    before: FloatArray, after: FloatArray, scale: float
) -> tuple[float, float, float]:
    """Compare the Euclidean distances of all pairs of rows of two matrices of the same length.

    Returns three sums over all pairs, each taken once: the squared difference of the two distances,
    the squared distance before, and the squared distance after. Distances after are first
    multiplied by ``scale``. O(n^2 (m + r)) time for n rows of m and r numbers, and O(1) memory.
    Each row is summed separately, which keeps the rounding error of a very long sum small.
    """
    n, m, r = before.shape[0], before.shape[1], after.shape[1]
    errors, all_before, all_after = 0.0, 0.0, 0.0
    for i in range(n):
        row_errors, row_before, row_after = 0.0, 0.0, 0.0
        for j in range(i):
            square = 0.0
            for k in range(m):
                gap = before[i, k] - before[j, k]
                square += gap * gap
            moved = 0.0
            for k in range(r):
                gap = after[i, k] - after[j, k]
                moved += gap * gap
            # The scale applies to the distance, so it enters the squared distance twice.
            moved *= scale * scale
            change = np.sqrt(moved) - np.sqrt(square)
            row_errors += change * change
            row_before += square
            row_after += moved
        errors += row_errors
        all_before += row_before
        all_after += row_after
    return errors, all_before, all_after
