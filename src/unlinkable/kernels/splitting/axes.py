"""Columns as axes: how far a region extends on each, in which order they are cut, and where.

A column is cut between *units*: its codes, or the children of the least node of its taxonomy that
covers the region.

Axes are three arrays. ``scale[j]`` is what one step on column ``j`` counts. ``plan[j]`` is four
numbers: the code of the missing value (-1 if there is none), the number of codes, the number of
levels of the taxonomy below its root, and where these levels begin in ``firsts`` (-1 for a column
that may be cut between any two codes). ``firsts[begin + level * n_codes + code]`` is the first code
of the node over ``code`` on a level.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["by_width", "child_level", "list_columns", "mixes_missing", "next_widest"]


@njit(cache=True, nogil=True)
def mixes_missing(lo: int, hi: int, missing: int) -> bool:
    """Tell whether a range holds the missing value, which has the last code, beside others."""
    return missing >= 0 and hi == missing + 1 and hi - lo > 1


@njit(cache=True, nogil=True)
def child_level(plan: CountArray, firsts: CodeArray, j: int, lo: int, hi: int) -> int:
    """Find where ``firsts`` tells the children of the least node over a range; -1: cut by code.

    Children are the coarsest nodes that differ at the two ends of the range. O(levels).
    """
    n_codes, n_levels, begin = plan[j, 1], plan[j, 2], plan[j, 3]
    if begin < 0:
        return -1
    # Start at the coarsest level below the root. As long as both ends of the range are under the
    # same node there, that node covers the range and its children lie deeper.
    at: int = begin + (n_levels - 1) * n_codes
    while at > begin and firsts[at + lo] == firsts[at + hi - 1]:
        at -= n_codes
    return at


@njit(cache=True, nogil=True)
def next_widest(
    lo: CodeArray, hi: CodeArray, g: int, last: int, scale: FloatArray, plan: CountArray
) -> int:
    """Name the column that follows ``last`` when those of region ``g`` go from wide to narrow.

    ``last`` is -1 to begin with; -1 comes back if no column of any width is left. Of equally wide
    columns the first comes first. O(d).
    """
    most = np.inf
    if last >= 0:
        most = scale[last] * _steps(lo[g, last], hi[g, last], plan[last, 0])
    best, found = 0.0, -1
    for j in range(lo.shape[1]):
        width = scale[j] * _steps(lo[g, j], hi[g, j], plan[j, 0])
        # Ties are broken by position, so every column is named exactly once.
        if width > best and (width < most or (width == most and j > last)):
            best, found = width, j
    return found


@njit(cache=True, nogil=True)
def by_width(
    lo: CodeArray, hi: CodeArray, g: int, first: int, scale: FloatArray, plan: CountArray
) -> CountArray:
    """List ``first``, then the other columns of region ``g`` that have a width, widest first.

    O(d^2).
    """
    columns = np.empty(lo.shape[1], np.int64)
    columns[0] = first
    n = 1
    j = next_widest(lo, hi, g, -1, scale, plan)
    while j >= 0:
        if j != first:
            columns[n] = j
            n += 1
        j = next_widest(lo, hi, g, j, scale, plan)
    return columns[:n]


@njit(cache=True, nogil=True)
def list_columns(
    lo: CodeArray, hi: CodeArray, scale: FloatArray, plan: CountArray
) -> tuple[CountArray, CodeArray]:
    # Each call finds the next narrower column, so nothing has to be sorted.
    """List for every region all columns that have a width, widest first. O(d^2) each."""
    n_regions, d = lo.shape
    regions = np.empty(n_regions * d, np.int64)
    columns = np.empty(n_regions * d, np.int32)
    n = 0
    for g in range(n_regions):
        j = next_widest(lo, hi, g, -1, scale, plan)
        while j >= 0:
            regions[n], columns[n] = g, j
            n += 1
            j = next_widest(lo, hi, g, j, scale, plan)
    return regions[:n].copy(), columns[:n].copy()


@njit(cache=True, nogil=True)
def _steps(lo: int, hi: int, missing: int) -> int:
    # Passing an array to a function costs more than this whole search: numbers only.
    # A range that mixes missing with present values can only be published as any value.
    return missing if mixes_missing(lo, hi, missing) else hi - lo - 1
