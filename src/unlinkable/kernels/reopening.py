"""Reopening: the records of many neighbouring parts choose anew between all cells they could share.

Where rebuilding tries one way at a time to put a few parts together, this lists every cell that the
rows of many parts can share, strikes those that cannot be part of anything cheaper, and searches
among the few that are left.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from unlinkable.kernels.choices import Choices, blank_choices, keep_useful, list_choices
from unlinkable.kernels.closed_cells import Cells, blank_cells, list_cells
from unlinkable.kernels.drawing import State, draw
from unlinkable.kernels.homes import Homes, Prices, box_price
from unlinkable.kernels.opening import Diary, blank_diary, open_cells
from unlinkable.kernels.sites import Site, choose_parts, move_in, take_apart
from unlinkable.kernels.sweeping import Levels
from unlinkable.typing import CodeArray

__all__ = ["Market", "blank_market", "reopen"]

_GAIN = 1e-9
_SLACK = 1.3
"""A cell may cost so much more than the dearest part does now."""
_ROUNDS = 60
"""So many rounds of bids are made."""
_TRIALS = 20
"""So many times is every cell tried that may be useful."""
_FEWEST = 4
_MOST_EVERYWHERE = 1 << 13
"""Of so many parts, all are looked at to find neighbours."""


class Market(NamedTuple):
    """Room for rows to choose between cells."""

    cells: Cells
    choices: Choices
    diary: Diary


def blank_market(levels: Levels, n_rows: int, most: int, places: int) -> Market:
    """Make room for n rows at a time, and so many cells with so many places for rows."""
    cells = blank_cells(n_rows, levels.n_codes, most, max(places, n_rows))
    return Market(cells, blank_choices(n_rows, cells), blank_diary(n_rows, most))


@njit(cache=True, nogil=True)
def reopen(
    rows: CodeArray,
    reach: int,
    homes: Homes,
    prices: Prices,
    levels: Levels,
    site: Site,
    market: Market,
    least: int,
    state: State,
) -> tuple[int, int, int]:
    """Let the rows of up to so many parts around each of some rows choose anew.

    Parts have at least ``least`` records before and after, and cost no more than before. Returns
    the number of looks at a row, of changes that were kept, and the reach for the next time: it is
    less where there was not room for all cells.
    """
    n_looks, n_made, everywhere = 0, 0, homes.head.size <= _MOST_EVERYWHERE
    for row in rows:
        if homes.cost[homes.part[row]] == 0.0:
            continue
        wanted = reach // 2 + int(draw(state) * (reach - reach // 2))
        n_parts = choose_parts(row, wanted, everywhere, homes, prices, site, state)
        n_parts, n_rows, before = take_apart(n_parts, market.choices.sizes.size, homes, site)
        n_looks += homes.head.size if everywhere else homes.near.shape[1]
        if n_rows > 0:
            n_cells, looks = list_cells(
                site.rows[:n_rows], homes, prices, levels, least, market.cells
            )
            n_looks += looks
            if n_cells == 0:
                reach = max(reach - 1, _FEWEST)
            else:
                looks, is_better = _choose(
                    n_parts, n_rows, n_cells, before, homes, prices, site, market, least, state
                )
                n_looks += looks
                n_made += is_better
        for i in range(n_rows):
            site.goes[site.rows[i]] = -2
    return n_looks, n_made, reach


@njit(cache=True, nogil=True)
def _choose(
    n_parts: int,
    n_rows: int,
    n_cells: int,
    before: float,
    homes: Homes,
    prices: Prices,
    site: Site,
    market: Market,
    least: int,
    state: State,
) -> tuple[int, bool]:
    """Let rows choose cells; gives the looks, and whether they live there now."""
    cells, choices, rows = market.cells, market.choices, site.rows[:n_rows]
    dearest = 0.0
    for i in range(n_parts):
        dearest = max(dearest, homes.cost[site.parts[i]])
    cost = list_choices(rows, n_cells, _SLACK * dearest, homes, cells, choices)
    bound, looks = keep_useful(n_rows, n_cells, least, cost, _ROUNDS, cells, choices)
    if bound > cost - _GAIN:
        return looks, False
    saved, n_trials = open_cells(
        n_rows, n_cells, least, _TRIALS, cells, choices, market.diary, state
    )
    looks += n_trials * (1 + n_rows // max(n_parts, 1))
    if saved <= _GAIN:
        return looks, False
    n_new, after = _draw_up(rows, n_cells, homes, prices, site, market)
    if n_new > site.spare[0] or after >= before - _GAIN:
        return looks, False
    move_in(n_rows, n_new, n_parts, homes, prices, site)
    return looks, True


@njit(cache=True, nogil=True)
def _draw_up(
    rows: CodeArray, n_cells: int, homes: Homes, prices: Prices, site: Site, market: Market
) -> tuple[int, float]:
    """Number the cells that rows have chosen; gives their number and what rows cost there.

    Boxes are drawn around those who live in a cell: with intervals, they may be smaller than it.
    """
    number, d = np.full(n_cells, -1, np.int32), homes.keys.shape[1]
    lo, hi = np.empty((rows.size, d), np.int32), np.empty((rows.size, d), np.int32)
    weight, n_new, cost = np.zeros(rows.size), 0, 0.0
    for i in range(rows.size):
        c, row = market.diary.best[i], rows[i]
        if number[c] < 0:
            number[c] = n_new
            lo[n_new] = hi[n_new] = homes.keys[row]
            n_new += 1
        to = site.goes[row] = number[c]
        weight[to] += homes.weights[row]
        for j in range(d):
            lo[to, j] = min(lo[to, j], homes.keys[row, j])
            hi[to, j] = max(hi[to, j], homes.keys[row, j])
    for to in range(n_new):
        cost += weight[to] * box_price(prices, lo[to], hi[to])
    return n_new, cost
