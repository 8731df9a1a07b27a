"""Exchange: groups get cheaper by giving records to each other."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator

import numpy as np
from attrs import define, field

from unlinkable.kernels.counting import bounding_boxes, sum_by_label, sum_floats_by_label
from unlinkable.kernels.local_recoding import (
    Clusters,
    Site,
    blank_site,
    box_prices,
    link_all,
    make_moves,
    move_rows,
    propose_moves,
    rebuild,
)
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.regions.shared.group_judging import Judge
from unlinkable.tables.methods.regions.shared.range_prices import Landscape
from unlinkable.tables.methods.shared.portions import portions
from unlinkable.tables.methods.shared.stop_rule import StopRule
from unlinkable.typing import BoolArray, CodeArray, Progress

__all__ = ["Exchange"]

_ORDERS = 8
"""In so many orders are the neighbours of a record its like."""

_LIKE = 1_500_000
"""Neighbours that are remembered in all, within the bounds that follow."""

_FEWEST_LIKE, _MOST_LIKE = 48, 384
"""Likes of one record."""

_FEWEST_LOOKS, _MOST_LOOKS = 1 << 22, 3 << 29
"""Looks at a record that are spent on rebuilding groups, unless time is given."""

_AROUND = 3
"""At most so many neighbours of a group are rebuilt with it."""

_MOST_ROWS = 4096
"""They have at most so many distinct records together."""

_AT_ONCE = 512
"""Records that look for a better group between two progress reports."""

_UNBROKEN = 16
"""Records that look for one between two looks at the clock."""

_MOVE_LOOKS = 1 << 24
"""About so many looks at a record are spent on single moves between two looks at the clock."""

_IDLE = 24
"""Rounds of that in a row that may gain nothing."""

_ENOUGH = 1e-3
"""A round that saves less than this share of the cost is the last."""

_ROUNDS = 12
"""Records are moved one by one in no more rounds than this."""


@define(eq=False)
class Exchange:
    """Groups that exchange records.

    Attributes
    ----------
    finest, judge, landscape
        What the groups are made of, what they must keep, and what they cost.
    effort
        What it took so far.
    share
        How much of the effort to rebuild groups is spent: less will do for groups that are good.
    """

    finest: Groups
    judge: Judge
    landscape: Landscape
    effort: Counter[str]
    share: float = 1.0
    _clusters: Clusters = field(init=False)
    _site: Site = field(init=False)
    _n_parts: int = field(init=False)

    def run(
        self,
        labels: CodeArray,
        n_parts: int,
        stop_rule: StopRule,
        rng: np.random.Generator,
        progress: Progress,
    ) -> CodeArray:
        """Improve groups that keep the promise until little is left to gain, or looks are spent."""
        self._settle(labels, n_parts, stop_rule)
        self._move_all(stop_rule, progress)
        if self.judge.sizes_suffice:
            self._rebuild(stop_rule, rng, progress)
            self._move_all(stop_rule, progress)
        return self._clusters.part

    def _move_all(self, stop_rule: StopRule, progress: Progress) -> None:
        """Move single rows, round by round, as long as that saves enough."""
        cost = self._cost()
        for n_rounds in range(_ROUNDS):
            if stop_rule.is_over():
                break
            self._move(stop_rule)
            before, cost = cost, self._cost()
            progress(n_rounds / _ROUNDS, f"{self.effort['moves']} records moved")
            self.effort["rounds"] += 1
            if before - cost <= _ENOUGH * before:
                break

    def _settle(self, labels: CodeArray, n_parts: int, stop_rule: StopRule) -> None:
        """Let every row live in its part."""
        finest, keys = self.finest, self.landscape.keys
        room = n_parts + n_parts // 2 + 64
        lo, hi = (np.zeros((room, keys.shape[1]), np.int32) for _ in range(2))
        lo[:n_parts], hi[:n_parts] = bounding_boxes(keys, labels, n_parts)
        hi -= np.int32(1)
        after, before = (np.full(len(finest), -1, np.int32) for _ in range(2))
        head = np.full(room, -1, np.int32)
        part = labels.astype(np.int32, copy=True)
        link_all(part, after, before, head)
        self._clusters = Clusters(
            keys,
            finest.sizes,
            finest.weights,
            _like(keys, stop_rule),
            part,
            after,
            before,
            head,
            lo,
            hi,
            sum_by_label(finest.sizes, part, room),
            sum_floats_by_label(finest.weights, part, room),
            box_prices(self.landscape.prices, lo, hi, n_parts),
        )
        self._site = blank_site(self._clusters, min(len(finest), _MOST_ROWS))
        self._n_parts = room

    def _cost(self) -> float:
        return math.fsum(self._clusters.cost * self._clusters.weight)

    def _dearest_first(self, stop_rule: StopRule) -> Iterator[CodeArray]:
        """List the rows of costly parts before others, in portions, as long as there is time.

        A row looks at its like, and at all rows of its part.
        """
        clusters = self._clusters
        order = np.argsort(-clusters.cost[clusters.part], kind="stable").astype(np.int32)
        looks = np.bincount(clusters.part)[clusters.part[order]] + clusters.near.shape[1]
        for portion in portions(looks, _MOVE_LOOKS):
            if stop_rule.is_over():
                return
            yield order[portion]

    def _move(self, stop_rule: StopRule) -> None:
        """Move single rows, and give parts up."""
        clusters, prices = self._clusters, self.landscape.prices
        least, n = self.judge.least, self._n_parts
        if self.judge.sizes_suffice:
            is_tried = np.zeros(clusters.head.size, bool)
            for some in self._dearest_first(stop_rule):
                moved, given_up = move_rows(clusters, prices, some, least, n, is_tried)
                self.effort["moves"] += moved
                self.effort["groups_given_up"] += given_up
            return
        refused = np.zeros(len(self.finest), bool)
        while not stop_rule.is_over():
            is_busy = np.zeros(clusters.head.size, bool)
            proposed = [
                propose_moves(clusters, prices, some, least, n, refused, is_busy)[:2]
                for some in self._dearest_first(stop_rule)
            ]
            if not proposed:
                break
            rows, parts = (np.concatenate(moves) for moves in zip(*proposed, strict=True))
            is_good = self._keep(rows, parts)
            refused[rows[~is_good]] = True
            self.effort["moves"] += int(is_good.sum())
            if not is_good.any():
                break

    def _keep(self, rows: CodeArray, parts: CodeArray) -> BoolArray:
        """Make those of several moves after which both groups keep the promise."""
        clusters, n = self._clusters, self._n_parts
        labels, olds = clusters.part.copy(), clusters.part[rows]
        labels[rows] = parts
        nothing = np.empty((n, 0), np.int32)
        groups = self.finest.merge(labels, n, (), nothing)
        concerned = np.zeros(n, bool)
        concerned[parts] = concerned[olds] = True
        kept = np.ones(n, bool)
        kept[concerned] = self.judge.keeps(groups.select(concerned))
        self.effort["groups_judged"] += int(concerned.sum())
        is_good: BoolArray = kept[parts] & kept[olds]
        make_moves(clusters, self.landscape.prices, rows[is_good], parts[is_good])
        return is_good

    def _rebuild(self, stop_rule: StopRule, rng: np.random.Generator, progress: Progress) -> None:
        """Rebuild groups around records, costly ones most often."""
        clusters, land = self._clusters, self.landscape
        state = rng.integers(1 << 63, size=1).astype(np.uint64)
        most, spent, n_idle = self._looks(stop_rule), 0, 0
        while spent < most and n_idle < _IDLE and not stop_rule.is_over():
            shares = np.cumsum(clusters.cost[clusters.part] * clusters.weights)
            if shares[-1] == 0:
                break
            chances = rng.random(min(_AT_ONCE, len(self.finest)))
            rows = np.searchsorted(shares, chances * shares[-1], side="right")
            made = 0
            for some in np.array_split(rows.astype(np.int32), -(-rows.size // _UNBROKEN)):
                if stop_rule.is_over():
                    break
                looks, better = rebuild(
                    some, _AROUND, clusters, land.prices, land.levels, land.losses, self._site,
                    self.judge.least, state,
                )  # fmt: skip
                spent, made = spent + looks, made + better
                self.effort["regions_tried"] += some.size
            n_idle = 0 if made else n_idle + 1
            self.effort["regions_rebuilt"] += made
            progress(min(spent / most, 1.0), f"{self.effort['regions_rebuilt']} groups rebuilt")

    def _looks(self, stop_rule: StopRule) -> float:
        """Tell how many looks at a record are worth it; any number if there is a time to end.

        The more ways there are to generalize, and the larger groups must be, the longer it pays.
        """
        if stop_rule.deadline < np.inf:
            return np.inf
        n_nodes = float(np.prod(self.landscape.levels.heights.astype(float)))
        looks = len(self.finest) * n_nodes**2 * self.judge.least / 100_000
        return self.share * float(np.clip(looks, _FEWEST_LOOKS, _MOST_LOOKS))


def _like(keys: CodeArray, stop_rule: StopRule) -> CodeArray:
    """List for every row some that are like it: its neighbours in several orders of all rows.

    There are fewer orders if the time is up before.
    """
    n, d = keys.shape
    wanted = int(np.clip(_LIKE // max(n, 1), _FEWEST_LIKE, _MOST_LIKE))
    orders = min(_ORDERS, d)
    reach = min(wanted // (2 * orders), (n - 1) // 2)
    near = np.zeros((n, 2 * reach * orders), np.int32)
    for i in range(orders):
        if stop_rule.is_over():
            return near[:, : 2 * reach * i].copy()
        # Sorted by columns that begin with another one each time.
        columns = np.roll(np.arange(d), -(i * d // orders))
        order = np.lexsort(keys.T[columns[::-1]])
        place = np.empty(n, np.int64)
        place[order] = np.arange(n)
        steps = np.concatenate([np.arange(-reach, 0), np.arange(1, reach + 1)])
        span = slice(2 * reach * i, 2 * reach * (i + 1))
        near[:, span] = order[(place[:, None] + steps) % n]
    return near
