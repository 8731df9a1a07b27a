"""Bidding: rows bid for cells, and cells whose cost is covered are opened.

Which cells of a list should be opened, so that every record is in one and the total cost is least,
is a covering problem. A bid is what a record is ready to pay. A cell is wanted if the records that
bid more than it costs, and the next best until they are enough, pay for all of them. Records that
several wanted cells count on bid less in the next round, those that none counts on bid more: the
subgradient method for the Lagrangian dual, with bids as its multipliers. Cells that are wanted in
most rounds are then opened, a few at a time.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from unlinkable.kernels.local_recoding.cell_listing import Cells
from unlinkable.kernels.local_recoding.clusters import Prices, box_price, box_prices, joint_price
from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["Bidders", "Bidding", "Market", "award", "begin_bids", "bid", "clear", "join_rest"]

_EVERY = 8
"""All cells are examined in every round of this many; in between, those that were nearly wanted."""

_NEAR = 0.05
"""A cell is nearly wanted if its records lack no more than this share of its cost."""

_IDLE, _SLOWER = 5, 0.7
"""After this many rounds without a better bound, steps get shorter by this factor."""

_STEP = 0.002
"""Steps are at least as long as if the bound were this share of the target away from it."""

_DEAR = 0.2
"""A cell is not opened if its records lack more than this share of its cost."""

_COLD = 1e-3
"""A cell that was hardly ever wanted is opened only if no other is."""

_FEW = 48
"""Up to this many rows are always sorted by insertion."""

_MEMORY, _HEAT = 0.7, 0.9
"""The weight of earlier rounds: for how much rows are wanted, and for cells."""


class Market(NamedTuple):
    """Cells, how often each was wanted lately, and up to which row each is examined.

    The rows of a cell are in the order of their bids, the highest first, as of the last visit.
    """

    cells: Cells
    heat: FloatArray
    upto: CountArray


class Bidders(NamedTuple):
    """Rows: records, bids, the most that they need to bid, and the cell opened for them, or -1."""

    sizes: CountArray
    bids: FloatArray
    caps: FloatArray
    home: CodeArray


class Bidding(NamedTuple):
    """Rounds of bids: how often rows were wanted lately, the best bids, and three numbers.

    These are the bound of the best bids, the rounds since then, and the step length.
    """

    wanted: FloatArray
    kept: FloatArray
    numbers: FloatArray


def begin_bids(bidders: Bidders, step: float) -> Bidding:
    """Prepare the first of several rounds."""
    numbers = np.array([-np.inf, 0.0, step])
    return Bidding(np.zeros(bidders.bids.size), bidders.bids.copy(), numbers)


@njit(cache=True, nogil=True)
def bid(
    market: Market,
    bidders: Bidders,
    bidding: Bidding,
    least: int,
    scale: float,
    rounds: tuple[int, int],
    is_new: bool,
    target: float,
    paid: float,
) -> bool:
    """Let rows bid from one round to another, and keep the bids that bound the cost best.

    ``target`` is what all records should cost together, and ``paid`` the cost of those that have a
    cell already. ``scale`` is the average cost of a record. The first time, the market ``is_new``.
    Returns whether another round may change anything.
    """
    bids, sizes, free = bidders.bids, bidders.sizes, np.flatnonzero(bidders.home < 0)
    wanted, kept, numbers = bidding
    found, best, n_idle, step = np.zeros(bids.size), numbers[0], int(numbers[1]), numbers[2]
    goes_on = True
    for i in range(rounds[0], rounds[1]):
        found[:] = 0.0
        bound = paid + _ask(market, bidders, least, scale, i % _EVERY == 0, is_new, i == 0, found)
        # The Lagrangian bound is all bids, less what wanted cells get beyond their cost.
        for row in free:
            bound += bids[row] * sizes[row]
        n_idle += 1
        if bound > best:
            best, n_idle = bound, 0
            kept[:] = bids
        elif n_idle % _IDLE == 0:
            step *= _SLOWER
        square = 0.0
        for row in free:
            # A row at its cap need not bid more, so it counts as wanted.
            if bids[row] >= bidders.caps[row] and found[row] < 1.0:
                found[row] = 1.0
            past = found[row] if i == 0 else wanted[row]
            # The subgradient is averaged over rounds, which keeps bids from oscillating.
            wanted[row] = _MEMORY * past + (1.0 - _MEMORY) * found[row]
            square += ((1.0 - wanted[row]) * sizes[row]) ** 2
        if square < 1e-9:
            goes_on = False
            break
        # Polyak's step: the distance to the target over the squared length of the subgradient.
        pace = step * max(target - best, _STEP * target) / square
        for row in free:
            more = bids[row] + pace * (1.0 - wanted[row]) * sizes[row]
            bids[row] = min(max(more, 0.0), bidders.caps[row])
    numbers[0], numbers[1], numbers[2] = best, n_idle, step
    return goes_on


@njit(cache=True, nogil=True)
def _ask(
    market: Market,
    bidders: Bidders,
    least: int,
    scale: float,
    is_full: bool,
    is_new: bool,
    is_first: bool,
    found: FloatArray,
) -> float:
    """Find the wanted cells; add up what they lack, and by row how many of them count on it."""
    bids, sizes, total = bidders.bids, bidders.sizes, 0.0
    costs, starts, rows = market.cells
    for c in range(costs.size):
        past = 0.0 if is_new and is_first else _HEAT
        market.heat[c] *= past
        start, end, cost, limit = starts[c], starts[c + 1], costs[c], 0.0
        if is_full:
            # In full rounds cells that lack a little are kept for the rounds in between.
            limit = _NEAR * least * max(cost, scale / 4)
            market.upto[c] = start
        else:
            end = min(market.upto[c], end)
            if end <= start:
                continue
        _sort_by_bid(rows, start, end, bids, is_new and is_first)
        lack, missing, at = 0.0, least, start
        while at < end and lack <= limit:
            size, rest = sizes[rows[at]], cost - bids[rows[at]]
            # Rows are sorted by bid: from here on nobody bids more than the cost, and enough are
            # in.
            if rest >= 0.0 and missing <= 0:
                break
            lack += rest * (size if rest < 0.0 else min(size, missing))
            missing -= size
            at += 1
        if missing > 0 or lack > limit:
            continue
        if is_full:
            # A few more rows than needed are kept, because bids change before the next full round.
            market.upto[c] = min(at + (at - start) // 4 + 8, end)
        if lack < 0.0:
            total += lack
            market.heat[c] += 1.0 - past
            missing = least
            for row in rows[start:at]:
                is_all = bids[row] > cost or sizes[row] <= missing
                found[row] += 1.0 if is_all else missing / sizes[row]
                missing -= sizes[row]
    return total


@njit(cache=True, nogil=True)
def _sort_by_bid(rows: CodeArray, start: int, end: int, bids: FloatArray, is_new: bool) -> None:
    """Sort some rows by bid, the highest first; those that were sorted lately are nearly sorted."""
    if is_new and end - start > _FEW:
        some = rows[start:end]
        some[:] = some[np.argsort(-bids[some], kind="mergesort")]
        return
    for i in range(start + 1, end):
        row, at = rows[i], i
        while at > start and bids[rows[at - 1]] < bids[row]:
            rows[at] = rows[at - 1]
            at -= 1
        rows[at] = row


@njit(cache=True, nogil=True)
def award(
    market: Market,
    bidders: Bidders,
    least: int,
    scale: float,
    ranking: CountArray,
    most: int,
    n_open: int,
) -> tuple[int, float]:
    """Open the first cells of a ranking, at most so many; count open cells, and return their cost.

    A cell gets the rows that bid more than it costs, and the next best until they are enough, if
    they do not lack too much. Rows that could have gone there never need to bid more than that.
    """
    bids, sizes, home = bidders.bids, bidders.sizes, bidders.home
    costs, starts, rows = market.cells
    n_before, paid = n_open, 0.0
    for c in ranking:
        is_enough = n_open > n_before and market.heat[c] <= _COLD
        if is_enough or n_open == n_before + most:
            break
        members, cost = rows[starts[c] : starts[c + 1]], costs[c]
        _sort_by_bid(members, 0, members.size, bids, True)
        lack, missing = 0.0, least
        for row in members:
            if home[row] < 0 and (missing > 0 or bids[row] > cost):
                lack += sizes[row] * (cost - bids[row])
                missing -= sizes[row]
        if missing > 0 or lack > _DEAR * least * max(cost, scale / 4):
            continue
        missing = least
        for row in members:
            if home[row] < 0 and (missing > 0 or bids[row] > cost):
                home[row] = n_open
                missing -= sizes[row]
                paid += cost * sizes[row]
            bidders.caps[row] = min(bidders.caps[row], cost)
            bids[row] = min(bids[row], cost)
        market.heat[c] = 0.0
        n_open += 1
    return n_open, paid


@njit(cache=True, nogil=True)
def clear(market: Market, bidders: Bidders, least: int) -> Market:
    """Remove rows with a cell from all cells, and cells without enough others from the market."""
    costs, starts, rows = market.cells
    start, n_cells, n_rows = 0, 0, 0
    for c in range(costs.size):
        # Cells move to the front in place. No entry is overwritten before it is read, because at
        # most as many cells and rows are kept as were passed.
        end, left = starts[c + 1], 0
        for i in range(start, end):
            if bidders.home[rows[i]] < 0:
                left += bidders.sizes[rows[i]]
        if left >= least:
            for i in range(start, end):
                if bidders.home[rows[i]] < 0:
                    rows[n_rows] = rows[i]
                    n_rows += 1
            n_cells += 1
            costs[n_cells - 1], market.heat[n_cells - 1] = costs[c], market.heat[c]
            starts[n_cells] = n_rows
        start = end
    return Market(
        Cells(costs[:n_cells], starts[: n_cells + 1], rows[:n_rows]),
        market.heat[:n_cells],
        market.upto[:n_cells],
    )


@njit(cache=True, nogil=True)
def join_rest(
    keys: CodeArray,
    rows: CountArray,
    bidders: Bidders,
    prices: Prices,
    lo: CodeArray,
    hi: CodeArray,
    records: CountArray,
) -> None:
    """Let rows without a cell join the part whose cost grows least, one after the other.

    ``lo`` to ``hi``, both included, are the boxes of the parts, which grow, as do ``records``.
    """
    costs = box_prices(prices, lo, hi, records.size)
    for row in rows:
        size, found, least = bidders.sizes[row], -1, np.inf
        for part in range(records.size):
            # The row pays at least the present cost of a part, so a part that is dearer already is
            # skipped.
            if costs[part] * size < least:
                cost = joint_price(prices, keys[row], lo[part], hi[part])
                more = cost * size + (cost - costs[part]) * records[part]
                if more < least:
                    found, least = part, more
        for j in range(keys.shape[1]):
            lo[found, j] = min(lo[found, j], keys[row, j])
            hi[found, j] = max(hi[found, j], keys[row, j])
        costs[found] = box_price(prices, lo[found], hi[found])
        records[found] += size
        bidders.home[row] = found
