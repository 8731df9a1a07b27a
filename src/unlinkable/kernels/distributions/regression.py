"""Kernel regression: prior beliefs are estimated from records with similar quasi-identifiers.

Points are numbered so that those of a cell follow each other, rising on the first number. Only
points of the same cell, less than 1 apart on the first number, can have a weight for each other.
"""

from __future__ import annotations

from heapq import heappush, heapreplace

import numpy as np
from numba import njit

from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["move_past_missing", "regress"]


@njit(cache=True, nogil=True)
def regress(
    ends: CountArray,
    places: FloatArray,
    apart: float,
    paths: CodeArray,
    first_level: CountArray,
    by_level: FloatArray,
    indptr: CountArray,
    values: CodeArray,
    counts: CountArray,
    n_values: int,
) -> FloatArray:
    """Compute for every point the weighted mean of the counts of all points, as shares.

    ``ends[i]`` is the end of the cell of point ``i``. ``places`` are numbers in units of the
    bandwidth, NaN where a value is missing: then the weight is ``apart`` unless both are. The nodes
    of column c on all levels but the root are ``paths[i, first_level[c]:first_level[c + 1]]``. The
    lowest level on which two points have the same node decides their weight,
    ``by_level[first_level[c] + c + level]``. Counts come as CSR rows. O(p (d + s)) for p pairs of
    points within reach, d numbers and levels, and s entries of a row.
    """
    n = ends.size
    has_numbers = places.shape[1] > 0
    out = np.zeros((n, n_values), np.float64)
    for i in range(n):
        for k in range(indptr[i], indptr[i + 1]):
            out[i, values[k]] += counts[k]
        for j in range(i + 1, ends[i]):
            # Points rise on the first number, so no later point of the cell is within reach either.
            if has_numbers and places[j, 0] - places[i, 0] >= 1.0:
                break
            # Weights are symmetric: each pair is computed once and counts for both points.
            w = _near(places, i, j, apart) * _akin(paths, i, j, first_level, by_level)
            if w > 0.0:
                for k in range(indptr[j], indptr[j + 1]):
                    out[i, values[k]] += w * counts[k]
                for k in range(indptr[i], indptr[i + 1]):
                    out[j, values[k]] += w * counts[k]
    for i in range(n):
        out[i] /= out[i].sum()
    return out


@njit(cache=True, nogil=True)
def _near(places: FloatArray, i: int, j: int, apart: float) -> float:
    """Multiply the weights of all numbers: 1 minus the square of their distance."""
    w = 1.0
    for c in range(places.shape[1]):
        gap = places[i, c] - places[j, c]
        # NaN differs from itself: this is true unless one of the two numbers is missing.
        if gap == gap:
            w *= max(1.0 - gap * gap, 0.0)
        elif np.isnan(places[i, c]) != np.isnan(places[j, c]):
            w *= apart
    return w


@njit(cache=True, nogil=True)
def _akin(paths: CodeArray, i: int, j: int, first_level: CountArray, by_level: FloatArray) -> float:
    """Multiply the weights of all categories, by the level on which they meet."""
    w = 1.0
    for c in range(first_level.size - 1):
        k = first_level[c]
        while k < first_level[c + 1] and paths[i, k] != paths[j, k]:
            k += 1
        # Every earlier column has one weight more than it has levels in ``paths``, that of the
        # root.
        w *= by_level[k + c]
    return w


@njit(cache=True, nogil=True)
def move_past_missing(after: FloatArray, before: FloatArray) -> FloatArray:
    """Compute the work of turning each row into its partner, with the last value off the line.

    Rows add up to 1. A step from a value to the next costs 1. A step from the last value to any
    other costs as much as from one end of the line to the other, so mass that goes there may leave
    the line anywhere. The mass that has left by each place rises, and should be as near as possible
    to what is carried there: an isotonic regression in absolute values. Every amount is pushed onto
    a heap, and one below the largest before it pulls that down. O(m log m) for a row of m values.
    """
    n, m = after.shape[0], after.shape[1] - 1
    out = np.empty(n, np.float64)
    for i in range(n):
        lack = after[i, m] - before[i, m]
        sign, most = (-1.0 if lack > 0.0 else 1.0), abs(lack)
        # All mass that enters or leaves the last value pays the same, whichever place it goes to.
        work, carried = most * max(m - 1, 1), 0.0
        heap = [0.0]
        for r in range(m):
            carried += after[i, r] - before[i, r]
            # What left the line lies between 0 and ``most``. The distance from that range is paid
            # anyway.
            inside = min(max(sign * carried, 0.0), most)
            work += abs(sign * carried - inside)
            # The heap of negated amounts has the largest on top. It starts with 0, so it is never
            # empty.
            heappush(heap, -inside)
            if -heap[0] > inside:
                work -= heap[0] + inside
                heapreplace(heap, -inside)
        out[i] = work
    return out
