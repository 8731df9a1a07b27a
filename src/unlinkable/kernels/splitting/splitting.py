"""Splitting: regions of space are cut in two.

Rows of codes are kept in the order of their regions: region ``g`` is the rows ``start[g]:end[g]``,
and a cut moves the rows of its lower half to the front, as quicksort does. The order of rows within
a region is arbitrary, so a cut that is rejected need not be undone.

``sizes`` is how many records each row stands for, ``order`` where it was in the beginning; both
move with the rows. For ``scale``, ``plan`` and ``firsts`` see `unlinkable.kernels.splitting.axes`.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.kernels.splitting.axes import by_width, child_level, mixes_missing, next_widest
from unlinkable.kernels.splitting.medians import BUCKETS, median, unit_of
from unlinkable.kernels.splitting.radix_sort import sorted_rows
from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["halve", "ranges"]


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
    keys: CodeArray,
    sizes: CountArray,
    order: CodeArray,
    start: CountArray,
    end: CountArray,
    total: CountArray,
    lo: CodeArray,
    hi: CodeArray,
    last: CodeArray,
    scale: FloatArray,
    plan: CountArray,
    firsts: CodeArray,
    least: int,
    strict: bool,
) -> tuple[CountArray, CountArray, int]:
    """Cut every region as evenly as possible on its widest column, or the next widest, and so on.

    Columns up to ``last`` in that order have been tried before; ``last`` is advanced to the column
    that is cut now. No half of fewer than ``least`` records is made. A region with missing beside
    other values on a column is first cut between these. If not ``strict``, rows with equal codes
    are separated where the column cannot be cut otherwise: they go to the halves in the order of
    their codes on the other columns, widest first.

    Returns the first row of every upper half, -1 if no column can be cut; the size of every lower
    half; and the number of cuts tried. O(n d) for every column that is tried.
    """
    n_regions = start.size
    middle = np.full(n_regions, -1, np.int64)
    lower = np.zeros(n_regions, np.int64)
    counts = np.zeros(BUCKETS, np.int64)
    tried = 0
    for g in range(n_regions):
        s, e = start[g], end[g]
        # A region with fewer than 2 least records cannot have two large enough halves.
        while total[g] >= 2 * least and middle[g] < 0:
            j = next_widest(lo, hi, g, last[g], scale, plan)
            if j < 0:
                break
            last[g] = j
            tried += 1
            at, bound, lower[g] = _even_cut(
                keys, sizes, s, e, j, lo[g, j], hi[g, j], total[g], plan, firsts, least, counts
            )
            if lower[g] > 0:
                middle[g] = _part(keys, sizes, order, s, e, j, firsts, at, bound)
            elif not strict and _shows_one_code(keys, s, e, j, firsts, at, bound):
                middle[g], lower[g] = _part_ties(
                    keys,
                    sizes,
                    order,
                    s,
                    e,
                    j,
                    total[g],
                    lo,
                    hi,
                    g,
                    scale,
                    plan,
                    firsts,
                    at,
                    bound,
                    least,
                )
    return middle, lower, tried


@njit(cache=True, nogil=True)
def _even_cut(
    keys: CodeArray,
    sizes: CountArray,
    s: int,
    e: int,
    j: int,
    lo: int,
    hi: int,
    total: int,
    plan: CountArray,
    firsts: CodeArray,
    least: int,
    counts: CountArray,
) -> tuple[int, int, int]:
    """Find where to cut a region: the kind of unit, the unit to cut before, and the records below.

    If there is no cut, the number is 0, and the unit is the one that contains the median.
    """
    missing = plan[j, 0]
    if mixes_missing(lo, hi, missing):
        # The missing value has the last code, so everything else lies below it.
        lower = total - _size_of_code(keys, sizes, s, e, j, missing)
        if least <= lower <= total - least:
            return -1, missing, lower
    at = child_level(plan, firsts, j, lo, hi)
    unit, below, equal = median(keys, sizes, s, e, j, lo, hi, total, firsts, at, counts)
    # One of the two cuts beside the median is the most even one.
    is_upper = total - below - equal > below
    lower = below + equal if is_upper else below
    if least <= lower <= total - least:
        return at, unit + is_upper, lower
    return at, unit, 0


@njit(cache=True, nogil=True)
def _size_of_code(keys: CodeArray, sizes: CountArray, s: int, e: int, j: int, code: int) -> int:
    size = 0
    for i in range(s, e):
        if keys[i, j] == code:
            size += sizes[i]
    return size


@njit(cache=True, nogil=True)
def _part(
    keys: CodeArray,
    sizes: CountArray,
    order: CodeArray,
    s: int,
    e: int,
    j: int,
    firsts: CodeArray,
    at: int,
    bound: int,
) -> int:
    """Move rows of units below the bound to the front; return the first of the others."""
    i, k = s, e - 1
    while True:
        while i <= k and unit_of(firsts, at, keys[i, j]) < bound:
            i += 1
        while i <= k and unit_of(firsts, at, keys[k, j]) >= bound:
            k -= 1
        if i >= k:
            return i
        for c in range(keys.shape[1]):
            keys[i, c], keys[k, c] = keys[k, c], keys[i, c]
        sizes[i], sizes[k] = sizes[k], sizes[i]
        order[i], order[k] = order[k], order[i]


@njit(cache=True, nogil=True)
def _shows_one_code(
    keys: CodeArray, s: int, e: int, j: int, firsts: CodeArray, at: int, unit: int
) -> bool:
    """Tell whether all rows of a unit have the same code."""
    seen = -1
    for i in range(s, e):
        code = keys[i, j]
        if unit_of(firsts, at, code) == unit:
            if seen >= 0 and code != seen:
                return False
            seen = code
    return True


@njit(cache=True, nogil=True)
def _part_ties(
    keys: CodeArray,
    sizes: CountArray,
    order: CodeArray,
    s: int,
    e: int,
    j: int,
    total: int,
    lo: CodeArray,
    hi: CodeArray,
    g: int,
    scale: FloatArray,
    plan: CountArray,
    firsts: CodeArray,
    at: int,
    unit: int,
    least: int,
) -> tuple[int, int]:
    """Cut a region most evenly before, within or after the rows of one unit."""
    # Afterwards the region is sorted into three: units below, this unit, and units above.
    first = _part(keys, sizes, order, s, e, j, firsts, at, unit)
    after = _part(keys, sizes, order, first, e, j, firsts, at, unit + 1)
    rows = sorted_rows(keys, first, after, by_width(lo, hi, g, j, scale, plan)[1:], lo, hi, g)
    _rearrange(keys, sizes, order, first, rows)
    size = 0
    for i in range(s, first):
        size += sizes[i]
    middle, lower, best = -1, 0, least - 1
    for i in range(first, after + 1):
        even = min(size, total - size)
        if even > best:
            middle, lower, best = i, size, even
        if i < after:
            size += sizes[i]
    return middle, lower


@njit(cache=True, nogil=True)
def _rearrange(
    keys: CodeArray, sizes: CountArray, order: CodeArray, first: int, rows: CodeArray
) -> None:
    """Copy these rows, in their order, to consecutive places from ``first`` on."""
    n, d = rows.size, keys.shape[1]
    old_keys = np.empty((n, d), np.int32)
    old_sizes = np.empty(n, np.int64)
    old_order = np.empty(n, np.int32)
    for i in range(n):
        for j in range(d):
            old_keys[i, j] = keys[rows[i], j]
        old_sizes[i], old_order[i] = sizes[rows[i]], order[rows[i]]
    for i in range(n):
        for j in range(d):
            keys[first + i, j] = old_keys[i, j]
        sizes[first + i], order[first + i] = old_sizes[i], old_order[i]
