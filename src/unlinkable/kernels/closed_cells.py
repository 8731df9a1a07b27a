"""Closed cells: every cell of a lattice that holds enough of some rows, drawn as tight as can be.

Cells at different nodes that hold the same rows are one cell, and cost what the tightest of them
costs. All of them can be reached from the cell of all rows: take one column of a cell a level down
where its rows differ, and draw what is left as tight as can be.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from unlinkable.kernels.homes import Homes, Prices, box_price
from unlinkable.kernels.sweeping import Levels
from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["Cells", "blank_cells", "list_cells"]

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
    prints: NDArray[np.uint64]
    slots: CodeArray
    marks: NDArray[np.uint64]
    bins: CodeArray
    blocks: CodeArray
    totals: CountArray
    sums: NDArray[np.uint64]
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
    cells.slots[:] = -1
    cells.prints[0] = np.uint64(0)
    for i in range(rows.size):
        cells.rows[i], cells.number[i] = i, 0
    cells.starts[1] = rows.size
    _draw(0, rows, homes, prices, cells)
    while cell < n_cells:
        for j in range(d):
            if cells.lo[cell, j] == cells.hi[cell, j]:
                continue
            n_bins = _sort_into_bins(cell, j, rows, homes, levels, cells)
            n_looks += cells.starts[cell + 1] - cells.starts[cell]
            for b in range(n_bins):
                if cells.totals[b] < least or not _is_new(b, n_cells, cells):
                    continue
                if not _take(cell, b, n_cells, cells):
                    return 0, n_looks
                _draw(n_cells, rows, homes, prices, cells)
                n_cells += 1
        cell += 1
    return n_cells, n_looks


@njit(cache=True, nogil=True, inline="always")
def _sort_into_bins(
    cell: int, column: int, rows: CodeArray, homes: Homes, levels: Levels, cells: Cells
) -> int:
    """Tell rows of a cell apart by the highest level of a column at which they differ."""
    level, n, at = 0, levels.n_codes[column], levels.starts[column]
    first, last = cells.lo[cell, column], cells.hi[cell, column]
    while level < levels.heights[column] and levels.blocks[at + first] != levels.blocks[at + last]:
        level, at = level + 1, at + n
    if level == 0:
        return 0
    at, n_bins, start = at - n, 0, cells.starts[cell]
    for place in range(start, cells.starts[cell + 1]):
        i = cells.rows[place]
        block = levels.blocks[at + homes.keys[rows[i], column]]
        b = cells.bins[block]
        if b < 0:
            b, n_bins = n_bins, n_bins + 1
            cells.bins[block], cells.blocks[b] = b, block
            cells.totals[b], cells.sums[b] = 0, np.uint64(0)
        cells.totals[b] += homes.sizes[rows[i]]
        cells.sums[b] += cells.marks[i]
        cells.number[place - start] = b
    for b in range(n_bins):
        cells.bins[cells.blocks[b]] = -1
    return n_bins


@njit(cache=True, nogil=True, inline="always")
def _is_new(b: int, n_cells: int, cells: Cells) -> bool:
    """Tell whether no cell has the rows of a bin; the next cell takes its print."""
    mask = np.uint64(cells.slots.size - 1)
    slot = np.int64(cells.sums[b] & mask)
    while cells.slots[slot] >= 0:
        if cells.prints[cells.slots[slot]] == cells.sums[b]:
            return False
        slot = np.int64(np.uint64(slot + 1) & mask)
    if n_cells < cells.cost.size:
        cells.slots[slot], cells.prints[n_cells] = n_cells, cells.sums[b]
    return True


@njit(cache=True, nogil=True, inline="always")
def _take(cell: int, b: int, new: int, cells: Cells) -> bool:
    """List the rows of a bin as those of a new cell; tell whether there was room."""
    start, end, at = cells.starts[cell], cells.starts[cell + 1], cells.starts[new]
    if new == cells.cost.size or at + end - start > cells.rows.size:
        return False
    for place in range(start, end):
        if cells.number[place - start] == b:
            cells.rows[at] = cells.rows[place]
            at += 1
    cells.starts[new + 1] = at
    return True


@njit(cache=True, nogil=True, inline="always")
def _draw(cell: int, rows: CodeArray, homes: Homes, prices: Prices, cells: Cells) -> None:
    """Draw the box of a cell around its rows."""
    lo, hi, start = cells.lo[cell], cells.hi[cell], cells.starts[cell]
    lo[:] = hi[:] = homes.keys[rows[cells.rows[start]]]
    for place in range(start + 1, cells.starts[cell + 1]):
        row = rows[cells.rows[place]]
        for j in range(lo.size):
            lo[j] = min(lo[j], homes.keys[row, j])
            hi[j] = max(hi[j], homes.keys[row, j])
    cells.cost[cell] = box_price(prices, lo, hi)
