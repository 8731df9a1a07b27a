"""Moving rows: rows change parts one by one, as long as that makes boxes cheaper."""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.kernels.local_recoding.homes import Homes, Prices, cheapest_home, drop, shift
from unlinkable.typing import BoolArray, CodeArray, FloatArray

__all__ = ["make_moves", "move_rows", "propose_moves"]

_GAIN = 1e-9
"""A smaller gain is not worth a move: sums of floats differ by as much."""


@njit(cache=True, nogil=True)
def move_rows(
    homes: Homes, prices: Prices, order: CodeArray, least: int, n_parts: int, is_tried: BoolArray
) -> tuple[int, int]:
    """Move rows to where they cost less, and dissolve parts whose rows are better off elsewhere.

    No part is left with fewer than ``least`` records. No part is tried twice for dissolution:
    ``is_tried`` marks those that were. Returns the number of rows that moved alone, and of parts
    that were dissolved.
    """
    n_moved, n_given_up = 0, 0
    for i in range(order.size):
        row = order[i]
        own = homes.part[row]
        # A part whose box costs nothing cannot become cheaper.
        if homes.cost[own] == 0.0:
            continue
        if homes.records[own] - homes.sizes[row] >= least:
            saved = _saved(homes, prices, row)
            to, _ = cheapest_home(homes, prices, row, least, saved - _GAIN, n_parts)
            if to >= 0:
                shift(homes, prices, row, to)
                drop(homes, prices, own)
                n_moved += 1
        # Without this row the part would be too small, so all its rows must find another place or
        # none.
        elif not is_tried[own]:
            is_tried[own] = True
            if _give_up(homes, prices, own, least, n_parts):
                n_given_up += 1
    return n_moved, n_given_up


@njit(cache=True, nogil=True)
def propose_moves(
    homes: Homes,
    prices: Prices,
    order: CodeArray,
    least: int,
    n_parts: int,
    refused: BoolArray,
    is_busy: BoolArray,
) -> tuple[CodeArray, CodeArray, FloatArray]:
    """List moves of single rows that would make boxes cheaper, no two of them at the same part.

    ``refused`` marks rows that must stay, ``is_busy`` the parts of proposed moves. Returns rows,
    the parts they would go to, and what that saves. Nothing is moved.
    """
    rows, parts = np.empty(order.size, np.int32), np.empty(order.size, np.int32)
    gains, n = np.empty(order.size, np.float64), 0
    for i in range(order.size):
        row = order[i]
        own = homes.part[row]
        is_small = homes.records[own] - homes.sizes[row] < least
        if refused[row] or is_busy[own] or is_small or homes.cost[own] == 0.0:
            continue
        saved = _saved(homes, prices, row)
        to, cost = cheapest_home(homes, prices, row, least, saved - _GAIN, n_parts)
        if to >= 0 and not is_busy[to]:
            # Gains are computed from the present boxes, so a part may take part in one move only.
            is_busy[own] = is_busy[to] = True
            rows[n], parts[n], gains[n] = row, to, saved - cost
            n += 1
    return rows[:n], parts[:n], gains[:n]


@njit(cache=True, nogil=True)
def make_moves(homes: Homes, prices: Prices, rows: CodeArray, parts: CodeArray) -> None:
    """Move rows to parts."""
    for i in range(rows.size):
        own = homes.part[rows[i]]
        shift(homes, prices, rows[i], parts[i])
        drop(homes, prices, own)


@njit(cache=True, nogil=True)
def _saved(homes: Homes, prices: Prices, row: int) -> float:
    """Compute by how much the part of a row costs less without it."""
    own, d = homes.part[row], homes.keys.shape[1]
    rest = homes.weight[own] - homes.weights[row]
    total = 0.0
    for j in range(d):
        code = homes.keys[row, j]
        first, last = homes.lo[own, j], homes.hi[own, j]
        # Only a row at an edge of the box can shrink it. The bounds start inverted and are found
        # anew from the other rows.
        if code in (first, last):
            first, last = last, first
            other = homes.head[own]
            while other >= 0:
                if other != row:
                    first = min(first, homes.keys[other, j])
                    last = max(last, homes.keys[other, j])
                other = homes.after[other]
        total += prices.prices[prices.starts[j] + first * prices.n_codes[j] + last]
    saved: float = homes.cost[own] * homes.weight[own] - total * rest
    return saved


@njit(cache=True, nogil=True)
def _give_up(homes: Homes, prices: Prices, own: int, least: int, n_parts: int) -> bool:
    """Move all rows of a part elsewhere if that is cheaper; otherwise nothing changes."""
    before, spent, is_cheaper = homes.cost[own] * homes.weight[own], 0.0, True
    n_rows, row = 0, homes.head[own]
    while row >= 0:
        n_rows, row = n_rows + 1, homes.after[row]
    rows, row = np.empty(n_rows, np.int32), homes.head[own]
    # The rows are listed first, because moving one changes the list that is being followed.
    for i in range(n_rows):
        rows[i], row = row, homes.after[row]
    n_gone = 0
    for i in range(n_rows):
        # What the rows moved so far have cost is taken off: together they must cost less than the
        # part.
        to, cost = cheapest_home(homes, prices, rows[i], least, before - spent - _GAIN, n_parts)
        if to < 0:
            is_cheaper = False
            break
        spent += cost
        shift(homes, prices, rows[i], to)
        n_gone += 1
    if not is_cheaper:
        # The rows that have moved already go back.
        for i in range(n_gone):
            to = homes.part[rows[i]]
            shift(homes, prices, rows[i], own)
            drop(homes, prices, to)
    drop(homes, prices, own)
    return is_cheaper
