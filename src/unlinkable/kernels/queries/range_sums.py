"""Range sums: the mass of blocks in ranges of codes, by scanning or from summed-area tables."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numba import njit

from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["order_by_code", "shares_in_ranges", "sums_by_scan", "sums_by_slices"]

Shape: TypeAlias = tuple[CountArray, CountArray, CountArray, BoolArray]
"""Of the columns of a table, the scanned one first: their numbers, sizes and strides, and whether
they have boxes wider than 1."""

Lines: TypeAlias = tuple[FloatArray, FloatArray]
"""Each cell of a table as a line in t: its level, and its slope, if any line has one."""


@njit(cache=True, nogil=True)
def sums_by_slices(
    lo: CodeArray,
    hi: CodeArray,
    masses: FloatArray,
    at: CountArray,
    sizes: CountArray,
    is_spread: BoolArray,
    asked_lo: CodeArray,
    asked_hi: CodeArray,
) -> FloatArray:
    """Add up the mass of blocks in each query on the columns ``at``; the first is scanned.

    Block ``i`` covers the codes ``[lo[c, i], hi[c, i])`` of column ``c``, none if that begins below
    0. ``sizes`` counts the codes of the columns of ``at``, ``is_spread`` tells which have boxes
    wider than 1, and query ``q`` asks for ``[asked_lo[q, j], asked_hi[q, j])`` of the ``j``-th.

    For c codes and m cells of the table: O(2^d n + min(c, queries) d m + 2^d queries) time, and
    memory for three tables. It is faster if blocks rise by where they begin on the first column,
    because memory is then read in order.
    """
    strides, n_cells = _strides(sizes)
    shape = (at, sizes, strides, is_spread)
    lines = np.zeros(n_cells), np.zeros(n_cells if is_spread[0] else 0)
    table = np.empty(n_cells)
    keys, amounts = _cells(lo, hi, masses, shape)
    first, last = lo[at[0]], hi[at[0]]
    entering, starts = order_by_code(first, sizes[0])
    leaving, ends = order_by_code(last if is_spread[0] else first[:0], sizes[0] + 1)
    asking, asks = _by_end(asked_lo[:, 0], asked_hi[:, 0], sizes[0])
    out = np.zeros(asked_lo.shape[0])
    for t in range(1, sizes[0] + 1):
        rows = entering[starts[t - 1] : starts[t]]
        _add_lines(lo, hi, rows, t, True, shape, keys, amounts, lines)
        rows = leaving[ends[t] : ends[t + 1]]
        _add_lines(lo, hi, rows, t, False, shape, keys, amounts, lines)
        # The table is only summed at codes where a query begins or ends.
        if asks[t] < asks[t + 1]:
            _fill(table, lines, t)
            for j in range(1, at.size):
                _add_along(table, sizes[j], strides[j], is_spread[j])
        for k in range(asks[t], asks[t + 1]):
            q = asking[k] >> 1
            value = _look_up(table, strides, asked_lo[q], asked_hi[q])
            # F(b) is added and F(a) subtracted; the lowest bit says which end this is.
            out[q] += value if asking[k] & 1 else -value
    return out


@njit(cache=True, nogil=True)
def _strides(sizes: CountArray) -> tuple[CountArray, int]:
    strides = np.zeros(sizes.size, np.int64)
    n_cells = 1
    for j in range(sizes.size - 1, 0, -1):
        strides[j] = n_cells
        n_cells *= sizes[j]
    return strides, n_cells


@njit(cache=True, nogil=True)
def order_by_code(codes: CodeArray, n_codes: int) -> tuple[CodeArray, CountArray]:
    """Sort rows by their codes; those below 0 are left out. Tell where each code begins. O(n)."""
    starts = _starts(codes, n_codes)
    order = np.empty(starts[n_codes], np.int32)
    free = starts.copy()
    for i in range(codes.size):
        if codes[i] >= 0:
            order[free[codes[i]]] = i
            free[codes[i]] += 1
    return order, starts


@njit(cache=True, nogil=True)
def _starts(codes: CodeArray, n_codes: int) -> CountArray:
    starts = np.zeros(n_codes + 1, np.int64)
    for code in codes:
        if code >= 0:
            starts[code + 1] += 1
    for code in range(n_codes):
        starts[code + 1] += starts[code]
    return starts


@njit(cache=True, nogil=True)
def _by_end(lo: CodeArray, hi: CodeArray, n_codes: int) -> tuple[CountArray, CountArray]:
    """Sort the ends of queries by their codes: twice the query, and 1 more for its upper end."""
    ends = np.empty(2 * lo.size, np.int32)
    for q in range(lo.size):
        ends[2 * q], ends[2 * q + 1] = lo[q], hi[q]
    order, starts = order_by_code(ends, n_codes + 1)
    return order.astype(np.int64), starts


@njit(cache=True, nogil=True)
def _cells(
    lo: CodeArray, hi: CodeArray, masses: FloatArray, shape: Shape
) -> tuple[CountArray, FloatArray]:
    """Find the first cell of every block, -1 if it has none, and its mass in each of its cells."""
    at, _, strides, is_spread = shape
    keys, amounts = np.zeros(masses.size, np.int64), masses.copy()
    for j in range(at.size):
        begin, end, stride = lo[at[j]], hi[at[j]], strides[j]
        for i in range(keys.size):
            keys[i] += begin[i] * stride
        if is_spread[j]:
            for i in range(keys.size):
                amounts[i] /= end[i] - begin[i]
    for j in range(at.size):
        begin = lo[at[j]]
        for i in range(keys.size):
            if begin[i] < 0:
                keys[i] = -1
    return keys, amounts


@njit(cache=True, nogil=True)
def _add_lines(
    lo: CodeArray,
    hi: CodeArray,
    rows: CodeArray,
    t: int,
    enters: bool,
    shape: Shape,
    keys: CountArray,
    amounts: FloatArray,
    lines: Lines,
) -> None:
    """Start the slope of the lines of blocks before t, or end it from t on.

    A line is stored with its sign in the corners of its block, where the differences are. Blocks of
    width 1 are level from the beginning.
    """
    at, sizes, strides, is_spread = shape
    levels, rises = lines
    first, last = lo[at[0]], hi[at[0]]
    corners, signs = np.empty(1 << at.size, np.int64), np.empty(1 << at.size)
    for i in rows:
        is_point = last[i] - first[i] == 1
        if keys[i] < 0 or (is_point and not enters):
            continue
        n = 1
        corners[0], signs[0] = keys[i], 1.0
        for j in range(1, at.size):
            # A corner beyond the table is not needed: no sum reaches it.
            if is_spread[j] and hi[at[j], i] < sizes[j]:
                step = (hi[at[j], i] - lo[at[j], i]) * strides[j]
                for c in range(n):
                    corners[n + c], signs[n + c] = corners[c] + step, -signs[c]
                n *= 2
        for c in range(n):
            amount = signs[c] * amounts[i]
            if is_point:
                levels[corners[c]] += amount
            else:
                rises[corners[c]] += amount if enters else -amount
                # The slope times (t - first) is the mass so far. When the block ends, its level
                # replaces it.
                levels[corners[c]] += -amount * first[i] if enters else amount * t


@njit(cache=True, nogil=True)
def _fill(table: FloatArray, lines: Lines, t: int) -> None:
    levels, rises = lines
    if rises.size == 0:
        for c in range(table.size):
            table[c] = levels[c]
    else:
        for c in range(table.size):
            table[c] = rises[c] * t + levels[c]


@njit(cache=True, nogil=True)
def _add_along(table: FloatArray, size: int, stride: int, twice: bool) -> None:
    """Replace the values along an axis by their cumulative sums, once or twice."""
    if stride == 1:
        # Where boxes are wide, corners are differences of densities: one sum gives the density at a
        # code, the second the mass up to it.
        for first in range(0, table.size, size):
            once, again = 0.0, 0.0
            for c in range(first, first + size):
                once += table[c]
                again += once
                table[c] = again if twice else once
        return
    for _ in range(2 if twice else 1):
        for first in range(0, table.size, size * stride):
            for c in range(first + stride, first + size * stride, stride):
                before, here = table[c - stride : c], table[c : c + stride]
                for i in range(stride):
                    here[i] += before[i]


@njit(cache=True, nogil=True)
def _look_up(table: FloatArray, strides: CountArray, lo: CodeArray, hi: CodeArray) -> float:
    """Compute the mass of a box from sums along all axes, at its corners."""
    value = 0.0
    for corner in range(1 << (lo.size - 1)):
        key, sign = 0, 1.0
        for j in range(1, lo.size):
            if corner >> (j - 1) & 1:
                end, sign = lo[j], -sign
            else:
                end = hi[j]
            # Nothing lies before code 0, so a corner there adds nothing.
            if end == 0:
                key = -1
                break
            key += (end - 1) * strides[j]
        if key >= 0:
            value += sign * table[key]
    return value


_TILE = 1024
"""Number of blocks scanned for all queries before the next ones: they stay in the cache."""


@njit(cache=True, nogil=True)
def sums_by_scan(
    lo: CodeArray,
    hi: CodeArray,
    masses: FloatArray,
    buckets: CodeArray,
    shares: FloatArray,
    at: CountArray,
    is_spread: BoolArray,
    asked_lo: CodeArray,
    asked_hi: CodeArray,
) -> FloatArray:
    """Add up the mass of blocks in each query ``q`` on its columns ``at[q]``.

    ``is_spread`` tells for every column whether boxes are wider than 1. Of the mass of block ``i``,
    query ``q`` gets no more than ``shares[q, buckets[i]]``, or all if there are no buckets.
    O(d n queries) time, and O(1) memory.
    """
    n = masses.size
    inside = np.empty(_TILE)
    out = np.zeros(at.shape[0])
    for tile in range(0, n, _TILE):
        m = min(_TILE, n - tile)
        for q in range(at.shape[0]):
            for i in range(m):
                inside[i] = masses[tile + i]
            for j in range(at.shape[1]):
                begin = lo[at[q, j], tile : tile + m]
                end = hi[at[q, j], tile : tile + m]
                _keep(inside, begin, end, is_spread[at[q, j]], asked_lo[q, j], asked_hi[q, j])
            total = 0.0
            if buckets.size > 0:
                for i in range(m):
                    total += inside[i] * shares[q, buckets[tile + i]]
            else:
                for i in range(m):
                    total += inside[i]
            out[q] += total
    return out


@njit(cache=True, nogil=True)
def _keep(
    inside: FloatArray, begin: CodeArray, end: CodeArray, is_spread: bool, least: int, most: int
) -> None:
    """Keep of each mass the share of its range that lies in the queried range."""
    if not is_spread:
        for i in range(begin.size):
            inside[i] = inside[i] if least <= begin[i] < most else 0.0
        return
    for i in range(begin.size):
        # Records are taken to be spread evenly over their range, so the mass shrinks with the
        # overlap.
        common = min(end[i], most) - max(begin[i], least)
        inside[i] *= max(common, 0) / (end[i] - begin[i])


@njit(cache=True, nogil=True)
def shares_in_ranges(
    indptr: CountArray, values: CodeArray, counts: CountArray, lo: CodeArray, hi: CodeArray
) -> FloatArray:
    """Compute the share of the counts of every group that lies in each range of values.

    Takes a CSR matrix; a group without counts has a share of 0. O(entries) for every range.
    """
    n_groups = indptr.size - 1
    out = np.zeros((lo.size, n_groups))
    for q in range(lo.size):
        for g in range(n_groups):
            within, total = 0, 0
            for e in range(indptr[g], indptr[g + 1]):
                total += counts[e]
                if lo[q] <= values[e] < hi[q]:
                    within += counts[e]
            if total > 0:
                out[q, g] = within / total
    return out
