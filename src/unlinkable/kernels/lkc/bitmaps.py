"""Bitmaps: for each value of each column one bit for every row, 64 rows in a word.

Members are sets of records that agree on all columns. A member of n records is a row in the run of
every power of two that n is a sum of, separately for each hidden value. A run (``stretch``) is all
rows of one value and one weight, so counting records is counting ones and needs no look at the
rows. A value of a column is a *slot*; the rows that agree on several slots are found by ``and``.

A *sheet* holds such bits on several levels. Level 0 has all rows. A further level has those rows of
the one above that are left in a small cell, compacted, so that work on them is short.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray

from unlinkable.typing import CodeArray, CountArray

__all__ = ["BITS", "COLUMNS", "MEMBERS", "PADDING", "SHRINKS", "WORDS", "Bits", "Codes", "Sheet"]
__all__ += ["cut", "fill", "gather", "next_row", "ones", "pack"]

Bits: TypeAlias = NDArray[np.uint64]
Codes: TypeAlias = NDArray[np.uint8]

Sheet: TypeAlias = tuple[
    Bits, CodeArray, CountArray, CountArray, CountArray, CodeArray, CountArray, CountArray, Codes
]
"""``bits`` and ``members``: one after the other for all levels; ``ends``: by level and stretch, the
word after its last; ``starts``: by level and column, its first slot; ``columns``: by level and
column, the column of the table; ``slots``: by level, column and code, the slot, or -1; ``shapes``:
by level, what the constants below name; ``stretches``: the value and the weight of each;
``codes``: by member and column of the table."""

BITS, MEMBERS, WORDS, COLUMNS = range(4)
"""Where the bits and the members of a level begin, its words in a slot, its columns."""

SHRINKS = 2
"""A level has at most one in this many of the rows of the one above."""

PADDING = -1
"""The member of a row that does not exist: runs are filled up to whole words."""


@njit(cache=True, nogil=True)
def ones(word: np.uint64) -> np.uint64:
    """Count the ones in a word; in a loop, compilers turn this into vector instructions."""
    # Counts of neighbouring bits are added in parallel: of pairs, of fours, of eights; the product
    # adds the eight bytes into the highest one.
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    pairs = np.uint64(0x3333333333333333)
    word = (word & pairs) + ((word >> np.uint64(2)) & pairs)
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return (word * np.uint64(0x0101010101010101)) >> np.uint64(56)


@njit(cache=True, nogil=True)
def pack(level: int, sheet: Sheet) -> None:
    """Set the bits of a level whose members, columns and slots are known. O(rows x columns)."""
    bits, members, _, starts, columns, slots, shapes, _, codes = sheet
    words, n_columns = shapes[level, WORDS], shapes[level, COLUMNS]
    n_slots = starts[level, n_columns]
    word_of = np.zeros(n_slots, np.uint64)
    at = shapes[level, MEMBERS]
    for word in range(words):
        for i in range(64):
            member = members[at + i]
            # Padding only stands at the end of a run, which ends with its word: no row follows it
            # there.
            if member == PADDING:
                break
            bit = np.uint64(1) << np.uint64(i)
            for j in range(n_columns):
                word_of[slots[level, j, codes[member, columns[level, j]]]] |= bit
        at += 64
        # Bits lie slot by slot, so the words of neighbouring slots are ``words`` apart.
        to = shapes[level, BITS] + word
        for slot in range(n_slots):
            bits[to] = word_of[slot]
            word_of[slot] = 0
            to += words


@njit(cache=True, nogil=True)
def cut(level: int, mask: Bits, slot: int, sheet: Sheet, out: Bits, counts: CountArray) -> int:
    """Keep the rows of a cell that have a value, and count their records by hidden value.

    Returns the number of rows. O(words).
    """
    bits, _, ends, _, _, _, shapes, stretches, _ = sheet
    words = shapes[level, WORDS]
    first = shapes[level, BITS] + slot * words
    has_it = bits[first : first + words]
    n_rows, lo = 0, 0
    for value in range(counts.size):
        counts[value] = 0
    for stretch in range(len(stretches)):
        hi = ends[level, stretch]
        n = np.uint64(0)
        for word in range(lo, hi):
            out[word] = mask[word] & has_it[word]
            n += ones(out[word])
        n_rows += int(n)
        # All rows of a run have the same weight, so its records are its ones times that weight.
        counts[stretches[stretch, 0]] += int(n) * stretches[stretch, 1]
        lo = hi
    return n_rows


@njit(cache=True, nogil=True)
def gather(level: int, mask: Bits, after: int, length: int, sheet: Sheet) -> None:
    """Compact the rows of a cell on the next level, with the columns from ``after`` on.

    If more than two columns are to come (``length``), those with one value in the cell are left
    out. Otherwise slots keep their order. O(rows x columns).
    """
    _, members, ends, starts, columns, slots, shapes, stretches, _ = sheet
    lower, drops = level + 1, length > 2
    at, lo, words = shapes[lower, MEMBERS], 0, 0
    for stretch in range(len(stretches)):
        first = at
        for word in range(lo, ends[level, stretch]):
            left, row = mask[word], shapes[level, MEMBERS] + 64 * word
            while left:
                # The ones below the lowest set bit are as many as its position.
                below = (left & (~left + np.uint64(1))) - np.uint64(1)
                members[at] = members[row + int(ones(below))]
                at += 1
                left &= left - np.uint64(1)
        lo = ends[level, stretch]
        while (at - first) % 64 != 0:
            members[at] = PADDING
            at += 1
        words += (at - first) // 64
        ends[lower, stretch] = words
    n_kept, n_slots, n_columns = 0, 0, shapes[level, COLUMNS]
    for j in range(after, n_columns):
        first = n_slots
        if drops:
            n_slots = _number(level, j, shapes[lower, MEMBERS], at, n_kept, n_slots, sheet)
        else:
            n_slots += starts[level, j + 1] - starts[level, j]
            for code in range(slots.shape[2]):
                slots[lower, n_kept, code] = slots[level, j, code] - starts[level, after]
        # A column with a single value in the cell divides it no further.
        if drops and n_slots - first < 2:
            n_slots = first
            continue
        columns[lower, n_kept], starts[lower, n_kept] = columns[level, j], first
        n_kept += 1
    starts[lower, n_kept] = n_slots
    shapes[lower, WORDS], shapes[lower, COLUMNS] = words, n_kept
    pack(lower, sheet)


@njit(cache=True, nogil=True)
def _number(
    level: int, column: int, first: int, last: int, to: int, n_slots: int, sheet: Sheet
) -> int:
    """Number the codes of a column that members of the next level have, in the order of slots."""
    _, members, _, _, columns, slots, _, _, codes = sheet
    here, source = slots[level + 1, to], columns[level, column]
    for code in range(here.size):
        here[code] = -1
    for row in range(first, last):
        if members[row] != PADDING:
            here[codes[members[row], source]] = 0
    for code in range(here.size):
        if here[code] == 0:
            here[code] = n_slots
            n_slots += 1
    return n_slots


@njit(cache=True, nogil=True)
def fill(mask: Bits, words: int) -> None:
    """Mark all rows as part of a cell."""
    for word in range(words):
        # Padding is marked as well. It has no bit in any slot, so the first ``and`` with a slot
        # clears it.
        mask[word] = ~np.uint64(0)


@njit(cache=True, nogil=True)
def next_row(level: int, mask: Bits, meeting: CountArray, row: int, sheet: Sheet) -> int:
    """Find the next row of a cell, from a row on, that has all these values; -1 stands for any.

    Returns -1 if there is none. Where the mask has all rows, so has padding.
    """
    bits, _, _, _, _, _, shapes, _, _ = sheet
    words, base = shapes[level, WORDS], shapes[level, BITS]
    for word in range(row // 64, words):
        both = mask[word]
        if word == row // 64:
            # Rows before the one to start from are masked out of its word.
            both &= ~np.uint64(0) << np.uint64(row % 64)
        for slot in meeting:
            if slot >= 0:
                both &= bits[base + slot * words + word]
        if both:
            return 64 * word + int(ones((both & (~both + np.uint64(1))) - np.uint64(1)))
    return -1
