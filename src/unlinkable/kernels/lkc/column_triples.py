"""Threes: the columns of a cell are examined three at a time, from rows as bits.

Each value of a column but the last is cut out and crossed: all two-way tables of the columns after
it. The tables of the last value are what the others leave of those of the whole cell.
"""

from __future__ import annotations

from typing import TypeAlias

from numba import njit

from unlinkable.kernels.lkc.bad_rows import ask, forget, has_good, tell
from unlinkable.kernels.lkc.bitmaps import COLUMNS, SHRINKS, WORDS, Bits, Sheet, cut, fill, gather
from unlinkable.kernels.lkc.crossings import Tables, cross, subtract, take
from unlinkable.kernels.lkc.worst_cells import N_WORSE, Found, People, judge
from unlinkable.typing import CountArray

__all__ = ["Shape", "cross_by_threes"]

Shape: TypeAlias = tuple[int, int, int, int, int]
"""``level`` and ``first``: where the cell is, and its first column; ``length`` and ``least``: how
many columns besides the first of three make a combination, at most and at least; ``depth``: on how
many columns the cell was cut."""


@njit(cache=True, nogil=True)
def cross_by_threes(
    shape: Shape,
    mask: Bits,
    cell: Bits,
    counts: CountArray,
    sheet: Sheet,
    people: People,
    found: Found,
    tables: tuple[Tables, Tables, Tables],
    stops: bool,
) -> None:
    """Examine the columns of a cell three at a time, given its two-way tables.

    Parameters
    ----------
    shape, mask
        The cell.
    cell, counts
        Scratch memory for a part of it: its rows, and its records by hidden value.
    sheet, people, found
        The rows; whose they are; what is known.
    tables
        The two-way tables of the cell, and scratch memory for two more.
    stops
        Whether to stop at the first cell that is worse than what is known.
    """
    _, _, _, starts, columns, _, shapes, _, _ = sheet
    worst, _, path, meeting, marks = found
    whole, part, rest = tables
    level, first, length, least, depth = shape
    n_columns = shapes[level, COLUMNS]
    for j in range(first, n_columns - 2):
        # Where all rows of the cell are marked as bad, nothing more can be learned from it.
        if marks[0].size > 0:
            ask(level, sheet, marks)
            if not has_good(level, mask, sheet, marks):
                return
        after = starts[level, j + 1]
        n_slots = starts[level, n_columns] - after
        # ``rest`` begins as the tables of the whole cell. Every value of column j is subtracted in
        # turn, so the tables of the last value remain without being counted.
        take(whole, after - starts[level, first], n_slots, rest)
        for slot in range(starts[level, j], after - 1):
            if stops and worst[N_WORSE]:
                return
            n_rows = cut(level, mask, slot, sheet, cell, counts)
            if n_rows == 0:
                continue
            at, column = level, j + 1
            # A part with few rows is copied into a dense sheet of its own, which has fewer words to
            # scan.
            if _is_sparse(n_rows, n_columns - column, n_slots, shapes[level, WORDS]):
                gather(level, cell, column, length, sheet)
                at, column = level + 1, 0
                fill(cell, shapes[at, WORDS])
                if marks[0].size > 0:
                    forget(at, sheet, marks)
            path[depth] = columns[level, j]
            cross(at, column, length, cell, counts, sheet, part)
            judge(at, column, length, least, cell, depth + 1, part, sheet, people, found)
            subtract(part, n_slots, rest)
            if marks[0].size > 0 and at > level:
                tell(at, sheet, marks)
        if not (stops and worst[N_WORSE]):
            # The rows of the last value were never cut out, so marking needs its slot besides the
            # mask.
            path[depth], meeting[0] = columns[level, j], after - 1
            judge(level, j + 1, length, least, mask, depth + 1, rest, sheet, people, found)
            meeting[0] = -1


@njit(cache=True, nogil=True)
def _is_sparse(n_rows: int, n_columns: int, n_slots: int, words: int) -> bool:
    """Whether it pays to compact rows before they are crossed, as measured."""
    return n_rows * SHRINKS <= 64 * words and 80 * n_rows * n_columns < n_slots * n_slots * words
