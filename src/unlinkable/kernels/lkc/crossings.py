"""Crossings: two-way tables of all pairs of columns at once, from rows as bits.

How many records have a value of one column and a value of another is the number of ones that two
bit strings have in common. The last value of a column is never counted: it gets what the others
leave. See `unlinkable.kernels.lkc.bitmaps` for sheets, levels and slots.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numba import njit

from unlinkable.kernels.lkc.bitmaps import BITS, COLUMNS, WORDS, Bits, Sheet, ones
from unlinkable.typing import CountArray

__all__ = ["Tables", "cross", "subtract", "take"]

Tables: TypeAlias = tuple[CountArray, CountArray]
"""Records by hidden value and slot, and by hidden value and two slots, the one with the smaller
column first. Slots count from the first one of the first column that was crossed."""

_BLOCK = 256
"""Number of words that are worked on at once: those of all slots stay in the cache."""


@njit(cache=True, nogil=True)
def cross(
    level: int,
    first: int,
    length: int,
    mask: Bits,
    counts: CountArray,
    sheet: Sheet,
    tables: Tables,
) -> None:
    """Count the records of a cell that have each value, and each two values of two columns.

    Parameters
    ----------
    level, first, mask
        The rows of the cell, and the column from which on they are crossed.
    length
        Two values at once are counted if it is at least 2.
    counts
        How many records the cell has of each hidden value.
    sheet, tables
        The rows; the result.
    """
    bits, _, ends, starts, _, _, shapes, stretches, _ = sheet
    single, double = tables
    n_columns, origin = shapes[level, COLUMNS], starts[level, first]
    n_slots = starts[level, n_columns] - origin
    # Slots that are counted, and for each column which of them come after it.
    counted, after = np.empty(n_slots, np.int64), np.empty(n_columns - first, np.int64)
    room, n_counted = np.empty(_BLOCK, np.uint64), 0
    for j in range(first, n_columns):
        for slot in range(starts[level, j], starts[level, j + 1] - 1):
            counted[n_counted] = slot
            n_counted += 1
        after[j - first] = n_counted
    for value in range(counts.size):
        for a in range(n_slots):
            single[value, a] = 0
            if length > 1:
                # Only the upper half is used: the slot of the smaller column comes first.
                for b in range(a + 1, n_slots):
                    double[value, a, b] = 0
    lo, words, base = 0, shapes[level, WORDS], shapes[level, BITS]
    for stretch in range(len(stretches)):
        value, weight = stretches[stretch, 0], stretches[stretch, 1]
        while lo < ends[level, stretch]:
            hi = min(lo + _BLOCK, ends[level, stretch])
            at = 0
            for j in range(first, n_columns):
                for at in range(after[j - first - 1] if j > first else 0, after[j - first]):
                    begin = base + counted[at] * words
                    n = _both(mask[lo:hi], bits[begin + lo : begin + hi], room)
                    single[value, counted[at] - origin] += n * weight
                    # A block without rows of this slot has nothing in common with any other slot.
                    if n > 0 and length > 1:
                        line = double[value, counted[at] - origin]
                        _meet(
                            room[: hi - lo],
                            bits,
                            base + lo,
                            words,
                            counted[after[j - first] : n_counted],
                            origin,
                            weight,
                            line,
                        )
            lo = hi
    _complete(level, first, length, counts, sheet, tables)


@njit(cache=True, nogil=True)
def _both(mask: Bits, has_it: Bits, out: Bits) -> int:
    n = np.uint64(0)
    for i in range(mask.size):
        out[i] = mask[i] & has_it[i]
        n += ones(out[i])
    return int(n)


@njit(cache=True, nogil=True)
def _meet(
    cell: Bits,
    bits: Bits,
    base: int,
    words: int,
    slots: CountArray,
    origin: int,
    weight: int,
    out: CountArray,
) -> None:
    """Add up what a block of a cell has in common with each of these slots."""
    size = cell.size
    whole = slots.size - slots.size % 4
    # Four slots at a time read each word of the cell once for all of them.
    for i in range(0, whole, 4):
        s0, s1, s2, s3 = slots[i], slots[i + 1], slots[i + 2], slots[i + 3]
        b0 = bits[base + s0 * words : base + s0 * words + size]
        b1 = bits[base + s1 * words : base + s1 * words + size]
        b2 = bits[base + s2 * words : base + s2 * words + size]
        b3 = bits[base + s3 * words : base + s3 * words + size]
        n0, n1, n2, n3 = np.uint64(0), np.uint64(0), np.uint64(0), np.uint64(0)
        for w in range(size):
            word = cell[w]
            n0 += ones(word & b0[w])
            n1 += ones(word & b1[w])
            n2 += ones(word & b2[w])
            n3 += ones(word & b3[w])
        out[s0 - origin] += np.int64(n0) * weight
        out[s1 - origin] += np.int64(n1) * weight
        out[s2 - origin] += np.int64(n2) * weight
        out[s3 - origin] += np.int64(n3) * weight
    for i in range(whole, slots.size):
        b0 = bits[base + slots[i] * words : base + slots[i] * words + size]
        n0 = np.uint64(0)
        for w in range(size):
            n0 += ones(cell[w] & b0[w])
        out[slots[i] - origin] += np.int64(n0) * weight


@njit(cache=True, nogil=True)
def _complete(
    level: int, first: int, length: int, counts: CountArray, sheet: Sheet, tables: Tables
) -> None:
    """Give the last value of each column what the others leave."""
    starts, shapes = sheet[3], sheet[6]
    single, double = tables
    n_columns, origin = shapes[level, COLUMNS], starts[level, first]
    n_slots = starts[level, n_columns] - origin
    for value in range(counts.size):
        for j in range(first, n_columns):
            lo, last = starts[level, j] - origin, starts[level, j + 1] - origin - 1
            # Every record has exactly one value of each column, so all of a column add up to the
            # cell.
            single[value, last] = counts[value]
            for a in range(lo, last):
                single[value, last] -= single[value, a]
        if length < 2:
            continue
        for j in range(first, n_columns):
            lo, last = starts[level, j] - origin, starts[level, j + 1] - origin - 1
            rest = double[value, last]
            # The line of the last value starts as the totals, and the lines of the others are
            # subtracted.
            for b in range(last + 1, n_slots):
                rest[b] = single[value, b]
            for a in range(lo, last):
                line = double[value, a]
                for i in range(j + 1, n_columns):
                    end = starts[level, i + 1] - origin - 1
                    left = single[value, a]
                    for b in range(starts[level, i] - origin, end):
                        left -= line[b]
                    line[end] = left
                for b in range(last + 1, n_slots):
                    rest[b] -= line[b]


@njit(cache=True, nogil=True)
def take(source: Tables, shift: int, n_slots: int, out: Tables) -> None:
    """Copy tables from a slot on."""
    for value in range(len(source[0])):
        for a in range(n_slots):
            out[0][value, a] = source[0][value, a + shift]
            line, into = source[1][value, a + shift], out[1][value, a]
            for b in range(a + 1, n_slots):
                into[b] = line[b + shift]


@njit(cache=True, nogil=True)
def subtract(part: Tables, n_slots: int, out: Tables) -> None:
    """Subtract tables of a part from those of the whole."""
    for value in range(len(part[0])):
        for a in range(n_slots):
            out[0][value, a] -= part[0][value, a]
            line, into = part[1][value, a], out[1][value, a]
            for b in range(a + 1, n_slots):
                into[b] -= line[b]
