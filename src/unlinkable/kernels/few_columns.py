"""Looking at all combinations of a few columns by bits, for the worst of their cells.

Cells are cut depth first, one value of a further column at a time. Three columns before the end, a
cell is crossed instead: all tables of its columns by twos; then each of its values but the last,
whose tables are what the others leave. So the last two columns of a combination are never cut, and
the most frequent values of the third last neither.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.kernels.bitmaps import (
    COLUMNS,
    SHRINKS,
    WORDS,
    Bits,
    Sheet,
    cut,
    gather,
)
from unlinkable.kernels.crossings import Tables, cross, subtract, take
from unlinkable.kernels.worst_cells import N_CELLS, N_WORSE, Found, People, is_worse, judge, note
from unlinkable.typing import CountArray

__all__ = ["find_worst"]

_LEVEL, _FIRST, _LENGTH, _COLUMN, _SLOT = range(5)
"""Of an open cell: its level, its first column, how many more columns are to come, and the column
and the value by which it is cut next."""


@njit(cache=True, nogil=True)
def find_worst(
    length: int,
    sheet: Sheet,
    people: People,
    worst: CountArray,
    places: CountArray,
    good: BoolArray,
    stops: bool,
) -> None:
    """Look for cells of so many columns that are worse than what is known.

    Parameters
    ----------
    length
        Columns in a combination, or all if there are fewer.
    sheet
        The rows, with at least ``length - 1`` levels, and one.
    people
        Whose the records are.
    worst
        What is known, by the constants above; overwritten by what is worse.
    places
        The columns of the two cells that are worst, filled up with -1.
    good
        By member: cleared in all cells that are worse, and ``worst`` stays as it is. If it has no
        size, nothing is marked.
    stops
        Whether to stop at the first cell that is worse. Also stops where nothing can be worse.
    """
    _, _, _, starts, columns, _, shapes, stretches, _ = sheet
    length = min(length, shapes[0, COLUMNS])
    n_hidden = 1
    for stretch in range(len(stretches)):
        n_hidden = max(n_hidden, stretches[stretch, 0] + 1)
    depths, words = max(length - 1, 2), shapes[0, WORDS]
    masks, counts = np.empty((depths, words), np.uint64), np.zeros((depths, n_hidden), np.int64)
    frames = np.zeros((depths, 5), np.int64)
    path = np.full(length + 1, -1, np.int64)
    tables = _room_for(length, n_hidden, starts[0, columns.shape[1]])
    _fill(masks[0], words)
    _count_all(sheet, counts[0])
    marks = good, np.zeros(sheet[1].size // 64 if good.size > 0 else 0, np.uint64)
    found = worst, places, path, np.full(3, -1, np.int64), marks
    frames[0, _LENGTH] = length
    # Literals would have all that follows compiled once more for them alone.
    level, depth = frames[0, _LEVEL], frames[0, _COLUMN]
    _note_cell(level, masks[0], counts[0], depth, sheet, people, found)
    depth = _open(depth, frames, masks, counts, sheet, people, found, tables, stops)
    while depth >= 0 and not _is_over(stops, n_hidden, found):
        frame = frames[depth]
        level, j, slot = frame[_LEVEL], frame[_COLUMN], frame[_SLOT]
        if j + frame[_LENGTH] > shapes[level, COLUMNS] or not _is_open(frame, masks[depth], sheet, found):
            depth = _leave(depth, frames, sheet, found)
        elif slot == starts[level, j + 1]:
            frame[_COLUMN] += 1
        else:
            frame[_SLOT] += 1
            n_rows = cut(level, masks[depth], slot, sheet, masks[depth + 1], counts[depth + 1])
            if n_rows > 0:
                path[depth] = columns[level, j]
                _enter(depth + 1, n_rows, frames, masks, sheet)
                level = frames[depth + 1, _LEVEL]
                _note_cell(
                    level, masks[depth + 1], counts[depth + 1], depth + 1, sheet, people, found
                )
                depth = _open(depth + 1, frames, masks, counts, sheet, people, found, tables, stops)


@njit(cache=True, nogil=True)
def _enter(depth: int, n_rows: int, frames: CountArray, masks: Bits, sheet: Sheet) -> None:
    """Begin with a cell that was cut out of the one above: on a level of its own if it is small."""
    shapes = sheet[6]
    above, frame = frames[depth - 1], frames[depth]
    level, first = above[_LEVEL], above[_COLUMN] + 1
    frame[_LEVEL], frame[_FIRST], frame[_LENGTH] = level, first, above[_LENGTH] - 1
    if n_rows * SHRINKS <= 64 * shapes[level, WORDS]:
        gather(level, masks[depth], first, frame[_LENGTH], sheet)
        frame[_LEVEL], frame[_FIRST] = level + 1, 0
        frame[_LENGTH] = min(frame[_LENGTH], shapes[level + 1, COLUMNS])
        _fill(masks[depth], shapes[level + 1, WORDS])


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
    """Look at the columns of a cell if there are few to come; return the depth to go on at."""
    starts = sheet[3]
    frame = frames[depth]
    level, first, length = frame[_LEVEL], frame[_FIRST], frame[_LENGTH]
    if length > 3:
        frame[_COLUMN], frame[_SLOT] = first, starts[level, first]
        return depth
    if length > 0 and not (stops and found[0][N_WORSE]):
        cross(level, first, length, masks[depth], counts[depth], sheet, tables[0])
        judge(level, first, length, masks[depth], depth, tables[0], sheet, people, found)
    if length == 3:
        _cross_by_threes(depth, frames, masks, counts, sheet, people, found, tables, stops)
    return depth - 1


@njit(cache=True, nogil=True)
def _cross_by_threes(
    depth: int,
    frames: CountArray,
    masks: Bits,
    counts: CountArray,
    sheet: Sheet,
    people: People,
    found: Found,
    tables: tuple[Tables, Tables, Tables],
    stops: bool,
) -> None:
    """Look at the columns of a cell by threes, given its tables by twos."""
    _, _, _, starts, columns, _, shapes, _, _ = sheet
    worst, _, path, meeting = found
    whole, part, rest = tables
    level, first = frames[depth, _LEVEL], frames[depth, _FIRST]
    n_columns, length = shapes[level, COLUMNS], frames[depth, _LENGTH] - 1
    for j in range(first, n_columns - 2):
        path[depth] = columns[level, j]
        after = starts[level, j + 1]
        n_slots = starts[level, n_columns] - after
        take(whole, after - starts[level, first], n_slots, rest)
        for slot in range(starts[level, j], after - 1):
            if stops and worst[N_WORSE]:
                return
            n_rows = cut(level, masks[depth], slot, sheet, masks[depth + 1], counts[depth + 1])
            if n_rows == 0:
                continue
            at, column = level, j + 1
            if _is_sparse(n_rows, n_columns - column, n_slots, shapes[level, WORDS]):
                gather(level, masks[depth + 1], column, length, sheet)
                at, column = level + 1, 0
                _fill(masks[depth + 1], shapes[at, WORDS])
            cross(at, column, length, masks[depth + 1], counts[depth + 1], sheet, part)
            judge(at, column, length, masks[depth + 1], depth + 1, part, sheet, people, found)
            subtract(part, n_slots, rest)
        if not (stops and worst[N_WORSE]):
            meeting[0] = after - 1
            judge(level, j + 1, length, masks[depth], depth + 1, rest, sheet, people, found)
            meeting[0] = -1


@njit(cache=True, nogil=True)
def _is_sparse(n_rows: int, n_columns: int, n_slots: int, words: int) -> bool:
    """Whether it pays to put rows side by side before they are crossed, as measured."""
    return n_rows * SHRINKS <= 64 * words and 80 * n_rows * n_columns < n_slots * n_slots * words


@njit(cache=True, nogil=True)
def _room_for(length: int, n_hidden: int, n_slots: int) -> tuple[Tables, Tables, Tables]:
    """Make room for tables, as far as combinations of that length need them."""
    single = np.empty((n_hidden, n_slots), np.int64)
    n_double = n_slots if length > 1 else 0
    n_more = n_slots if length > 2 else 0
    return (
        (single, np.empty((n_hidden, n_double, n_double), np.int64)),
        (np.empty((n_hidden, n_more), np.int64), np.empty((n_hidden, n_more, n_more), np.int64)),
        (np.empty((n_hidden, n_more), np.int64), np.empty((n_hidden, n_more, n_more), np.int64)),
    )


@njit(cache=True, nogil=True)
def _fill(mask: Bits, words: int) -> None:
    for word in range(words):
        mask[word] = ~np.uint64(0)


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
    sheet: Sheet,
    people: People,
    found: Found,
) -> None:
    """Write down a cell on the columns of the path if it is worse than what is known."""
    records, peak = counts[0], np.int64(0)
    for value in range(1, counts.size):
        records += counts[value]
        peak = max(peak, counts[value])
    found[0][N_CELLS] += 1
    if is_worse(records, peak, people, found):
        note(level, mask, depth, records, peak, sheet, people, found)
