"""Cutting regions of space in two.

Rows of codes are kept in the order of their regions: region ``g`` is the rows ``start[g]:end[g]``,
and a cut moves the rows of its lower half to the front, as quicksort does. The order of rows within
a region means nothing, so that a cut which is given up needs no undoing.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from unlinkable.kernels.axes import Axes, by_width, child_level, mixes_missing, next_widest
from unlinkable.kernels.sorting import sorted_rows
from unlinkable.typing import CodeArray, CountArray

__all__ = ["Rows", "halve", "ranges"]

_BUCKETS = 1 << 12
"""A median is looked for among at most this many ranges of codes at a time."""


class Rows(NamedTuple):
    """Rows of codes, how many records each stands for, and where each was in the beginning."""

    keys: CodeArray
    sizes: CountArray
    order: CodeArray


@njit(cache=True, nogil=True)
def ranges(keys: CodeArray, start: CountArray, end: CountArray) -> tuple[CodeArray, CodeArray]:
    """Find the half-open range of codes of every region on every column. O(n d)."""
    n_regions, d = start.size, keys.shape[1]
    lo = np.empty((n_regions, d), np.int32)
    hi = np.empty((n_regions, d), np.int32)
    for g in range(n_regions):
        for j in range(d):
            lo[g, j] = keys[start[g], j]
            hi[g, j] = keys[start[g], j]
        for i in range(start[g] + 1, end[g]):
            for j in range(d):
                lo[g, j] = min(lo[g, j], keys[i, j])
                hi[g, j] = max(hi[g, j], keys[i, j])
        for j in range(d):
            hi[g, j] += 1
    return lo, hi


@njit(cache=True, nogil=True)
def halve(
    rows: Rows,
    start: CountArray,
    end: CountArray,
    total: CountArray,
    lo: CodeArray,
    hi: CodeArray,
    last: CodeArray,
    axes: Axes,
    least: int,
    strict: bool,
) -> tuple[CountArray, CountArray, int]:
    """Cut every region as evenly as can be on its widest column, or the next widest, and so on.

    Columns up to ``last`` in that order have been tried before; ``last`` is moved on to the column
    that is cut now. No half of fewer than ``least`` records is made. A region with missing beside
    other values on a column is first cut between these. If not ``strict``, rows with equal codes
    are parted where the column cannot be cut otherwise: they go to the halves in the order of what
    they show on the other columns, widest first.

    Gives the first row of every upper half, -1 if no column can be cut; the size of every lower
    half; and the number of cuts looked at. O(n d) for every column that is tried.
    """
    n_regions = start.size
    middle = np.full(n_regions, -1, np.int64)
    lower = np.zeros(n_regions, np.int64)
    counts = np.zeros(_BUCKETS, np.int64)
    tried = 0
    for g in range(n_regions):
        while total[g] >= 2 * least and middle[g] < 0:
            j = next_widest(lo[g], hi[g], last[g], axes)
            if j < 0:
                break
            last[g] = j
            tried += 1
            middle[g], lower[g] = _cut(
                rows, start[g], end[g], total[g], lo[g], hi[g], j, axes, least, strict, counts
            )
    return middle, lower, tried


@njit(cache=True, nogil=True)
def _cut(
    rows: Rows,
    s: int,
    e: int,
    total: int,
    lo: CodeArray,
    hi: CodeArray,
    j: int,
    axes: Axes,
    least: int,
    strict: bool,
    counts: CountArray,
) -> tuple[int, int]:
    """Cut one region on one column: the first row of the upper half, and the size of the lower."""
    if mixes_missing(axes, j, lo[j], hi[j]):
        lower = total - _size_of_code(rows, s, e, j, axes.missing[j])
        if least <= lower <= total - least:
            return _part(rows, s, e, j, axes.firsts, -1, axes.missing[j]), lower
    at = child_level(axes, j, lo[j], hi[j])
    unit, below, equal = _median(rows, s, e, j, lo[j], hi[j], total, axes.firsts, at, counts)
    # One of the two cuts beside the median is the most even one.
    is_upper = total - below - equal > below
    lower = below + equal if is_upper else below
    if least <= lower <= total - least:
        return _part(rows, s, e, j, axes.firsts, at, unit + is_upper), lower
    if not strict and _shows_one_code(rows, s, e, j, axes.firsts, at, unit):
        first = _part(rows, s, e, j, axes.firsts, at, unit)
        end = _part(rows, first, e, j, axes.firsts, at, unit + 1)
        _sort(rows, first, end, by_width(lo, hi, j, axes)[1:], lo, hi)
        middle, lower = _most_even(rows, s, first, end, e, below, total)
        if least <= lower <= total - least:
            return middle, lower
    return -1, 0


@njit(cache=True, nogil=True, inline="always")
def _unit(firsts: CodeArray, at: int, code: int) -> int:
    return code if at < 0 else firsts[at + code]


@njit(cache=True, nogil=True)
def _size_of_code(rows: Rows, s: int, e: int, j: int, code: int) -> int:
    size = 0
    for i in range(s, e):
        if rows.keys[i, j] == code:
            size += rows.sizes[i]
    return size


@njit(cache=True, nogil=True)
def _median(
    rows: Rows,
    s: int,
    e: int,
    j: int,
    lo: int,
    hi: int,
    total: int,
    firsts: CodeArray,
    at: int,
    counts: CountArray,
) -> tuple[int, int, int]:
    """Find the unit in which half of the records is reached, and count those below and in it.

    The range is cut into buckets of equal width, and the bucket with the median again, until it is
    one code wide: a few passes however wide the range.
    """
    n_buckets = min(_BUCKETS, max(64, 2 * (e - s)))
    a, z, below = _unit(firsts, at, lo), hi, 0
    while True:
        shift = 0
        while (z - a - 1) >> shift >= n_buckets:
            shift += 1
        counts[: ((z - a - 1) >> shift) + 1] = 0
        for i in range(s, e):
            unit = _unit(firsts, at, rows.keys[i, j])
            if a <= unit < z:
                counts[(unit - a) >> shift] += rows.sizes[i]
        bucket = 0
        while 2 * (below + counts[bucket]) < total:
            below += counts[bucket]
            bucket += 1
        if shift == 0:
            return a + bucket, below, counts[bucket]
        a += bucket << shift
        z = min(z, a + (1 << shift))


@njit(cache=True, nogil=True)
def _part(rows: Rows, s: int, e: int, j: int, firsts: CodeArray, at: int, bound: int) -> int:
    """Move rows of units below the bound to the front; give the first of the others."""
    i, k = s, e - 1
    while True:
        while i <= k and _unit(firsts, at, rows.keys[i, j]) < bound:
            i += 1
        while i <= k and _unit(firsts, at, rows.keys[k, j]) >= bound:
            k -= 1
        if i >= k:
            return i
        for c in range(rows.keys.shape[1]):
            rows.keys[i, c], rows.keys[k, c] = rows.keys[k, c], rows.keys[i, c]
        rows.sizes[i], rows.sizes[k] = rows.sizes[k], rows.sizes[i]
        rows.order[i], rows.order[k] = rows.order[k], rows.order[i]


@njit(cache=True, nogil=True)
def _shows_one_code(
    rows: Rows, s: int, e: int, j: int, firsts: CodeArray, at: int, unit: int
) -> bool:
    """Tell whether all rows of a unit have the same code."""
    if at < 0:
        return True
    seen = -1
    for i in range(s, e):
        code = rows.keys[i, j]
        if firsts[at + code] == unit:
            if seen >= 0 and code != seen:
                return False
            seen = code
    return True


@njit(cache=True, nogil=True)
def _sort(rows: Rows, s: int, e: int, columns: CountArray, lo: CodeArray, hi: CodeArray) -> None:
    at = sorted_rows(rows.keys, s, e, columns, lo, hi)
    rows.keys[s:e] = rows.keys[at]
    rows.sizes[s:e] = rows.sizes[at]
    rows.order[s:e] = rows.order[at]


@njit(cache=True, nogil=True)
def _most_even(
    rows: Rows, s: int, first: int, end: int, e: int, below: int, total: int
) -> tuple[int, int]:
    """Cut the region ``s:e`` most evenly before, within or after its rows ``first:end``."""
    middle, most, lower = -1, -1, below
    size = below
    for i in range(first, end + 1):
        even = min(size, total - size)
        if even > most and s < i < e:
            middle, most, lower = i, even, size
        if i < end:
            size += rows.sizes[i]
    return middle, lower
