"""Choices: in which cells rows may live, and which of the cells can be of any use.

Each record goes to one cell, and a cell is empty or has at least ``least`` records. Let row i bid
``b_i`` for a record's place, and let each cell c, which costs ``p_c`` for each record, be taken by
the records that bid the most: all that bid more than it costs, and others until there are enough.
If they pay less together than that costs, the cell stays empty. Then

    sum_i w_i b_i  -  sum_c max(0, what is paid for c  -  what c costs)

is no more than what the best way to fill cells costs: there, every record pays its bid to its cell,
and no cell gets more than it does here. That is the Lagrangian bound of this problem. A cell that
would have to be subsidized by more than lies between the bound and a known cost is in no better
way. Bids rise for records that no cell takes, and fall for those that several take. (Where the
weights of rows are not in proportion to their sizes, all this is an estimate.)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from unlinkable.kernels.closed_cells import Cells
from unlinkable.kernels.homes import Homes
from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["Choices", "blank_choices", "keep_useful", "list_choices"]

_GAIN = 1e-9
_PATIENCE, _SHORTER = 3, 0.6
"""After so many rounds without a better bound, steps get so much shorter."""
_MEMORY = 0.6
"""How much of a direction is what it was before."""


class Choices(NamedTuple):
    """Rows, and the cells that hold them.

    By row: ``sizes``, ``weights``, and the cells ``cells[starts[i] : starts[i + 1]]``, the cheapest
    first; its ``bid``, the ``home`` that it has, and how often it is taken in the ``mean``.
    By cell: how many records are ``filled`` in, whether it ``is_useful``, how many records
    ``want`` it, and by how much it costs more than they pay, its ``lack``.
    """

    sizes: CountArray
    weights: FloatArray
    starts: CountArray
    cells: CodeArray
    bid: FloatArray
    home: CodeArray
    mean: FloatArray
    filled: CountArray
    is_useful: BoolArray
    want: FloatArray
    lack: FloatArray


def blank_choices(n_rows: int, cells: Cells) -> Choices:
    """Make room for the choices of n rows."""
    most = cells.cost.size
    return Choices(
        np.empty(n_rows, np.int64),
        np.empty(n_rows, np.float64),
        np.zeros(n_rows + 1, np.int64),
        np.empty(cells.rows.size, np.int32),
        np.empty(n_rows, np.float64),
        np.empty(n_rows, np.int32),
        np.empty(n_rows, np.float64),
        np.zeros(most, np.int64),
        np.zeros(most, np.bool_),
        np.empty(most, np.float64),
        np.empty(most, np.float64),
    )


@njit(cache=True, nogil=True)
def list_choices(
    rows: CodeArray, n_cells: int, most: float, homes: Homes, cells: Cells, choices: Choices
) -> float:
    """List for every row the cells that cost no more than ``most``; rows live where they lived.

    The first cell holds all rows, and is listed whatever it costs.

    The home of a row is the cheapest cell around the box of its part. Returns what that costs.
    """
    n = rows.size
    choices.starts[: n + 1] = 0
    for c in range(n_cells):
        choices.filled[c], choices.is_useful[c] = 0, c == 0 or cells.cost[c] <= most
        if choices.is_useful[c]:
            for place in range(cells.starts[c], cells.starts[c + 1]):
                choices.starts[cells.rows[place] + 1] += 1
    for i in range(n):
        choices.starts[i + 1] += choices.starts[i]
    at = choices.starts[:n].copy()
    for c in np.argsort(cells.cost[:n_cells]):
        if choices.is_useful[c]:
            for place in range(cells.starts[c], cells.starts[c + 1]):
                i = cells.rows[place]
                choices.cells[at[i]] = c
                at[i] += 1
    total = 0.0
    for i in range(n):
        choices.sizes[i], choices.weights[i] = homes.sizes[rows[i]], homes.weights[rows[i]]
        home = choices.home[i] = _home(i, homes.part[rows[i]], homes, cells, choices)
        choices.filled[home] += choices.sizes[i]
        total += cells.cost[home] * choices.weights[i]
    return total


@njit(cache=True, nogil=True)
def _home(i: int, part: int, homes: Homes, cells: Cells, choices: Choices) -> int:
    """Find the cheapest cell of a row that has room for its part, 0 if none: it holds all."""
    for at in range(choices.starts[i], choices.starts[i + 1]):
        c, fits = choices.cells[at], True
        for j in range(homes.keys.shape[1]):
            if homes.lo[part, j] < cells.lo[c, j] or homes.hi[part, j] > cells.hi[c, j]:
                fits = False
                break
        if fits:
            return int(c)
    return 0


@njit(cache=True, nogil=True)
def keep_useful(
    n_rows: int, n_cells: int, least: int, most: float, rounds: int, cells: Cells, choices: Choices
) -> tuple[float, int]:
    """Strike cells that no way to fill cells uses which costs less than ``most``.

    Cells in which rows live stay. Returns a bound of what any way costs, and the number of looks.
    """
    best, step, n_idle, n_looks = -np.inf, 1.0, 0, 0
    for i in range(n_rows):
        choices.bid[i], choices.mean[i] = 0.95 * cells.cost[choices.home[i]], 1.0
    for r in range(rounds):
        order = np.argsort(-choices.bid[:n_rows])
        n_looks += 2 * choices.starts[n_rows]
        bound = _offer(order, n_cells, least, cells, choices)
        n_struck = 0
        for c in range(n_cells):
            is_dear = bound + max(choices.lack[c], 0.0) > most - _GAIN
            if is_dear and choices.is_useful[c] and choices.filled[c] == 0:
                choices.is_useful[c] = False
                n_struck += 1
        n_idle = 0 if bound > best else n_idle + 1
        best = max(best, bound)
        if n_idle == _PATIENCE:
            step, n_idle = step * _SHORTER, 0
        if best > most - _GAIN:
            break
        length = _assign(order, n_cells, least, r == 0, cells, choices)
        if length < _GAIN:
            break
        pace = step * (most - best) / length
        for i in range(n_rows):
            change = pace * choices.weights[i] * (1.0 - choices.mean[i])
            choices.bid[i] = max(choices.bid[i] + change, 0.0)
        if n_struck > 0:
            _strike(n_rows, choices)
    _strike(n_rows, choices)
    return best, n_looks


@njit(cache=True, nogil=True)
def _offer(order: CountArray, n_cells: int, least: int, cells: Cells, choices: Choices) -> float:
    """Let rows bid for cells, the highest bid first; gives the bound."""
    want, lack, cost, listed = choices.want, choices.lack, cells.cost, choices.cells
    want[:n_cells] = 0.0
    lack[:n_cells] = 0.0
    bound = 0.0
    for i in order:
        bid, size, weight = choices.bid[i], float(choices.sizes[i]), choices.weights[i]
        bound += bid * weight
        for at in range(choices.starts[i], choices.starts[i + 1]):
            c = listed[at]
            more = cost[c] - bid
            part = size if more < 0.0 else min(size, least - want[c])
            if part > 0.0:
                want[c] += part
                lack[c] += more * weight * (part / size)
    for c in range(n_cells):
        if choices.is_useful[c]:
            bound += min(choices.lack[c], 0.0)
    return bound


@njit(cache=True, nogil=True)
def _assign(
    order: CountArray, n_cells: int, least: int, is_first: bool, cells: Cells, choices: Choices
) -> float:
    """Count how often each row is taken by cells that pay; gives the length of the direction."""
    for c in range(n_cells):
        pays = choices.is_useful[c] and choices.lack[c] < 0.0
        choices.want[c] = 0.0 if pays else np.inf
    length, want, cost, listed = 0.0, choices.want, cells.cost, choices.cells
    for i in order:
        bid, size, taken = choices.bid[i], float(choices.sizes[i]), 0.0
        for at in range(choices.starts[i], choices.starts[i + 1]):
            c = listed[at]
            if want[c] == np.inf:
                continue
            part = size if bid > cost[c] else min(size, least - want[c])
            if part > 0.0:
                want[c] += part
                taken += part / size
        mean = taken if is_first else _MEMORY * choices.mean[i] + (1.0 - _MEMORY) * taken
        choices.mean[i] = mean
        length += (choices.weights[i] * (1.0 - mean)) ** 2
    return length


@njit(cache=True, nogil=True)
def _strike(n_rows: int, choices: Choices) -> None:
    """Take cells that are of no use off the lists of all rows."""
    start, n = 0, 0
    for i in range(n_rows):
        end = choices.starts[i + 1]
        for at in range(start, end):
            if choices.is_useful[choices.cells[at]]:
                choices.cells[n] = choices.cells[at]
                n += 1
        start = end
        choices.starts[i + 1] = n
