"""Worst cells: the fewest people, and the largest share of a hidden value.

Whether a cell is worse than what is known is decided by its records alone where possible: a cell
has at least as many people as its records divided by the most records that one person has.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numba import njit

from unlinkable.kernels.lkc.bad_rows import Marks, mark
from unlinkable.kernels.lkc.bitmaps import COLUMNS, MEMBERS, Bits, Sheet, next_row
from unlinkable.kernels.lkc.crossings import Tables
from unlinkable.typing import CodeArray, CountArray

__all__ = ["FEWEST", "FEW_AT", "N_CELLS", "N_WORSE", "PEAK", "RECORDS", "SHARE_AT"]
__all__ += ["Found", "People", "is_worse", "judge", "note"]

People: TypeAlias = tuple[CountArray, CodeArray, CountArray, int]
"""``owner_ends`` and ``owners`` by member; when each owner was met last; the most records that one
of them has, 1 if records are people."""

Found: TypeAlias = tuple[CountArray, CountArray, CountArray, CountArray, Marks]
"""``worst``: see below; ``places``: the columns of the two worst cells, filled up with -1;
``path``: the columns on which a cell was cut; ``meeting``: three values that it is cut by without
a mask of its own, -1 for none; ``marks``: where members of bad cells are marked. If some are to be,
``worst`` is the bounds, and stays as it is."""

FEWEST, FEW_AT, PEAK, RECORDS, SHARE_AT, N_WORSE, N_CELLS = range(7)
"""The fewest people, and a member with them; the largest share, as two counts, and a member of
it; how often a cell was worse than what was known, and how many cells were looked at."""


@njit(cache=True, nogil=True)
def is_worse(records: int, peak: int, people: People, found: Found) -> bool:
    """Whether a cell may have fewer people, or has a larger share, than what is known.

    Products stay below the square of the number of records.
    """
    worst = found[0]
    is_few = records <= (worst[FEWEST] - 1) * people[3]
    return bool(is_few or peak * worst[RECORDS] > worst[PEAK] * records)


@njit(cache=True, nogil=True)
def judge(
    level: int,
    first: int,
    length: int,
    least: int,
    mask: Bits,
    depth: int,
    tables: Tables,
    sheet: Sheet,
    people: People,
    found: Found,
) -> None:
    """Examine all cells of the tables of a cell.

    Parameters
    ----------
    level, first, mask
        The rows of the cell, and the first column that was crossed.
    length, least
        How many columns make a combination, at most and at least. There are tables of two columns
        if it can be so many.
    depth
        The number of columns on which the cell was cut.
    tables, sheet, people, found
        What was counted; the rows; their owners; what is known.
    """
    starts, columns, shapes = sheet[3], sheet[4], sheet[6]
    path, meeting = found[2], found[3]
    n_columns, origin = shapes[level, COLUMNS], starts[level, first]
    n_slots = starts[level, n_columns] - origin
    records, peaks = np.empty(n_slots, np.int64), np.empty(n_slots, np.int64)
    _add_up(tables[0], records, peaks)
    for j in range(first, n_columns):
        lo, hi = starts[level, j] - origin, starts[level, j + 1] - origin
        path[depth] = columns[level, j]
        # Most columns have no worse cell: one branch-free pass decides whether to look at each.
        if _is_any_worse(records, peaks, lo, hi, people, found):
            for a in range(lo, hi):
                if records[a] > 0 and is_worse(records[a], peaks[a], people, found):
                    meeting[1] = a + origin
                    note(
                        level,
                        mask,
                        depth + 1,
                        records[a],
                        peaks[a],
                        least < 2,
                        sheet,
                        people,
                        found,
                    )
    if length < 2:
        meeting[1] = -1
        return
    for j in range(first, n_columns - 1):
        path[depth] = columns[level, j]
        lo, hi = starts[level, j] - origin, starts[level, j + 1] - origin
        for a in range(lo, hi):
            _add_up_pairs(tables[1], a, hi, records, peaks)
            if _is_any_worse(records, peaks, hi, n_slots, people, found):
                meeting[1] = a + origin
                _note_pairs(
                    level, first, j, least < 3, mask, depth, records, peaks, sheet, people, found
                )
    meeting[1] = -1


@njit(cache=True, nogil=True)
def _add_up(single: CountArray, records: CountArray, peaks: CountArray) -> None:
    """Add up records over all hidden values, and find the most frequent one, by slot."""
    for a in range(records.size):
        records[a], peaks[a] = single[0, a], 0
        for value in range(1, len(single)):
            records[a] += single[value, a]
            peaks[a] = max(peaks[a], single[value, a])


@njit(cache=True, nogil=True)
def _add_up_pairs(
    double: CountArray, a: int, first: int, records: CountArray, peaks: CountArray
) -> None:
    """Do the same for one slot with every other from one on, whole lines at a time."""
    line = double[0, a]
    for b in range(first, records.size):
        records[b] = line[b]
        peaks[b] = 0
    for value in range(1, len(double)):
        line = double[value, a]
        for b in range(first, records.size):
            records[b] += line[b]
            peaks[b] = max(peaks[b], line[b])


@njit(cache=True, nogil=True)
def _is_any_worse(
    records: CountArray, peaks: CountArray, first: int, last: int, people: People, found: Found
) -> bool:
    worst = found[0]
    few, above, below = (worst[FEWEST] - 1) * people[3], worst[PEAK], worst[RECORDS]
    n_worse, n_cells = 0, 0
    for a in range(first, last):
        is_there = records[a] > 0
        n_cells += is_there
        n_worse += (is_there & (records[a] <= few)) | (peaks[a] * below > above * records[a])
    worst[N_CELLS] += n_cells
    return n_worse > 0


@njit(cache=True, nogil=True)
def _note_pairs(
    level: int,
    first: int,
    column: int,
    is_whole: bool,
    mask: Bits,
    depth: int,
    records: CountArray,
    peaks: CountArray,
    sheet: Sheet,
    people: People,
    found: Found,
) -> None:
    """Record what is worse among the cells of one value with all values of later columns."""
    starts, columns, shapes = sheet[3], sheet[4], sheet[6]
    path, meeting, origin = found[2], found[3], starts[level, first]
    for j in range(column + 1, shapes[level, COLUMNS]):
        path[depth + 1] = columns[level, j]
        for b in range(starts[level, j] - origin, starts[level, j + 1] - origin):
            if records[b] > 0 and is_worse(records[b], peaks[b], people, found):
                meeting[2] = b + origin
                note(level, mask, depth + 2, records[b], peaks[b], is_whole, sheet, people, found)
    meeting[2] = -1


@njit(cache=True, nogil=True)
def note(
    level: int,
    mask: Bits,
    depth: int,
    records: int,
    peak: int,
    is_whole: bool,
    sheet: Sheet,
    people: People,
    found: Found,
) -> None:
    """Record a cell if it is worse than what is known, or mark its members.

    Parameters
    ----------
    level, mask
        Its rows: those of the mask that have the values in ``found``.
    depth
        The number of its columns, which are first on the path.
    records, peak
        Its records, and how many have the most frequent hidden value.
    is_whole
        Whether it is a whole combination. Otherwise it may disclose a value while some parts of it
        do not, and its members are not marked for that.
    sheet, people, found
        The rows; their owners; what is known.
    """
    worst, places, path, meeting, marks = found
    members, offset = sheet[1], sheet[6][level, MEMBERS]
    row = next_row(level, mask, meeting, members[0] - members[0], sheet)
    member = members[offset + row]
    n_people = records
    # Records are only a bound on people where somebody owns several: then owners are counted.
    if people[3] > 1:
        n_people = _count_people(level, mask, row, sheet, people, found)
    is_telling = peak * worst[RECORDS] > worst[PEAK] * records
    if marks[0].size > 0:
        if (is_telling and is_whole) or n_people < worst[FEWEST]:
            mark(level, mask, meeting, sheet, marks)
        return
    if n_people < worst[FEWEST]:
        worst[FEWEST], worst[FEW_AT] = n_people, member
        worst[N_WORSE] += 1
        for i in range(places.shape[1]):
            places[0, i] = path[i] if i < depth else -1
    if is_telling:
        worst[PEAK], worst[RECORDS], worst[SHARE_AT] = peak, records, member
        worst[N_WORSE] += 1
        for i in range(places.shape[1]):
            places[1, i] = path[i] if i < depth else -1


@njit(cache=True, nogil=True)
def _count_people(
    level: int, mask: Bits, row: int, sheet: Sheet, people: People, found: Found
) -> int:
    """Count the owners of the records of a cell, from its first row on."""
    owner_ends, owners, met, _ = people
    members, offset = sheet[1], sheet[6][level, MEMBERS]
    # The last entry counts the cells.
    met[-1] += 1
    n_people = 0
    while row >= 0:
        member = members[offset + row]
        if member >= 0:
            for e in range(owner_ends[member], owner_ends[member + 1]):
                if met[owners[e]] != met[-1]:
                    met[owners[e]] = met[-1]
                    n_people += 1
        row = next_row(level, mask, found[3], row + 1, sheet)
    return n_people
