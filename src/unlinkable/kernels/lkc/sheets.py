"""Sheets: the rows of members are laid out in runs of one hidden value and one weight.

See `unlinkable.kernels.lkc.bitmaps` for what a sheet is.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numba import njit

from unlinkable.kernels.lkc.bitmaps import (
    BITS,
    COLUMNS,
    MEMBERS,
    PADDING,
    SHRINKS,
    WORDS,
    Codes,
    Sheet,
    pack,
)
from unlinkable.typing import CodeArray, CountArray

__all__ = ["Rows", "make_sheet"]

Rows: TypeAlias = tuple[CodeArray, CountArray, CodeArray]
"""The member, the records and the hidden value of each row."""


@njit(cache=True, nogil=True)
def make_sheet(
    rows: Rows, n_hidden: int, codes: Codes, n_codes: CountArray, n_levels: int
) -> Sheet:
    """Lay out the rows of members in runs, and allocate memory for so many levels.

    Parameters
    ----------
    rows, n_hidden
        The rows, and a bound on their hidden values.
    codes, n_codes
        By member and column the code; by column a bound on it.
    n_levels
        At least one.
    """
    # A row of, say, 5 records is written twice, with weights 1 and 4. Each run has a single weight,
    # so its records are counted as set bits times a power of two.
    counts = _by_weight(rows, n_hidden)
    n_weights, n_stretches = len(counts), 0
    for bit in range(n_weights):
        for value in range(n_hidden):
            n_stretches += counts[bit, value] > 0
    stretches, words, at = np.empty((n_stretches, 2), np.int64), 0, 0
    ends = np.zeros((n_levels, n_stretches), np.int64)
    for bit in range(n_weights):
        for value in range(n_hidden):
            n = counts[bit, value]
            # From now on, where the next row of the stretch goes.
            counts[bit, value] = 64 * words
            if n > 0:
                # Every run begins at a new word, so a word never mixes two values or weights.
                words += (n + 63) // 64
                stretches[at, 0], stretches[at, 1], ends[0, at] = value, 1 << bit, words
                at += 1
    sheet = _room(words, ends, stretches, codes, n_codes)
    _lay(rows, counts, sheet[1][: 64 * words])
    pack(sheet[6][0, BITS], sheet)  # a 0 that is no literal
    return sheet


@njit(cache=True, nogil=True)
def _by_weight(rows: Rows, n_hidden: int) -> CountArray:
    """Count by power of two and hidden value the rows whose number of records includes it."""
    _, sizes, values = rows
    counts, n_weights = np.zeros((63, n_hidden), np.int64), 1
    for row in range(sizes.size):
        left, bit = sizes[row], 0
        while left > 0:
            counts[bit, values[row]] += left & 1
            left, bit = left >> 1, bit + 1
        n_weights = max(n_weights, bit)
    return counts[:n_weights]


@njit(cache=True, nogil=True)
def _lay(rows: Rows, places: CountArray, members: CodeArray) -> None:
    """Write the member of each row into each of its stretches."""
    member_of, sizes, values = rows
    for i in range(members.size):
        members[i] = PADDING
    for row in range(member_of.size):
        left, bit = sizes[row], 0
        while left > 0:
            if left & 1:
                members[places[bit, values[row]]] = member_of[row]
                places[bit, values[row]] += 1
            left, bit = left >> 1, bit + 1


@njit(cache=True, nogil=True)
def _room(
    words: int, ends: CountArray, stretches: CountArray, codes: Codes, n_codes: CountArray
) -> Sheet:
    """Allocate the rows of all levels, and number the slots of the first."""
    n_levels, n_stretches = ends.shape
    n_columns = n_codes.size
    shapes = np.zeros((n_levels, 4), np.int64)
    starts = np.zeros((n_levels, n_columns + 1), np.int64)
    columns = np.zeros((n_levels, n_columns), np.int64)
    widest = 1
    for j in range(n_columns):
        starts[0, j + 1], columns[0, j] = starts[0, j] + n_codes[j], j
        widest = max(widest, n_codes[j])
    slots = np.empty((n_levels, n_columns, widest), np.int32)
    for j in range(n_columns):
        for code in range(widest):
            slots[0, j, code] = starts[0, j] + code
    shapes[0, WORDS], shapes[0, COLUMNS] = words, n_columns
    n_bits, n_rows, most = 0, 0, words
    for level in range(n_levels):
        shapes[level, BITS], shapes[level, MEMBERS] = n_bits, n_rows
        n_bits, n_rows = n_bits + most * starts[0, n_columns], n_rows + 64 * most
        # A deeper level is made only when its rows shrink by this factor. Each of its runs may
        # still waste part of a word.
        most = most // SHRINKS + n_stretches
    bits, members = np.empty(n_bits, np.uint64), np.empty(n_rows, np.int32)
    return bits, members, ends, starts, columns, slots, shapes, stretches, codes
