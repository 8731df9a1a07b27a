"""Boxes around groups, and groups in boxes."""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.typing import BoolArray, CodeArray

__all__ = ["bounding_boxes", "first_covering_box"]


@njit(cache=True, nogil=True)
def bounding_boxes(
    keys: CodeArray, labels: CodeArray, n_groups: int
) -> tuple[CodeArray, CodeArray]:
    """Find the half-open range of codes of every group on every column. O(n d).

    A group without members gets the empty range ``[0, 0)``.
    """
    n, d = keys.shape
    lo = np.full((n_groups, d), np.iinfo(np.int32).max, np.int32)
    hi = np.zeros((n_groups, d), np.int32)
    for i in range(n):
        g = labels[i]
        if g >= 0:
            for j in range(d):
                code = keys[i, j]
                if code < lo[g, j]:
                    lo[g, j] = code
                if code >= hi[g, j]:
                    hi[g, j] = code + 1
    for g in range(n_groups):
        for j in range(d):
            if lo[g, j] > hi[g, j]:
                lo[g, j] = 0
    return lo, hi


@njit(cache=True, nogil=True)
def first_covering_box(
    keys: CodeArray, exact: BoolArray, lo: CodeArray, hi: CodeArray
) -> CodeArray:
    """Find the first box that covers each row of codes; -1 if none does. O(n g d).

    A code that is not ``exact`` stands for a value between it and the next code: only boxes that
    span more than one code cover it. A code of -1 is covered by no box.
    """
    n, d = keys.shape
    out = np.full(n, -1, np.int32)
    for i in range(n):
        for g in range(lo.shape[0]):
            covers = True
            for j in range(d):
                code = keys[i, j]
                if code < lo[g, j] or code >= hi[g, j] or code < 0:
                    covers = False
                    break
                if not exact[i, j] and hi[g, j] - lo[g, j] < 2:
                    covers = False
                    break
            if covers:
                out[i] = g
                break
    return out
