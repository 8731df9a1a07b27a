"""Meters: what a choice of cuts loses, without writing the release out where that can be avoided.

Each agrees with the metric that it stands for; they differ in how much has to be computed.
"""

from __future__ import annotations

import abc
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import ClassVar

import numpy as np

from unlinkable.kernels.counting import sum_left_out, sum_peaks
from unlinkable.tables.groups import Groups, Partition
from unlinkable.tables.methods.cuts.shared.genome import Cut
from unlinkable.tables.methods.cuts.shared.rows import Grouped, Rows
from unlinkable.tables.metrics import ClassificationMetric
from unlinkable.tables.metrics.base import CellMetric, GroupMetric, Shown, SizeMetric
from unlinkable.tables.taxonomies import Attribute
from unlinkable.typing import BoolArray, Columns, FloatArray

__all__ = ["CellMeter", "ClassMeter", "Meter", "MetricMeter", "SizeMeter", "meter_for"]

_MEMORY = 8192
"""The losses of this many cuts are remembered."""

_FEW = 64
"""Up to this many classes are counted in a dense table."""


class Meter(abc.ABC):
    """Measures what is lost.

    Attributes
    ----------
    needs
        The hidden columns that it looks at.
    """

    takes_sums: ClassVar[bool] = True
    """Whether rows may be sums of distinct records that are not told apart."""
    needs: frozenset[Columns] = frozenset()

    @abc.abstractmethod
    def loss(
        self, rows: Rows, cuts: Sequence[Cut], grouped: Grouped, keep: BoolArray, n_lost: int
    ) -> float:
        """Measure a release that leaves out all groups but those to keep, ``n_lost`` records."""


class CellMeter(Meter):
    """For losses that add up over cells.

    What a column loses is known from how often each value occurs. Records that are left out lose
    more, and only these are looked at.
    """

    def __init__(self, finest: Groups, attributes: Sequence[Attribute], metric: CellMetric) -> None:
        whole = Partition(
            finest, np.arange(len(finest), dtype=np.int32), finest.keys, finest.keys + np.int32(1)
        )
        shown = Shown.of(whole, attributes)
        total = shown.total_weight or 1.0
        self._shares = shown.importance * (metric.scale(shown) / total)
        self._weights = shown.before
        self._attributes = tuple(attributes)
        self._metric = metric
        self._costs: Callable[[int, Cut], tuple[float, FloatArray]]
        self._costs = lru_cache(_MEMORY)(self._cost)

    def loss(
        self, rows: Rows, cuts: Sequence[Cut], grouped: Grouped, keep: BoolArray, n_lost: int
    ) -> float:
        costs = [self._costs(j, cut) for j, cut in enumerate(cuts)]
        lost = sum(loss for loss, _ in costs)
        # Without suppression the loss is a sum over columns, and no group is visited.
        if keep.all():
            return lost
        gaps = np.concatenate([gap for _, gap in costs])
        weights = rows.weights(grouped)
        return lost + float(sum_left_out(rows.codes, grouped.first, keep, weights, gaps))

    def _cost(self, column: int, cut: Cut) -> tuple[float, FloatArray]:
        """Compute the loss of a column, and for each code the extra loss if it is suppressed."""
        taxonomy, share = self._attributes[column].taxonomy, self._shares[column]
        cells = self._metric.cells(taxonomy, cut.starts[:-1], cut.starts[1:])
        weights = np.bincount(cut.blocks, self._weights[column], cut.n_blocks)
        gaps = (self._metric.suppressed(taxonomy) - cells) * share
        return float(cells @ weights) * share, gaps[cut.blocks]


class SizeMeter(Meter):
    """For losses that depend on the sizes of groups."""

    def __init__(self, metric: SizeMetric) -> None:
        self._metric = metric

    def loss(
        self, rows: Rows, cuts: Sequence[Cut], grouped: Grouped, keep: BoolArray, n_lost: int
    ) -> float:
        return self._metric.of_sizes(grouped.sizes[keep], n_lost)


class ClassMeter(Meter):
    """For the classification metric: all records cost 1 but those with the class of their group."""

    def __init__(self, target: str) -> None:
        self.needs = frozenset({(target,)})
        self._target = target
        self._room = np.zeros(0, np.int64)

    def loss(
        self, rows: Rows, cuts: Sequence[Cut], grouped: Grouped, keep: BoolArray, n_lost: int
    ) -> float:
        classes = rows.counted.histograms[self._target,]
        n = rows.counted.n_records
        if classes.n_values > _FEW:
            peaks = classes.merge(grouped.labels, len(grouped)).peak
            return (n - int(peaks[keep].sum())) / n
        if self._room.size < len(grouped) * classes.n_values:
            self._room = np.empty(len(rows) * classes.n_values, np.int64)
        peak = sum_peaks(
            grouped.labels,
            keep,
            classes.indptr,
            classes.values,
            classes.counts,
            classes.n_values,
            self._room,
        )
        return (n - int(peak)) / n


class MetricMeter(Meter):
    """For all other metrics: builds the whole partition."""

    takes_sums: ClassVar[bool] = False

    def __init__(self, attributes: Sequence[Attribute], metric: GroupMetric) -> None:
        self._attributes = tuple(attributes)
        self._metric = metric

    def loss(
        self, rows: Rows, cuts: Sequence[Cut], grouped: Grouped, keep: BoolArray, n_lost: int
    ) -> float:
        partition = rows.partition(grouped, cuts, keep)
        return self._metric.loss(Shown.of(partition, self._attributes))


def meter_for(finest: Groups, attributes: Sequence[Attribute], metric: GroupMetric) -> Meter:
    """Take the meter that has to look at least."""
    if isinstance(metric, ClassificationMetric) and metric.target is not None:
        return ClassMeter(metric.target)
    if not metric.higher_is_better:
        if isinstance(metric, CellMetric):
            return CellMeter(finest, attributes, metric)
        if isinstance(metric, SizeMetric):
            return SizeMeter(metric)
    return MetricMeter(attributes, metric)
