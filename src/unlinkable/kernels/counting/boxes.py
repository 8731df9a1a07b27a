"""Boxes of codes: boxes around groups, groups in boxes, and points that boxes cover."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from unlinkable.typing import CodeArray, CountArray

__all__ = ["bounding_boxes", "count_covered", "smallest_covering_box"]


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


_WORD = 64


def count_covered(
    lo: CodeArray, hi: CodeArray, points: CodeArray, weights: CountArray
) -> tuple[CountArray, int]:
    """Add up the weights of the points in each box ``[lo, hi)``, and of those in none.

    Boxes may overlap; a point counts in each that it lies in.

    Examples
    --------
    >>> lo, hi = np.array([[0, 0], [1, 1]], np.int32), np.array([[2, 1], [3, 3]], np.int32)
    >>> points = np.array([[1, 0], [2, 2], [0, 2]], np.int32)
    >>> counts, outside = count_covered(lo, hi, points, np.array([5, 7, 1]))
    >>> counts.tolist(), outside
    ([5, 7], 1)
    """
    n_boxes, n_columns = lo.shape
    n_words = -(-n_boxes // _WORD)
    # Codes beyond the largest of any point need no bits.
    sizes = points.max(axis=0, initial=-1) + 1
    firsts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    covers = np.zeros((int(firsts[-1]), n_words), np.uint64)
    for j in range(n_columns):
        _mark(covers, int(firsts[j]), int(sizes[j]), lo[:, j], hi[:, j])
    counts = np.zeros(n_boxes, np.int64)
    outside = _add_up(covers, firsts, points, weights, counts)
    return counts, int(outside)


@njit(cache=True, nogil=True)
def _mark(covers: NDArray[np.uint64], first: int, size: int, lo: CodeArray, hi: CodeArray) -> None:
    """Set for every code of a column the bits of the boxes that cover it."""
    for box in range(lo.size):
        bit = np.uint64(1) << np.uint64(box % 64)
        for code in range(max(lo[box], 0), min(hi[box], size)):
            covers[first + code, box // 64] |= bit


@njit(cache=True, nogil=True)
def _add_up(
    covers: NDArray[np.uint64],
    firsts: CountArray,
    points: CodeArray,
    weights: CountArray,
    counts: CountArray,
) -> int:
    """Add the weight of every point to the boxes that cover it on all columns."""
    outside = 0
    for i in range(points.shape[0]):
        is_inside = False
        for word in range(covers.shape[1]):
            left = ~np.uint64(0)
            # A box contains the point if it covers its code on every column: one AND for 64 boxes.
            for j in range(points.shape[1]):
                left &= covers[firsts[j] + points[i, j], word]
                if left == np.uint64(0):
                    break
            box = 64 * word
            while left != np.uint64(0):
                if left & np.uint64(1):
                    # Padding bits are never set: no box is there to set them.
                    counts[box] += weights[i]
                    is_inside = True
                left >>= np.uint64(1)
                box += 1
        if not is_inside:
            outside += weights[i]
    return outside
