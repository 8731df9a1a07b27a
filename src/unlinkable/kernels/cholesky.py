"""Small systems of linear equations, some of which may say nothing."""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.typing import FloatArray

__all__ = ["solve_in_place"]

_FLAT = 1e-13
"""A direction with less than this of the largest curvature has none."""


@njit(cache=True, nogil=True)
def solve_in_place(matrix: FloatArray, right: FloatArray) -> None:
    """Solve for every column of ``right``, in place, by Cholesky's method.

    The matrix has no negative eigenvalue, and the right side no part where it has none: directions
    without curvature are left alone. Only the lower half is read; it is overwritten. O(k^3 + k^2 s)
    for k unknowns and s columns.
    """
    k = len(matrix)
    largest = 0.0
    for j in range(k):
        largest = max(largest, matrix[j, j])
    for j in range(k):
        for i in range(j, k):
            entry = matrix[i, j]
            for h in range(j):
                entry -= matrix[i, h] * matrix[j, h]
            if i == j:
                matrix[j, j] = np.sqrt(entry) if entry > _FLAT * largest else np.inf
            else:
                matrix[i, j] = entry / matrix[j, j]
    for s in range(right.shape[1]):
        for j in range(k):
            for h in range(j):
                right[j, s] -= matrix[j, h] * right[h, s]
            right[j, s] /= matrix[j, j]
        for j in range(k - 1, -1, -1):
            for h in range(j + 1, k):
                right[j, s] -= matrix[h, j] * right[h, s]
            right[j, s] /= matrix[j, j]
