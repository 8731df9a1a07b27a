"""Cuts: all places at which regions can be cut on a column.

An *item* is a region and a column. Its rows are sorted by that column, and every cut of it is a
number of rows that go below. The contents of both halves are found by scanning the rows.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.kernels.splitting.axes import by_width, child_level
from unlinkable.kernels.splitting.radix_sort import sorted_rows
from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["cut_boxes", "list_cuts", "tally_cuts"]


@njit(cache=True, nogil=True)
def list_cuts(
    keys: CodeArray,
    sizes: CountArray,
    start: CountArray,
    end: CountArray,
    total: CountArray,
    lo: CodeArray,
    hi: CodeArray,
    columns: CodeArray,
    scale: FloatArray,
    plan: CountArray,
    firsts: CodeArray,
    least: int,
    strict: bool,
) -> tuple[CodeArray, CountArray, CountArray, CountArray, CountArray]:
    """Find all cuts of items with at least ``least`` records in both halves.

    Item ``i`` is the region ``start[i]:end[i]`` with ``total[i]`` records and the box ``lo[i]``,
    ``hi[i]``, to be cut on ``columns[i]``. If not ``strict``, rows with equal codes may be
    separated.

    Returns the rows of all items, sorted; where those of each item start; and for every cut its
    item, the number of rows below it, and the number of records below it. O(n log n).
    """
    n_items = start.size
    indptr = np.zeros(n_items + 1, np.int64)
    indptr[1:] = np.cumsum(end - start)
    sorted_ = np.empty(indptr[-1], np.int32)
    item = np.empty(indptr[-1], np.int64)
    below = np.empty(indptr[-1], np.int64)
    lower = np.empty(indptr[-1], np.int64)
    n_cuts = 0
    for i in range(n_items):
        j = columns[i]
        # Where equal codes may be separated, the other columns break ties, so that both halves are
        # narrow.
        by = np.full(1, j, np.int64) if strict else by_width(lo, hi, i, j, scale, plan)
        own = sorted_[indptr[i] : indptr[i + 1]]
        own[:] = sorted_rows(keys, start[i], end[i], by, lo, hi, i)
        at = child_level(plan, firsts, j, lo[i, j], hi[i, j])
        may_cut = _boundaries(keys, own, j, firsts, at, strict)
        size = 0
        for k in range(own.size - 1):
            size += sizes[own[k]]
            # The cut lies before row k + 1, hence the offset.
            if may_cut[k + 1] and least <= size <= total[i] - least:
                item[n_cuts], below[n_cuts], lower[n_cuts] = i, k + 1, size
                n_cuts += 1
    return sorted_, indptr, item[:n_cuts].copy(), below[:n_cuts].copy(), lower[:n_cuts].copy()


@njit(cache=True, nogil=True)
def _boundaries(
    keys: CodeArray, rows: CodeArray, j: int, firsts: CodeArray, at: int, strict: bool
) -> CodeArray:
    """Mark the sorted rows before which a column may be cut.

    These are the rows that begin a unit, and if not ``strict``, all rows of a unit in which all
    have the same code.
    """
    may_cut = np.zeros(rows.size, np.int32)
    first = 0
    for k in range(1, rows.size + 1):
        same = False
        if k < rows.size:
            code, other = keys[rows[first], j], keys[rows[k], j]
            same = code == other if at < 0 else firsts[at + code] == firsts[at + other]
        if not same:
            may_cut[first] = 1
            if not strict and keys[rows[first], j] == keys[rows[k - 1], j]:
                may_cut[first:k] = 1
            first = k
    return may_cut


@njit(cache=True, nogil=True)
def cut_boxes(
    keys: CodeArray,
    rows: CodeArray,
    indptr: CountArray,
    item: CountArray,
    below: CountArray,
) -> tuple[CodeArray, CodeArray]:
    """Find the smallest boxes around both halves of every cut: the lower half, then the upper.

    Cuts of an item follow one another, with more and more rows below. O(n d).
    """
    n_cuts, d = item.size, keys.shape[1]
    lo = np.empty((2 * n_cuts, d), np.int32)
    hi = np.empty((2 * n_cuts, d), np.int32)
    box_lo, box_hi = np.empty(d, np.int32), np.empty(d, np.int32)
    for c in range(n_cuts):
        first = indptr[item[c]]
        begin = first
        # The lower half only grows from cut to cut, so its box is extended by the new rows.
        if c > 0 and item[c - 1] == item[c]:
            begin += below[c - 1]
        else:
            box_lo[:] = keys[rows[first]]
            box_hi[:] = keys[rows[first]]
        for k in range(begin, first + below[c]):
            for j in range(d):
                box_lo[j] = min(box_lo[j], keys[rows[k], j])
                box_hi[j] = max(box_hi[j], keys[rows[k], j])
        lo[2 * c] = box_lo
        hi[2 * c] = box_hi + np.int32(1)
    # Going backwards, the upper half only grows in the same way.
    for c in range(n_cuts - 1, -1, -1):
        end = indptr[item[c] + 1]
        if c < n_cuts - 1 and item[c + 1] == item[c]:
            end = indptr[item[c]] + below[c + 1]
        else:
            box_lo[:] = keys[rows[end - 1]]
            box_hi[:] = keys[rows[end - 1]]
        for k in range(indptr[item[c]] + below[c], end):
            for j in range(d):
                box_lo[j] = min(box_lo[j], keys[rows[k], j])
                box_hi[j] = max(box_hi[j], keys[rows[k], j])
        lo[2 * c + 1] = box_lo
        hi[2 * c + 1] = box_hi + np.int32(1)
    return lo, hi


@njit(cache=True, nogil=True)
def tally_cuts(
    indptr: CountArray,
    values: CodeArray,
    counts: CountArray,
    rows: CodeArray,
    starts: CountArray,
    item: CountArray,
    below: CountArray,
    room: int,
    seen: CountArray,
) -> tuple[CountArray, CodeArray, CountArray]:
    """Add up the histograms of both halves of every cut: the lower half, then the upper.

    Cuts of an item follow one another, with more and more rows below. ``room`` bounds the entries
    of the result. ``seen`` is scratch memory with two entries for every code, all zero before and
    after. O(n log n + entries of the result).
    """
    out_indptr = np.zeros(2 * item.size + 1, np.int64)
    out_values = np.empty(room, np.int32)
    out_counts = np.empty(room, np.int64)
    met = np.empty(0, np.int32)
    out = row = 0
    for c in range(item.size):
        if c == 0 or item[c - 1] != item[c]:
            _wipe(met, seen)
            row = starts[item[c]]
            met = _count_all(indptr, values, counts, rows[row : starts[item[c] + 1]], seen)
        while row < starts[item[c]] + below[c]:
            for k in range(indptr[rows[row]], indptr[rows[row] + 1]):
                # Even entries count the lower half and odd ones the whole item: the upper half is
                # the difference.
                seen[2 * values[k]] += counts[k]
            row += 1
        for half in range(2):
            for value in met:
                lower = seen[2 * value]
                count = lower if half == 0 else seen[2 * value + 1] - lower
                if count > 0:
                    out_values[out], out_counts[out] = value, count
                    out += 1
            out_indptr[2 * c + half + 1] = out
    _wipe(met, seen)
    return out_indptr, out_values[:out].copy(), out_counts[:out].copy()


@njit(cache=True, nogil=True)
def _count_all(
    indptr: CountArray, values: CodeArray, counts: CountArray, rows: CodeArray, seen: CountArray
) -> CodeArray:
    """Count all values of rows in the odd entries of ``seen``, and list these values, rising."""
    room = 0
    for i in rows:
        room += indptr[i + 1] - indptr[i]
    met = np.empty(min(room, seen.size // 2), np.int32)
    n = 0
    for i in rows:
        for k in range(indptr[i], indptr[i + 1]):
            if seen[2 * values[k] + 1] == 0:
                met[n] = values[k]
                n += 1
            seen[2 * values[k] + 1] += counts[k]
    met = met[:n].copy()
    met.sort()
    return met


@njit(cache=True, nogil=True)
def _wipe(met: CodeArray, seen: CountArray) -> None:
    for value in met:
        seen[2 * value] = 0
        seen[2 * value + 1] = 0
