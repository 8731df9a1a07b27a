"""Moving rows: rows change parts one by one, as long as that makes boxes cheaper."""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.kernels.local_recoding.clusters import (
    Clusters,
    Prices,
    cheapest_cluster,
    drop,
    shift,
)
from unlinkable.typing import BoolArray, CodeArray, FloatArray

__all__ = ["make_moves", "move_rows", "propose_moves"]

_GAIN = 1e-9
"""A smaller gain is not worth a move: sums of floats differ by as much."""


@njit(cache=True, nogil=True)
def move_rows(
    clusters: Clusters,
    prices: Prices,
    order: CodeArray,
    least: int,
    n_parts: int,
    is_tried: BoolArray,
) -> tuple[int, int]:
    """Move rows to where they cost less, and dissolve parts whose rows are better off elsewhere.

    No part is left with fewer than ``least`` records. No part is tried twice for dissolution:
    ``is_tried`` marks those that were. Returns the number of rows that moved alone, and of parts
    that were dissolved.
    """
    n_moved, n_given_up = 0, 0
    for i in range(order.size):
        row = order[i]
        own = clusters.part[row]
        # A part whose box costs nothing cannot become cheaper.
        if clusters.cost[own] == 0.0:
            continue
        if clusters.records[own] - clusters.sizes[row] >= least:
            saved = _saved(clusters, prices, row)
            to, _ = cheapest_cluster(clusters, prices, row, least, saved - _GAIN, n_parts)
            if to >= 0:
                shift(clusters, prices, row, to)
                drop(clusters, prices, own)
                n_moved += 1
        # Without this row the part would be too small, so all its rows must find another place or
        # none.
        elif not is_tried[own]:
            is_tried[own] = True
            if _give_up(clusters, prices, own, least, n_parts):
                n_given_up += 1
    return n_moved, n_given_up


@njit(cache=True, nogil=True)
def propose_moves(
    clusters: Clusters,
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
        own = clusters.part[row]
        is_small = clusters.records[own] - clusters.sizes[row] < least
        if refused[row] or is_busy[own] or is_small or clusters.cost[own] == 0.0:
            continue
        saved = _saved(clusters, prices, row)
        to, cost = cheapest_cluster(clusters, prices, row, least, saved - _GAIN, n_parts)
        if to >= 0 and not is_busy[to]:
            # Gains are computed from the present boxes, so a part may take part in one move only.
            is_busy[own] = is_busy[to] = True
            rows[n], parts[n], gains[n] = row, to, saved - cost
            n += 1
    return rows[:n], parts[:n], gains[:n]


@njit(cache=True, nogil=True)
def make_moves(clusters: Clusters, prices: Prices, rows: CodeArray, parts: CodeArray) -> None:
    """Move rows to parts."""
    for i in range(rows.size):
        own = clusters.part[rows[i]]
        shift(clusters, prices, rows[i], parts[i])
        drop(clusters, prices, own)


@njit(cache=True, nogil=True)
def _saved(clusters: Clusters, prices: Prices, row: int) -> float:
    """Compute by how much the part of a row costs less without it."""
    own, d = clusters.part[row], clusters.keys.shape[1]
    rest = clusters.weight[own] - clusters.weights[row]
    total = 0.0
    for j in range(d):
        code = clusters.keys[row, j]
        first, last = clusters.lo[own, j], clusters.hi[own, j]
        # Only a row at an edge of the box can shrink it. The bounds start inverted and are found
        # anew from the other rows.
        if code in (first, last):
            first, last = last, first
            other = clusters.head[own]
            while other >= 0:
                if other != row:
                    first = min(first, clusters.keys[other, j])
                    last = max(last, clusters.keys[other, j])
                other = clusters.after[other]
        total += prices.prices[prices.starts[j] + first * prices.n_codes[j] + last]
    saved: float = clusters.cost[own] * clusters.weight[own] - total * rest
    return saved


@njit(cache=True, nogil=True)
def _give_up(clusters: Clusters, prices: Prices, own: int, least: int, n_parts: int) -> bool:
    """Move all rows of a part elsewhere if that is cheaper; otherwise nothing changes."""
    before, spent, is_cheaper = clusters.cost[own] * clusters.weight[own], 0.0, True
    n_rows, row = 0, clusters.head[own]
    while row >= 0:
        n_rows, row = n_rows + 1, clusters.after[row]
    rows, row = np.empty(n_rows, np.int32), clusters.head[own]
    # The rows are listed first, because moving one changes the list that is being followed.
    for i in range(n_rows):
        rows[i], row = row, clusters.after[row]
    n_gone = 0
    for i in range(n_rows):
        # What the rows moved so far have cost is taken off: together they must cost less than the
        # part.
        to, cost = cheapest_cluster(
            clusters, prices, rows[i], least, before - spent - _GAIN, n_parts
        )
        if to < 0:
            is_cheaper = False
            break
        spent += cost
        shift(clusters, prices, rows[i], to)
        n_gone += 1
    if not is_cheaper:
        # The rows that have moved already go back.
        for i in range(n_gone):
            to = clusters.part[rows[i]]
            shift(clusters, prices, rows[i], own)
            drop(clusters, prices, to)
    drop(clusters, prices, own)
    return is_cheaper
