"""Few columns: the worst cells over all combinations of a few columns, by bits.

Cells are cut depth first, one value of a further column at a time. Three columns before the end, a
cell is crossed instead: all its two-way tables; then those of each of its values but the last,
whose tables are what the others leave. So the last two columns of a combination are never cut, and
neither is the most frequent value of the third last.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.kernels.lkc.bad_rows import ask, forget, has_good, tell
from unlinkable.kernels.lkc.bitmaps import COLUMNS, SHRINKS, WORDS, Bits, Sheet, cut, fill, gather
from unlinkable.kernels.lkc.column_triples import cross_by_threes
from unlinkable.kernels.lkc.crossings import Tables, cross
from unlinkable.kernels.lkc.worst_cells import (
    FEWEST,
    N_CELLS,
    N_WORSE,
    PEAK,
    RECORDS,
    Found,
    People,
    is_worse,
    judge,
    note,
)
from unlinkable.typing import BoolArray, CountArray

__all__ = ["find_worst"]

_LEVEL, _FIRST, _LENGTH, _LEAST, _COLUMN, _SLOT = range(6)
"""Of an open cell: its level and first column; how many more columns make a combination, at most
and at least; the column and the value by which it is cut next."""


@njit(cache=True, nogil=True)
def find_worst(
    length: int,
    least: int,
    sheet: Sheet,
    people: People,
    worst: CountArray,
    places: CountArray,
    good: BoolArray,
    stops: bool,
) -> None:
    """Search cells of so many columns that are worse than what is known.

    Parameters
    ----------
    length, least
        Columns in a combination. Fewer also count if they are at least ``least``: the others are
        not on the sheet, because all members agree on them.
    sheet
        The rows, with at least ``length - 1`` levels, and one.
    people
        The owners of the records.
    worst
        What is known, see `unlinkable.kernels.lkc.worst_cells`; overwritten by what is worse.
    places
        The columns of the two cells that are worst, filled up with -1.
    good
        If it has a size, nothing is overwritten; instead it is cleared for all members of cells
        that are worse.
    stops
        Whether to stop at the first cell that is worse.
    """
    _, members, _, starts, columns, _, shapes, stretches, _ = sheet
    n_hidden = stretches[0, 0] + 1
    for stretch in range(len(stretches)):
        n_hidden = max(n_hidden, stretches[stretch, 0] + 1)
    depths, words = max(length - 1, 2), shapes[0, WORDS]
    masks, counts = np.empty((depths, words), np.uint64), np.zeros((depths, n_hidden), np.int64)
    frames = np.zeros((depths, 6), np.int64)
    tables = _room_for(length, n_hidden, starts[0, columns.shape[1]])
    bad = np.zeros(members.size // 64 if good.size > 0 else 0, np.uint64)
    path = np.full(length + 1, -1, np.int64)
    found = worst, places, path, np.full(3, -1, np.int64), (good, bad)
    fill(masks[0], words)
    _count_all(sheet, counts[0])
    frames[0, _LENGTH], frames[0, _LEAST] = length, least
    # Numba would compile all that follows once more for a literal argument.
    depth = frames[0, _COLUMN]
    depth = _open(depth, frames, masks, counts, sheet, people, found, tables, stops)
    while depth >= 0 and not _is_over(stops, n_hidden, found):
        frame = frames[depth]
        level, j = frame[_LEVEL], frame[_COLUMN]
        if _is_done(frame, masks[depth], sheet, found):
            depth = _leave(depth, frames, sheet, found)
        # All values of this column are done, so the cell is cut by the next one.
        elif frame[_SLOT] == starts[level, j + 1]:
            frame[_COLUMN] += 1
        else:
            slot = frame[_SLOT]
            frame[_SLOT] += 1
            n_rows = cut(level, masks[depth], slot, sheet, masks[depth + 1], counts[depth + 1])
            if n_rows > 0:
                path[depth] = columns[level, j]
                depth += 1
                _enter(depth, n_rows, frames, masks, sheet, found)
                depth = _open(depth, frames, masks, counts, sheet, people, found, tables, stops)
    if good.size > 0:
        tell(frames[0, _LEVEL], sheet, found[4])


@njit(cache=True, nogil=True)
def _is_over(stops: bool, n_hidden: int, found: Found) -> bool:
    """Whether enough is found, or nothing can be worse."""
    worst, is_marking = found[0], found[4][0].size > 0
    if stops and worst[N_WORSE]:
        return True
    # No cell has fewer than one person, and no share exceeds 1.
    return (
        not is_marking and worst[FEWEST] <= 1 and (n_hidden == 1 or worst[PEAK] >= worst[RECORDS])
    )


@njit(cache=True, nogil=True)
def _is_done(frame: CountArray, mask: Bits, sheet: Sheet, found: Found) -> bool:
    """Whether too few columns are left in a cell, or nothing to mark."""
    starts, shapes, marks = sheet[3], sheet[6], found[4]
    level, j = frame[_LEVEL], frame[_COLUMN]
    is_marking = marks[0].size > 0
    # To mark everybody in a cell of fewer columns, all of these columns are examined.
    to_come = max(frame[_LEAST], 1) if is_marking else frame[_LENGTH]
    if j + to_come > shapes[level, COLUMNS]:
        return True
    if not is_marking or frame[_SLOT] != starts[level, j]:
        return False
    ask(level, sheet, marks)
    return not has_good(level, mask, sheet, marks)


@njit(cache=True, nogil=True)
def _leave(depth: int, frames: CountArray, sheet: Sheet, found: Found) -> int:
    """Finish a cell, and go back to the one above."""
    level = frames[depth, _LEVEL]
    # Marks on a level of its own are passed to the members before the level is used again.
    if found[4][0].size > 0 and depth > 0 and level > frames[depth - 1, _LEVEL]:
        tell(level, sheet, found[4])
    return depth - 1


@njit(cache=True, nogil=True)
def _enter(
    depth: int, n_rows: int, frames: CountArray, masks: Bits, sheet: Sheet, found: Found
) -> None:
    """Begin with a cell that was cut out of the one above: on a level of its own if it is small."""
    shapes = sheet[6]
    above, frame = frames[depth - 1], frames[depth]
    level, first = above[_LEVEL], above[_COLUMN] + 1
    n_columns = shapes[level, COLUMNS] - first
    frame[_LEVEL], frame[_FIRST] = level, first
    frame[_LENGTH], frame[_LEAST] = min(above[_LENGTH] - 1, n_columns), max(above[_LEAST] - 1, 0)
    if n_rows * SHRINKS <= 64 * shapes[level, WORDS]:
        gather(level, masks[depth], first, above[_LENGTH] - 1, sheet)
        n_kept = shapes[level + 1, COLUMNS]
        frame[_LEVEL], frame[_FIRST] = level + 1, 0
        frame[_LENGTH] = min(frame[_LENGTH], n_kept)
        # Columns that were left out have a single value in the cell: they count as used.
        frame[_LEAST] = max(frame[_LEAST] - (n_columns - n_kept), 0)
        fill(masks[depth], shapes[level + 1, WORDS])
        if found[4][0].size > 0:
            forget(level + 1, sheet, found[4])


@njit(cache=True, nogil=True)
def _open(
    depth: int,
    frames: CountArray,
    masks: Bits,
    counts: CountArray,
    sheet: Sheet,
    people: People,
    found: Found,
    tables: tuple[Tables, Tables, Tables],
    stops: bool,
) -> int:
    """Examine a cell, and its columns if few are to come; return the depth to go on at."""
    starts, worst = sheet[3], found[0]
    frame, mask = frames[depth], masks[depth]
    level, first, length, least = frame[_LEVEL], frame[_FIRST], frame[_LENGTH], frame[_LEAST]
    _note_cell(level, mask, counts[depth], depth, least == 0, sheet, people, found)
    # With more than three columns to come, the cell is cut further.
    if length > 3:
        frame[_COLUMN], frame[_SLOT] = first, starts[level, first]
        return depth
    if length > 0 and not (stops and worst[N_WORSE]):
        cross(level, first, length, mask, counts[depth], sheet, tables[0])
        judge(level, first, length, least, mask, depth, tables[0], sheet, people, found)
        if length == 3:
            shape = level, first, length - 1, least - 1, depth
            cross_by_threes(
                shape,
                mask,
                masks[depth + 1],
                counts[depth + 1],
                sheet,
                people,
                found,
                tables,
                stops,
            )
    return _leave(depth, frames, sheet, found)


@njit(cache=True, nogil=True)
def _room_for(length: int, n_hidden: int, n_slots: int) -> tuple[Tables, Tables, Tables]:
    """Allocate tables, as far as combinations of that length need them."""
    n_pairs = n_slots if length > 1 else 0
    n_more = n_slots if length > 2 else 0
    return (
        (np.empty((n_hidden, n_slots), np.int64), np.empty((n_hidden, n_pairs, n_pairs), np.int64)),
        (np.empty((n_hidden, n_more), np.int64), np.empty((n_hidden, n_more, n_more), np.int64)),
        (np.empty((n_hidden, n_more), np.int64), np.empty((n_hidden, n_more, n_more), np.int64)),
    )


@njit(cache=True, nogil=True)
def _count_all(sheet: Sheet, counts: CountArray) -> None:
    """Count the records of all rows by hidden value."""
    _, members, ends, _, _, _, _, stretches, _ = sheet
    lo = 0
    for stretch in range(len(stretches)):
        for row in range(64 * lo, 64 * ends[0, stretch]):
            if members[row] >= 0:
                counts[stretches[stretch, 0]] += stretches[stretch, 1]
        lo = ends[0, stretch]


@njit(cache=True, nogil=True)
def _note_cell(
    level: int,
    mask: Bits,
    counts: CountArray,
    depth: int,
    is_whole: bool,
    sheet: Sheet,
    people: People,
    found: Found,
) -> None:
    """Examine a cell on the columns of the path."""
    records, peak = counts[0], counts[0] - counts[0]
    for value in range(1, counts.size):
        records += counts[value]
        peak = max(peak, counts[value])
    found[0][N_CELLS] += 1
    if is_worse(records, peak, people, found):
        note(level, mask, depth, records, peak, is_whole, sheet, people, found)
