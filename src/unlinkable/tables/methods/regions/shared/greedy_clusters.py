"""Greedy clusters: clusters of records that grow or are parted until each keeps a promise."""

from __future__ import annotations

from collections import Counter
from typing import Self

import numpy as np
from attrs import define, field

from unlinkable.errors import UnsupportedError
from unlinkable.kernels.counting import bounding_boxes, sum_by_label, sum_floats_by_label
from unlinkable.kernels.local_recoding import greedy_clusters
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.base.search import Search
from unlinkable.tables.methods.regions.shared.group_judging import Judge
from unlinkable.tables.methods.regions.shared.range_prices import PricedRecords
from unlinkable.tables.methods.shared.feasible import require_safe
from unlinkable.tables.models.base import All
from unlinkable.typing import BoolArray, CodeArray, CountArray, Progress

__all__ = ["BLOCK", "ClusterSearch", "Clusters", "require_clusters"]

BLOCK = 1 << 14
"""No more rows are parted at a time, if smaller blocks of them keep the promise."""


def require_clusters(method: Search, privacy: All) -> None:
    """Refuse promises that clusters which grow one by one, and overlap, may break.

    Raises
    ------
    UnsupportedError
        If there is one.
    """
    require_safe(method, privacy)
    for model in privacy.models:
        if not model.local:
            raise UnsupportedError(
                f"{method} judges a group by itself, and {model} depends on what other groups "
                "show: use mondrian or optimal"
            )
        if model.judges_absence:
            raise UnsupportedError(
                f"{method} makes groups that overlap, and {model} counts people who look like "
                "several of them: use mondrian with its defaults, or optimal"
            )


@define(eq=False, frozen=True)
class Clusters:
    """Which rows are together. Clusters stand in an order in which neighbours differ little.

    Attributes
    ----------
    labels
        The cluster of every row.
    n
        Number of clusters.
    """

    labels: CodeArray
    n: int

    @classmethod
    def numbered(cls, labels: CodeArray | CountArray, order: CountArray) -> Self:
        """Number clusters anew, by the first of their rows in an order of the rows."""
        _, first, inverse = np.unique(labels[order], return_index=True, return_inverse=True)
        rank = np.empty(first.size, np.int32)
        rank[np.argsort(first)] = np.arange(first.size, dtype=np.int32)
        numbers = np.empty(labels.size, np.int32)
        numbers[order] = rank[inverse]
        return cls(numbers, first.size)


@define(eq=False, frozen=True)
class ClusterSearch:
    """A promise that clusters must keep, and the prices by which they are formed.

    Attributes
    ----------
    finest, prices, judge
        The rows, what it costs to show them together, and what every cluster must keep.
    progress
        Progress callback.
    effort
        What it took so far.
    """

    finest: Groups
    prices: PricedRecords
    judge: Judge
    progress: Progress
    effort: Counter[str] = field(
        factory=lambda: Counter(
            rounds=0, compared=0, merges=0, splits_tried=0, splits_made=0, groups_judged=0
        )
    )

    def singles(self) -> Clusters:
        """Make every row a cluster."""
        order = self.prices.order
        labels = np.empty(order.size, np.int32)
        labels[order] = np.arange(order.size, dtype=np.int32)
        return Clusters(labels, order.size)

    def blocks(self) -> Clusters:
        """Cut the rows in their order into blocks of about equal length that keep the promise."""
        order = self.prices.order
        n = -(-order.size // BLOCK)
        while True:
            labels = np.empty(order.size, np.int32)
            labels[order] = np.arange(order.size) * n // order.size
            if n == 1 or self.kept(labels, np.ones(n, bool)).all():
                return Clusters(labels, n)
            n //= 2

    def merge(self, clusters: Clusters, reach: int) -> Clusters:
        """Put clusters that break the promise to others until all keep it.

        In every round each of them goes to the one with which it costs least, among the ``reach``
        before and after it; what comes of that is judged before it is touched again.
        """
        labels, n = clusters.labels, clusters.n
        lo, hi = bounding_boxes(self.prices.keys, labels, n)
        hi -= 1
        weights = sum_floats_by_label(self.finest.weights, labels, n)
        costs = greedy_clusters.price_boxes(lo, hi, *self.prices.listed)
        good = self.kept(labels, np.ones(n, bool))
        n_bad = int((~good).sum())
        while not good.all():
            target, n_compared = greedy_clusters.gather(
                lo, hi, weights, costs, ~good, min(reach, len(lo)), *self.prices.listed
            )
            stays = target == np.arange(target.size)
            number = (np.cumsum(stays) - 1).astype(np.int32)
            labels = number[target][labels]
            is_new = np.zeros(target.size, bool)
            is_new[target[~stays]] = True
            lo, hi, weights, costs = lo[stays], hi[stays], weights[stays], costs[stays]
            good, is_new = good[stays], is_new[stays]
            good[is_new] = self.kept(labels, is_new)
            self.effort["rounds"] += 1
            self.effort["compared"] += n_compared
            self.effort["merges"] += int((~stays).sum())
            self.progress(1 - int((~good).sum()) / n_bad, f"{good.size} clusters")
        return Clusters(labels, lo.shape[0])

    def split(self, clusters: Clusters, *, set_aside: bool) -> Clusters:
        """Part clusters in two, and the parts again, as long as both keep the promise.

        With ``set_aside``, one of two parts may break it: that is done with, the other is parted
        again. Clusters that have been set aside are to be merged with others afterwards.
        """
        order = self.prices.order
        order = order[np.argsort(clusters.labels[order], kind="stable")]
        counts = sum_by_label(np.ones(order.size, np.int64), clusters.labels, clusters.n)
        end = np.cumsum(counts)
        start, done = end - counts, []
        n_done = 0
        while start.size:
            middle = greedy_clusters.part(
                self.prices.keys, self.finest.weights, order, start, end, *self.prices.listed
            )
            done.append(start[middle < 0])
            tried = middle >= 0
            start, end, middle = start[tried], end[tried], middle[tried]
            kept = self._kept_halves(order, start, middle, end)
            is_split: BoolArray = kept.sum(axis=1) >= (1 if set_aside else 2)
            self.effort["rounds"] += 1
            self.effort["splits_tried"] += start.size
            self.effort["splits_made"] += int(is_split.sum())
            done.append(start[~is_split])
            starts, ends = np.column_stack([start, middle]), np.column_stack([middle, end])
            done.append(starts[is_split[:, None] & ~kept])
            is_open = is_split[:, None] & kept
            start, end = starts[is_open], ends[is_open]
            n_done = order.size - int((end - start).sum())
            self.progress(n_done / order.size, f"{sum(map(len, done)) + start.size} clusters")
        begins = np.zeros(order.size, np.int32)
        begins[np.concatenate(done)] = 1
        labels = np.empty(order.size, np.int32)
        labels[order] = np.cumsum(begins, dtype=np.int32) - 1
        return Clusters.numbered(labels, self.prices.order)

    def kept(self, labels: CodeArray, which: BoolArray) -> BoolArray:
        """Tell which of the marked clusters keep the promise; those without records do."""
        number = np.where(which, np.cumsum(which) - 1, -1).astype(np.int32)
        return self._keeps(number[labels], int(which.sum()))

    def _kept_halves(
        self, order: CountArray, start: CountArray, middle: CountArray, end: CountArray
    ) -> BoolArray:
        labels = np.full(order.size + 1, -1, np.int32)
        marks = np.zeros(order.size + 1, np.int32)
        numbers = np.arange(start.size, dtype=np.int32)
        # Stretches do not overlap: the sum of what begins and ends is the number of the half.
        marks[start] += 2 * numbers + 1
        marks[middle] += 1
        np.add.at(marks, end, -(2 * numbers + 2))
        labels[order] = np.cumsum(marks[:-1], dtype=np.int32) - 1
        return self._keeps(labels[:-1], 2 * start.size).reshape(-1, 2)

    def _keeps(self, labels: CodeArray, n: int) -> BoolArray:
        sizes = sum_by_label(self.finest.sizes, labels, n)
        if self.judge.sizes_suffice:
            kept: BoolArray = sizes >= self.judge.least
        else:
            groups = self.finest.merge(labels, n, (), np.empty((n, 0), np.int32))
            self.effort["groups_judged"] += n
            kept = self.judge.keeps(groups)
        kept[sizes == 0] = True
        return kept
