"""Columns as axes: how far a region extends on each, in which order they are tried.

A column is cut between *units*: its codes, or the children of the least node of its taxonomy that
covers the region.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = [
    "Axes",
    "by_width",
    "child_level",
    "list_columns",
    "mixes_missing",
    "next_widest",
]


class Axes(NamedTuple):
    """How columns are measured, and where they may be cut.

    Attributes
    ----------
    scale
        What one step on each column counts.
    missing
        The code of the missing value, always the last one; -1 if there is none.
    n_codes, n_levels, base, firsts
        For a column that is cut along its taxonomy, ``firsts[base + level * n_codes + code]`` is
        the first code of the node over ``code``, on each of ``n_levels`` levels. ``base`` is -1 for
        a column that may be cut between any two codes.
    """

    scale: FloatArray
    missing: CodeArray
    n_codes: CountArray
    n_levels: CountArray
    base: CountArray
    firsts: CodeArray


@njit(cache=True, nogil=True)
def mixes_missing(axes: Axes, j: int, lo: int, hi: int) -> bool:
    """Tell whether a range holds the missing value beside others. O(1)."""
    return axes.missing[j] >= 0 and hi == axes.missing[j] + 1 and hi - lo > 1


@njit(cache=True, nogil=True)
def child_level(axes: Axes, j: int, lo: int, hi: int) -> int:
    """Find where ``firsts`` tells the children of the least node over a range; -1: cut by code.

    O(levels). Children differ at the two ends of the range and are the coarsest nodes that do.
    """
    if axes.base[j] < 0:
        return -1
    at: int = axes.base[j] + (axes.n_levels[j] - 1) * axes.n_codes[j]
    while at > axes.base[j] and axes.firsts[at + lo] == axes.firsts[at + hi - 1]:
        at -= axes.n_codes[j]
    return at


@njit(cache=True, nogil=True)
def next_widest(lo: CodeArray, hi: CodeArray, last: int, axes: Axes) -> int:
    """Name the column that follows ``last`` when columns go from wide to narrow. O(d).

    ``last`` is -1 to begin with; -1 comes back if no column of any width is left. Of equally wide
    columns the first comes first.
    """
    most = np.inf if last < 0 else _width(lo, hi, last, axes)
    best, found = 0.0, -1
    for j in range(lo.size):
        width = _width(lo, hi, j, axes)
        if width > best and (width < most or (width == most and j > last)):
            best, found = width, j
    return found


@njit(cache=True, nogil=True)
def by_width(lo: CodeArray, hi: CodeArray, first: int, axes: Axes) -> CountArray:
    """List ``first``, then all other columns that have a width, from wide to narrow. O(d^2)."""
    columns = np.empty(lo.size, np.int64)
    columns[0] = first
    n = 1
    j = next_widest(lo, hi, -1, axes)
    while j >= 0:
        if j != first:
            columns[n] = j
            n += 1
        j = next_widest(lo, hi, j, axes)
    return columns[:n]


@njit(cache=True, nogil=True)
def list_columns(lo: CodeArray, hi: CodeArray, axes: Axes) -> tuple[CountArray, CodeArray]:
    """List for every region all columns that have a width, from wide to narrow. O(d^2) each."""
    n_regions, d = lo.shape
    regions = np.empty(n_regions * d, np.int64)
    columns = np.empty(n_regions * d, np.int32)
    n = 0
    for g in range(n_regions):
        j = next_widest(lo[g], hi[g], -1, axes)
        while j >= 0:
            regions[n], columns[n] = g, j
            n += 1
            j = next_widest(lo[g], hi[g], j, axes)
    return regions[:n].copy(), columns[:n].copy()


@njit(cache=True, nogil=True, inline="always")
def _width(lo: CodeArray, hi: CodeArray, j: int, axes: Axes) -> float:
    # What mixes missing with present values can only show that it is any value.
    steps = axes.n_codes[j] if mixes_missing(axes, j, lo[j], hi[j]) else hi[j] - lo[j]
    width: float = axes.scale[j] * (steps - 1)
    return width
