"""Boxes around groups, and groups in boxes."""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.typing import CodeArray

__all__ = ["bounding_boxes", "smallest_covering_box"]


@njit(cache=True, nogil=True)
def bounding_boxes(
    keys: CodeArray, labels: CodeArray, n_groups: int
) -> tuple[CodeArray, CodeArray]:
    """Find the half-open range of codes of every group on every column. O(n d).

    A group without members gets the empty range ``[0, 0)``.
    """
    n, d = keys.shape
    # Bounds start inverted, so that the first member sets both; where they are still inverted at
    # the end, the group has no members.
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
def smallest_covering_box(keys: CodeArray, lo: CodeArray, hi: CodeArray) -> CodeArray:
    """Find the box with the least sum of widths that covers each row of codes. O(n g d).

    The first of equally small ones is taken; -1 stands for none. A code of -1 is in no box.
    """
    n, d = keys.shape
    out = np.full(n, -1, np.int32)
    for i in range(n):
        least = np.iinfo(np.int64).max
        for g in range(lo.shape[0]):
            width = 0
            for j in range(d):
                code = keys[i, j]
                if code < lo[g, j] or code >= hi[g, j] or code < 0:
                    width = -1
                    break
                width += hi[g, j] - lo[g, j]
            if 0 <= width < least:
                out[i] = g
                least = width
    return out
