"""Cholesky's method: small linear systems, some of whose equations may be empty."""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.typing import FloatArray

__all__ = ["solve_in_place"]

_FLAT = 1e-13
"""A pivot below this share of the largest diagonal entry counts as zero curvature."""


@njit(cache=True, nogil=True)
def solve_in_place(matrix: FloatArray, right: FloatArray) -> None:
    """Solve for every column of ``right``, in place, by Cholesky's method.

    The matrix is positive semidefinite, and the right side has no part in its null space:
    directions without curvature are left at 0. Only the lower half is read; it is overwritten.
    O(k^3 + k^2 s) for k unknowns and s columns.
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
                # An infinite pivot makes the rest of its column 0, here and in both substitutions
                # below, so a flat direction takes no part in the solution.
                matrix[j, j] = np.sqrt(entry) if entry > _FLAT * largest else np.inf
            else:
                matrix[i, j] = entry / matrix[j, j]
    # Forward substitution solves L y = b, the backward one below solves L' x = y.
    for s in range(right.shape[1]):
        for j in range(k):
            for h in range(j):
                right[j, s] -= matrix[j, h] * right[h, s]
            right[j, s] /= matrix[j, j]
        for j in range(k - 1, -1, -1):
            for h in range(j + 1, k):
                right[j, s] -= matrix[h, j] * right[h, s]
            right[j, s] /= matrix[j, j]
