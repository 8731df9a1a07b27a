"""Closed cells: every cell of a lattice that holds enough of some rows, drawn as tight as can be.

Cells at different nodes that hold the same rows are one cell, and cost what the tightest of them
costs. All of them can be reached from the cell of all rows: take one column of a cell a level down
where its rows differ, and draw what is left as tight as can be.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray

from unlinkable.kernels.homes import Homes, Prices, box_price
from unlinkable.kernels.sweeping import Levels
from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["Cells", "blank_cells", "list_cells"]

Prints: TypeAlias = NDArray[np.uint64]
"""Numbers by which sets of rows are told apart."""

_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


class Cells(NamedTuple):
    """Room for cells.

    Cell ``c`` holds the rows at the places ``rows[starts[c] : starts[c + 1]]`` of the list that is
    looked at, has the box ``lo[c]`` to ``hi[c]``, both included, and costs ``cost[c]`` for each
    record. ``prints`` are sums of the ``marks`` of rows, by which ``slots`` finds cells that are
    known. ``bins`` numbers the blocks of a column, -1 where none; by number, ``blocks``, ``totals``
    and ``sums`` tell which it is, how many records it has, and what its marks add up to. ``number``
    is where a row goes.
    """

    lo: CodeArray
    hi: CodeArray
    starts: CountArray
    rows: CodeArray
    cost: FloatArray
    prints: Prints
    slots: CodeArray
    marks: Prints
    bins: CodeArray
    blocks: CodeArray
    totals: CountArray
    sums: Prints
    number: CodeArray


def blank_cells(n_rows: int, n_codes: CountArray, most: int, places: int) -> Cells:
    """Make room for so many cells of some of n rows, with so many places for rows in all."""
    d = n_codes.size
    slots = 1 << int(2 * most).bit_length()
    words = np.arange(1, n_rows + 1, dtype=np.uint64) * _STEP
    words = (words ^ (words >> np.uint64(30))) * _FIRST
    words = (words ^ (words >> np.uint64(27))) * _SECOND
    return Cells(
        np.empty((most, d), np.int32),
        np.empty((most, d), np.int32),
        np.zeros(most + 1, np.int64),
        np.empty(places, np.int32),
        np.empty(most, np.float64),
        np.empty(most, np.uint64),
        np.full(slots, -1, np.int32),
        words ^ (words >> np.uint64(31)),
        np.full(int(n_codes.max(initial=1)), -1, np.int32),
        np.empty(n_rows, np.int32),
        np.empty(n_rows, np.int64),
        np.empty(n_rows, np.uint64),
        np.empty(n_rows, np.int32),
    )


@njit(cache=True, nogil=True)
def list_cells(
    rows: CodeArray, homes: Homes, prices: Prices, levels: Levels, least: int, cells: Cells
) -> tuple[int, int]:
    """List the closed cells that hold at least so many records of some rows.

    Returns the number of cells, 0 if there is not room for all; and of looks at a row. Takes
    O(d) looks at each row of each cell.
    """
    n_cells, n_looks, cell, d = 1, 0, 0, homes.keys.shape[1]
    lo, hi, starts, totals = cells.lo, cells.hi, cells.starts, cells.totals
    cells.slots[:] = -1
    cells.prints[0] = np.uint64(0)
    for i in range(rows.size):
        cells.rows[i] = i
    starts[1] = rows.size
    _draw(0, rows.size, rows, cells.rows, homes.keys, lo[0], hi[0])
    while cell < n_cells:
        start, end = starts[cell], starts[cell + 1]
        for j in range(d):
            at = _split_level(j, lo[cell, j], hi[cell, j], levels)
            if at < 0:
                continue
            n_bins = _sort_into_bins(
                start, end, j, at, rows, cells.rows, homes.keys, homes.sizes, levels.blocks,
                cells.marks, cells.bins, cells.blocks, totals, cells.sums, cells.number,
            )  # fmt: skip
            n_looks += end - start
            for b in range(n_bins):
                if totals[b] < least:
                    continue
                if not _is_new(cells.sums[b], n_cells, cells.slots, cells.prints):
                    continue
                if n_cells == cells.cost.size or starts[n_cells] + end - start > cells.rows.size:
                    return 0, n_looks
                new = _take(b, start, end, starts[n_cells], cells.rows, cells.number)
                _draw(starts[n_cells], new, rows, cells.rows, homes.keys, lo[n_cells], hi[n_cells])
                n_cells += 1
                starts[n_cells] = new
        cell += 1
    for c in range(n_cells):
        cells.cost[c] = box_price(prices, lo[c], hi[c])
    return n_cells, n_looks


@njit(cache=True, nogil=True)
def _split_level(column: int, first: int, last: int, levels: Levels) -> int:
    """Give where the highest level of a column begins at which two codes differ, -1 if none."""
    level, n, at = 0, levels.n_codes[column], levels.starts[column]
    while level < levels.heights[column] and levels.blocks[at + first] != levels.blocks[at + last]:
        level, at = level + 1, at + n
    return int(at - n) if level > 0 else -1


@njit(cache=True, nogil=True)
def _sort_into_bins(
    start: int,
    end: int,
    column: int,
    at: int,
    rows: CodeArray,
    inside: CodeArray,
    keys: CodeArray,
    sizes: CountArray,
    blocks: CodeArray,
    marks: Prints,
    bins: CodeArray,
    names: CodeArray,
    totals: CountArray,
    sums: Prints,
    number: CodeArray,
) -> int:
    """Tell rows of a cell apart by what they show at a level; gives the number of bins."""
    n_bins = 0
    for place in range(start, end):
        i = inside[place]
        block = blocks[at + keys[rows[i], column]]
        b = bins[block]
        if b < 0:
            b, n_bins = n_bins, n_bins + 1
            bins[block], names[b] = b, block
            totals[b], sums[b] = 0, np.uint64(0)
        totals[b] += sizes[rows[i]]
        sums[b] += marks[i]
        number[place - start] = b
    for b in range(n_bins):
        bins[names[b]] = -1
    return n_bins


@njit(cache=True, nogil=True)
def _is_new(total: np.uint64, new: int, slots: CodeArray, prints: Prints) -> bool:
    """Tell whether no cell has a print; the next cell takes it, if there is room for one."""
    mask = np.uint64(slots.size - 1)
    slot = np.int64(total & mask)
    while slots[slot] >= 0:
        if prints[slots[slot]] == total:
            return False
        slot = np.int64(np.uint64(slot + 1) & mask)
    if new < prints.size:
        slots[slot], prints[new] = new, total
    return True


@njit(cache=True, nogil=True)
def _take(b: int, start: int, end: int, at: int, inside: CodeArray, number: CodeArray) -> int:
    """List the rows of a bin once more, as those of a new cell; gives where they end."""
    for place in range(start, end):
        if number[place - start] == b:
            inside[at] = inside[place]
            at += 1
    return at


@njit(cache=True, nogil=True)
def _draw(
    start: int,
    end: int,
    rows: CodeArray,
    inside: CodeArray,
    keys: CodeArray,
    lo: CodeArray,
    hi: CodeArray,
) -> None:
    """Draw a box around the rows of a cell."""
    for j in range(lo.size):
        lo[j] = hi[j] = keys[rows[inside[start]], j]
    for place in range(start + 1, end):
        row = rows[inside[place]]
        for j in range(lo.size):
            lo[j] = min(lo[j], keys[row, j])
            hi[j] = max(hi[j], keys[row, j])
