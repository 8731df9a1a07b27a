"""Making room for rows that cost much: a new part for them, or a wider one that they all join.

At a node of the lattice, rows that would cost less there than where they live look for company.
Either rows of other parts that can be spared complete them to a part of their own, or a part that
lies within the same cell is widened to it once, for all of them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from unlinkable.kernels.homes import Homes, Prices
from unlinkable.kernels.sweeping import Levels, group_at
from unlinkable.kernels.trying import Trial, begin, settle, take
from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["gain_at"]

_SHARE = 0.5
"""Rows that would gain are worth completing if they are so much of a part already."""


class _Cells(NamedTuple):
    """The cells of a node: items are rows in them, those of a cell linked from the ``last`` on."""

    rows: CodeArray
    labels: CodeArray
    last: CodeArray
    chain: CodeArray


@njit(cache=True, nogil=True)
def gain_at(
    node: CodeArray,
    homes: Homes,
    prices: Prices,
    levels: Levels,
    losses: FloatArray,
    trial: Trial,
    slots: CountArray,
    least: int,
    n_parts: int,
) -> tuple[int, int, int]:
    """Try what a node of the lattice has to offer.

    Parameters
    ----------
    node
        A level for each column.
    homes, prices, trial
        Where rows live, what boxes cost, and room to try changes.
    levels, losses
        The nodes of the lattice, and by the places of ``levels.blocks`` what a code costs there.
    slots
        Room for a hash table, all -1.
    least
        Records that a part must have.
    n_parts
        Parts in use so far; there may be room for more.

    Returns
    -------
    tuple of int
        Parts in use then, changes tried, changes made.
    """
    items, n_rows, at = _candidates(node, homes, levels, losses, least, n_parts)
    firsts, labels = np.empty(items.size, np.int32), np.empty(items.size, np.int32)
    n_cells = group_at(node, items, homes.keys, levels, slots, firsts, labels)
    last, chain = np.full(n_cells, -1, np.int32), np.empty(items.size, np.int32)
    records, spare, gains = (
        np.zeros(n_cells, np.int64),
        np.zeros(n_cells, np.int64),
        np.zeros(n_cells),
    )
    for i in range(n_rows):
        row, cell = items[i], labels[i]
        gain = homes.cost[homes.part[row]] - at[row]
        if gain > 0.0:
            records[cell] += homes.sizes[row]
            gains[cell] += gain * homes.weights[row]
        else:
            spare[cell] += homes.sizes[row]
        chain[i], last[cell] = last[cell], i
    cells = _Cells(items, labels, last, chain)
    n_tried, n_made = 0, 0
    for cell in range(n_cells):
        is_worth = records[cell] >= _SHARE * least and records[cell] + spare[cell] >= least
        if is_worth and n_parts < homes.head.size:
            n_tried += 1
            if _complete(cell, cells, at, homes, prices, trial, least, n_parts):
                n_made, n_parts, gains[cell] = n_made + 1, n_parts + 1, 0.0
    for i in range(n_rows, items.size):
        part, cell = homes.part[items[i]], labels[i]
        widening = (at[items[i]] - homes.cost[part]) * homes.weight[part]
        if gains[cell] > widening and homes.records[part] >= least:
            n_tried += 1
            if _widen(cell, part, cells, at, homes, prices, trial, least, n_parts):
                n_made, gains[cell] = n_made + 1, 0.0
    return n_parts, n_tried, n_made


@njit(cache=True, nogil=True)
def _candidates(
    node: CodeArray,
    homes: Homes,
    levels: Levels,
    losses: FloatArray,
    least: int,
    n_parts: int,
) -> tuple[CodeArray, int, FloatArray]:
    """List the rows that gain at a node or can be spared, then a row of each part within a cell.

    Also gives the number of the former, and what every row costs at the node.
    """
    n, d = homes.keys.shape
    at, items, n_items = np.zeros(n), np.empty(n + n_parts, np.int32), 0
    for row in range(n):
        for j in range(d):
            at[row] += losses[levels.starts[j] + node[j] * levels.n_codes[j] + homes.keys[row, j]]
        own = homes.part[row]
        if at[row] < homes.cost[own] or homes.records[own] - homes.sizes[row] >= least:
            items[n_items] = row
            n_items += 1
    n_rows = n_items
    for part in range(n_parts):
        is_within = homes.records[part] > 0
        for j in range(d):
            start = levels.starts[j] + node[j] * levels.n_codes[j]
            first = levels.blocks[start + homes.lo[part, j]]
            is_within = is_within and first == levels.blocks[start + homes.hi[part, j]]
        if is_within:
            items[n_items] = homes.head[part]
            n_items += 1
    return items[:n_items], n_rows, at


@njit(cache=True, nogil=True)
def _complete(
    cell: int,
    cells: _Cells,
    at: FloatArray,
    homes: Homes,
    prices: Prices,
    trial: Trial,
    least: int,
    to: int,
) -> bool:
    """Make a new part of the rows of a cell that gain, and of the cheapest ones to be spared."""
    begin(trial)
    _gather(cell, cells, at, homes, prices, trial, to)
    n_spare, item = 0, cells.last[cell]
    while item >= 0:
        n_spare, item = n_spare + 1, cells.chain[item]
    rows, costs = np.empty(n_spare, np.int32), np.empty(n_spare)
    n_spare, item = 0, cells.last[cell]
    while item >= 0:
        row = cells.rows[item]
        if homes.part[row] != to:
            rows[n_spare], costs[n_spare] = row, -homes.cost[homes.part[row]]
            n_spare += 1
        item = cells.chain[item]
    for i in np.argsort(costs[:n_spare]):
        own = homes.part[rows[i]]
        if homes.records[to] >= least:
            break
        if homes.records[own] - homes.sizes[rows[i]] >= least:
            take(trial, homes, prices, rows[i], to)
    return settle(trial, homes, prices, least, to + 1)


@njit(cache=True, nogil=True)
def _widen(
    cell: int,
    part: int,
    cells: _Cells,
    at: FloatArray,
    homes: Homes,
    prices: Prices,
    trial: Trial,
    least: int,
    n_parts: int,
) -> bool:
    """Let all rows of a cell that gain join a part within it."""
    begin(trial)
    _gather(cell, cells, at, homes, prices, trial, part)
    return settle(trial, homes, prices, least, n_parts)


@njit(cache=True, nogil=True)
def _gather(
    cell: int,
    cells: _Cells,
    at: FloatArray,
    homes: Homes,
    prices: Prices,
    trial: Trial,
    to: int,
) -> None:
    """Move the rows of a cell that gain to a part."""
    item = cells.last[cell]
    while item >= 0:
        row = cells.rows[item]
        if homes.part[row] != to and at[row] < homes.cost[homes.part[row]]:
            take(trial, homes, prices, row, to)
        item = cells.chain[item]
