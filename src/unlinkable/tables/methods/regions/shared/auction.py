"""Auction: records bid for the cells of the lattice, and the cells that are paid for are opened.

A sweep opens a cell as soon as enough records wait for it, even if they were worth more elsewhere.
An auction looks at all cells at once: those that records would pay for, judging by what they pay in
groups that were found already, are listed; then records bid, and the cells that are wanted most
often are opened, a few at a time.

References
----------
M. Held, R. M. Karp. "The traveling-salesman problem and minimum spanning trees: part II."
Mathematical Programming 1, 1971 (the subgradient method).
"""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
from attrs import define

from unlinkable.kernels.counting import bounding_boxes, sum_by_label
from unlinkable.kernels.local_recoding import (
    Bidders,
    Cells,
    Market,
    award,
    begin_bids,
    bid,
    box_prices,
    clear,
    join_rest,
    list_cells,
)
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.regions.shared.range_prices import Landscape
from unlinkable.tables.methods.shared.portions import portions
from unlinkable.tables.methods.shared.stop_rule import StopRule
from unlinkable.typing import CodeArray, CountArray, FloatArray, Progress

__all__ = ["Auction"]

_SHARE = 0.9
"""Records begin with bids of this share of what they cost now."""

_TARGET = 0.95
"""The share of what all records cost now that might be reached."""

_SLACK, _LACK = 2.0, 0.5
"""To be listed, rows may bid so much less than a cell costs, and the records of a cell may lack so
much to pay for it on average; both as shares of what a record costs now."""

_WIDER = 3.0
"""When hardly a cell is wanted any more, the rest is listed again, with so much more slack."""

_ROOM, _LOOKS = 1 << 22, 1 << 27
"""The most rows that are listed in all cells together, and looks; if that is not enough, the
slack and the lack are cut by the factor that follows."""

_NARROWER, _TRIES = 0.5, 4
"""After so many lists that were too long there is no auction."""

_STEPS = 50
"""Cells are opened in about so many steps."""

_FEWEST, _MOST, _FIRST = 8, 32, 6
"""Rounds of bids before each step, and how many times as many before the first."""

_CELLS = 5
"""In so many cells a row is thought to be listed, before it is known."""

_LOOKS_AT_LEAST = 1 << 22
"""Looks at a record that are worth it in any table."""

_UNBROKEN = 1 << 26
"""Looks at a record between two looks at the clock."""

_BETTER = 0.99
"""New groups must cost no more than this share of the old ones, which are easier to improve."""

_PACES = 0.3, 0.2
"""How far bids go towards the target at once: in the first rounds, and in later ones."""


@define(eq=False, frozen=True)
class Auction:
    """Cells that records bid for.

    Attributes
    ----------
    finest, landscape
        The records, and what cells cost.
    least
        No cell may be opened with fewer records.
    effort
        What it took so far.
    """

    finest: Groups
    landscape: Landscape
    least: int
    effort: Counter[str]

    def run(
        self, labels: CodeArray, n_parts: int, stop_rule: StopRule, progress: Progress
    ) -> tuple[CodeArray, int]:
        """Find groups that cost clearly less than those given; otherwise these are given back.

        So they are when half of the time that is left is up before all cells are open.
        """
        stop_rule = stop_rule.half()
        costs = self._costs(labels, n_parts)
        # The same on every machine: a product of vectors is added up as there are processors.
        before = math.fsum(costs * self.finest.sizes)
        scale = before / self.finest.n_records
        n = len(self.finest)
        if scale == 0 or not self._rounds(_CELLS * n) or stop_rule.is_over():
            return labels, n_parts
        bidders = Bidders(
            self.finest.sizes, _SHARE * costs, np.full(n, np.inf), np.full(n, -1, np.int32)
        )
        cells = self._listed(bidders, scale, 1.0, stop_rule)
        n_open = self._opened(cells, bidders, scale, max(n_parts // _STEPS, 1), stop_rule, progress)
        if n_open == 0 or stop_rule.is_over() or not self._join_rest(bidders, n_open, stop_rule):
            return labels, n_parts
        after = math.fsum(self._costs(bidders.home, n_open) * self.finest.sizes)
        self.effort["cells_opened"] += n_open
        return (bidders.home, n_open) if after <= _BETTER * before else (labels, n_parts)

    def _costs(self, labels: CodeArray, n_parts: int) -> FloatArray:
        """Tell what each record costs in a partition, by row."""
        lo, hi = bounding_boxes(self.landscape.keys, labels, n_parts)
        return box_prices(self.landscape.prices, lo, hi - np.int32(1), n_parts)[labels]

    def _listed(self, bidders: Bidders, scale: float, width: float, stop_rule: StopRule) -> Cells:
        """List the cells that records without a home might pay for."""
        land, rows = self.landscape, np.flatnonzero(bidders.home < 0)
        columns = np.ascontiguousarray(land.keys[rows].T)
        order = np.argsort(-land.levels.n_codes, kind="stable")
        for _ in range(_TRIES):
            if stop_rule.is_over():
                break
            cells, n_looks = list_cells(
                columns, bidders.sizes[rows], bidders.bids[rows], order, land.levels, land.prices,
                self.least, width * _SLACK * scale, width * _LACK * scale * self.least, _ROOM,
                _LOOKS,
            )  # fmt: skip
            if n_looks >= 0:
                self.effort["cells_listed"] += cells.costs.size
                return cells._replace(rows=rows[cells.rows].astype(np.int32))
            width *= _NARROWER
        return Cells(np.empty(0), np.zeros(1, np.int64), np.empty(0, np.int32))

    def _opened(
        self,
        cells: Cells,
        bidders: Bidders,
        scale: float,
        at_once: int,
        stop_rule: StopRule,
        progress: Progress,
    ) -> int:
        """Open cells as long as anybody wants one; give their number."""
        target = _TARGET * scale * self.finest.n_records
        n_open, paid, is_last = 0, 0.0, False
        market, is_new = _market(cells), True
        n_rounds = self._rounds(cells.rows.size)
        while n_rounds and market.heat.size and not stop_rule.is_over():
            rounds = n_rounds * _FIRST if is_new else n_rounds
            pace = _PACES[0] if is_new else _PACES[1]
            bidding, n_unbroken = begin_bids(bidders, pace), self._unbroken(market)
            for first in range(0, rounds, n_unbroken):
                some = first, min(first + n_unbroken, rounds)
                if stop_rule.is_over() or not bid(
                    market, bidders, bidding, self.least, scale, some, is_new, target, paid
                ):
                    break
            bidders.bids[:] = bidding.kept
            ranking = _ranking(market, 6 * at_once)
            n_before = n_open
            n_open, cost = award(market, bidders, self.least, scale, ranking, at_once, n_open)
            paid, is_new = paid + cost, False
            self.effort["bids"] += rounds
            progress(float((bidders.home >= 0).mean()), f"{n_open} cells opened")
            market = clear(market, bidders, self.least)
            if is_last and n_open - n_before <= at_once // 8:
                break
            if not is_last and n_open - n_before < max(at_once // 2, 1):
                is_last = is_new = True
                market = _market(self._listed(bidders, scale, _WIDER, stop_rule))
        return n_open

    def _rounds(self, n_listed: int) -> int:
        """Tell how many rounds of bids before each step are worth it, if so many rows are listed.

        The more ways there are to generalize, and the larger groups must be, the longer it pays.
        None is worth it where there could only be a few.
        """
        n, n_nodes = len(self.finest), float(np.prod(self.landscape.levels.heights.astype(float)))
        worth = max(n * n_nodes * self.least**0.8 / 8.3, _LOOKS_AT_LEAST)
        rounds = worth / (_STEPS * (4 * n + n_listed / 6))
        return 0 if rounds < _FEWEST else int(min(rounds, _MOST))

    def _unbroken(self, market: Market) -> int:
        """Tell how many rounds of bids are made between two looks at the clock."""
        return max(_UNBROKEN // (4 * len(self.finest) + market.cells.rows.size), 1)

    def _join_rest(self, bidders: Bidders, n_open: int, stop_rule: StopRule) -> bool:
        """Put records that found no cell into the groups that they make dearer by the least.

        Tells whether there was time for all of them.
        """
        keys = self.landscape.keys
        placed = bidders.home >= 0
        lo, hi = bounding_boxes(keys[placed], bidders.home[placed], n_open)
        records = sum_by_label(bidders.sizes[placed], bidders.home[placed], n_open)
        rows, hi = np.flatnonzero(~placed), hi - np.int32(1)
        for some in portions(np.full(rows.size, n_open), _UNBROKEN):
            if stop_rule.is_over():
                return False
            join_rest(keys, rows[some], bidders, self.landscape.prices, lo, hi, records)
        return True


def _market(cells: Cells) -> Market:
    n = cells.costs.size
    return Market(cells, np.zeros(n), np.zeros(n, np.int64))


def _ranking(market: Market, most: int) -> CountArray:
    """List some of the cells that were wanted most often lately."""
    ranking: CountArray = np.argsort(-market.heat, kind="stable")[:most]
    return ranking
