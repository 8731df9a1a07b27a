"""Reach bounds: lower bounds of the losses of all tables of a reach, by the kind of the metric.

No table distinguishes more than the finest one, and what is suppressed in the coarsest one is
suppressed in all. Where a loss adds up over rows of the finest table, each row has a lower bound of
its cost if it is kept and a cost if it is suppressed, so that splits can be tried row by row.
"""

from __future__ import annotations

import abc

import numpy as np

from unlinkable.errors import UnsupportedError
from unlinkable.kernels.counting import sum_floats_by_label
from unlinkable.kernels.taxonomy_cuts import join_classes, join_sizes
from unlinkable.tables.groups import Groups, Partition, number_rows
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.cuts.shared.head_judging import HeadJudge
from unlinkable.tables.methods.cuts.shared.reach import Reach
from unlinkable.tables.methods.cuts.shared.split_sets import SplitSets
from unlinkable.tables.metrics import Charge, ClassificationMetric, Discernibility
from unlinkable.tables.metrics.base import CellMetric, GroupMetric, Shown, SizeMetric
from unlinkable.typing import BoolArray, CodeArray, FloatArray

__all__ = ["CellFloor", "CostFloor", "RowCosts", "floor_for"]

RowCosts = tuple[FloatArray, FloatArray]
"""The least cost of each row if it is kept, and its cost if it is suppressed."""


class CostFloor(abc.ABC):
    """Bounds of the losses of the tables of a reach.

    Attributes
    ----------
    target
        The column whose values are counted as classes, if any.
    forgives
        Whether a split that only splits off what is then suppressed never pays.
    """

    target: str | None = None
    forgives: bool = False

    def __init__(self, finest: Groups, judge: HeadJudge, task: Task) -> None:
        self._finest, self._judge, self._task = finest, judge, task
        self._n_records = finest.n_records

    def loss(self, reach: Reach, keep: BoolArray) -> float:
        """Measure the coarsest table of a reach if all groups but some are suppressed."""
        partition = reach.splits.partition(self._finest, reach.head).suppress(~keep)
        return self._measure(partition)

    @property
    def is_monotone(self) -> bool:
        """Whether suppressing a group never reduces the loss."""
        return self._task.metric.monotone

    def floor_of_head(self, reach: Reach, gone: BoolArray) -> float:
        """Bound the loss of the coarsest table from below, without some groups and maybe others.

        Only losses that depend on sizes have such a bound.
        """
        metric, sizes = self._task.metric, reach.head_sizes
        if not isinstance(metric, SizeMetric):
            return -np.inf
        n_gone = int(sizes[gone].sum())
        return metric.floor(sizes[~gone], self._judge.limit - n_gone, n_gone)

    def _measure(self, partition: Partition) -> float:
        return self._task.metric.loss(Shown.of(partition, self._task.attributes))

    @abc.abstractmethod
    def rows(self, reach: Reach) -> RowCosts:
        """Return the least cost of each row if it is kept, and its cost if it is suppressed."""

    def floor(self, reach: Reach, gone: BoolArray, rows: RowCosts) -> float:
        """Bound the losses of all tables of a reach from below, where some rows are suppressed."""
        # A row that is gone in the coarsest table is gone in every table; any other costs at least
        # its cost in the finest table, because groups only grow and ranges only widen from there.
        return float(np.where(gone, rows[1], rows[0]).sum())

    def without(
        self, reach: Reach, gone: BoolArray, rows: RowCosts, splits: CodeArray
    ) -> FloatArray:
        """Return the same for the tables that do not make a split, for each of some splits."""
        # Tables without a split are tables of the reach too, so the bound of the whole reach holds.
        return np.full(splits.size, self.floor(reach, gone, rows))


class CellFloor(CostFloor):
    """For losses that add up over cells.

    A row that is too small to be published has to be merged with others: on one of its columns it
    is published at least as coarsely as without one of the splits.
    """

    def __init__(
        self, finest: Groups, judge: HeadJudge, task: Task, metric: CellMetric, splits: SplitSets
    ) -> None:
        super().__init__(finest, judge, task)
        shown = Shown.of(splits.partition(finest, splits.none), task.attributes)
        scale = metric.scale(shown) / (shown.total_weight or 1.0)
        self._metric = metric
        self._shares = (shown.importance * scale).tolist()
        lost = [metric.suppressed(a.taxonomy) for a in task.attributes]
        self._gone = float(np.dot(self._shares, lost))

    def rows(self, reach: Reach) -> RowCosts:
        kept, charge = np.zeros((2, reach.rows.sizes.size))
        charge[:] = np.inf
        for j, share in enumerate(self._shares):
            codes = reach.rows.codes[j]
            cells, more = self._column(reach, j)
            kept += share * cells[codes]
            np.minimum(charge, share * more[codes], out=charge)
        # Rows that are large enough need no merge. The others pay for the cheapest step up, or for
        # being suppressed if that is less.
        charge[reach.rows.sizes >= self._judge.least] = 0.0
        kept = np.minimum(kept + charge, self._gone)
        return kept * reach.rows.weights, self._gone * reach.rows.weights

    def without(
        self, reach: Reach, gone: BoolArray, rows: RowCosts, splits: CodeArray
    ) -> FloatArray:
        floors = super().without(reach, gone, rows, splits)
        weights = np.where(gone, 0.0, reach.rows.weights)
        plain = np.zeros(weights.size)
        for j, share in enumerate(self._shares):
            plain += share * self._column(reach, j)[0][reach.rows.codes[j]]
        charges = np.where(gone, 0.0, rows[0] - plain * weights)
        for j, share in enumerate(self._shares):
            at = np.flatnonzero(reach.splits.column[splits] == j)
            if not at.size:
                continue
            lo, hi = reach.splits.spans(reach.all, splits[at])
            taxonomy = self._task.attributes[j].taxonomy
            wide = self._metric.cells(taxonomy, lo, hi)
            cells, codes = self._column(reach, j)[0], reach.rows.codes[j]
            # Running sums over codes give the sum over any span as a difference of two entries.
            heavy = _running(sum_floats_by_label(weights, codes, taxonomy.n))
            fine = _running(sum_floats_by_label(weights * cells[codes], codes, taxonomy.n))
            charged = _running(sum_floats_by_label(charges, codes, taxonomy.n))
            more = share * (wide * (heavy[hi] - heavy[lo]) - (fine[hi] - fine[lo]))
            # Rows of the span may have been charged for a step up already; that part must not count
            # twice.
            floors[at] += np.maximum(more - (charged[hi] - charged[lo]), 0.0)
        return floors

    def _column(self, reach: Reach, j: int) -> tuple[FloatArray, FloatArray]:
        """Measure the cells of all codes of a column, and the least that one step up would add."""
        splits, taxonomy = reach.splits, self._task.attributes[j].taxonomy
        cells = self._metric.cells(taxonomy, *splits.ranges(reach.all, j))
        more = np.full(taxonomy.n, np.inf)
        which = np.flatnonzero(reach.tail & (splits.column == j)).astype(np.int32)
        lo, hi = splits.spans(reach.all, which)
        wide = self._metric.cells(taxonomy, lo, hi)
        for first, end, cell in zip(lo, hi, wide, strict=True):
            np.minimum(more[first:end], cell - cells[first:end], out=more[first:end])
        return cells, more


def _running(amounts: FloatArray) -> FloatArray:
    return np.append(0.0, np.cumsum(amounts))


_MOST_CLASSES = 64
"""Classes are counted row by row if there are at most this many of them."""


class SizeFloor(CostFloor):
    """For discernibility, if a suppressed record costs as much as there are records.

    Every record that is kept costs the size of its group: at least that of its row, and at least
    that of the smallest group that keeps the promise.
    """

    forgives = True

    def loss(self, reach: Reach, keep: BoolArray) -> float:
        sizes = reach.head_sizes
        n_kept = int(sizes[keep].sum())
        return float(sizes[keep] @ sizes[keep] + (self._n_records - n_kept) * self._n_records)

    def rows(self, reach: Reach) -> RowCosts:
        sizes = reach.rows.sizes.astype(float)
        return sizes * np.maximum(sizes, self._judge.least), sizes * self._n_records

    def without(
        self, reach: Reach, gone: BoolArray, rows: RowCosts, splits: CodeArray
    ) -> FloatArray:
        floors = super().without(reach, gone, rows, splits)
        for at, spans, codes, lines, order in _lines(reach, splits):
            found = floors[at]
            sizes, least = reach.rows.sizes, self._judge.least
            join_sizes(spans, codes, lines, order, sizes, gone, least, found)
            floors[at] = found
        return floors


class ClassFloor(CostFloor):
    """For the classification metric: a row has no fewer records of other classes in a group."""

    forgives = True

    def __init__(self, finest: Groups, judge: HeadJudge, task: Task, target: str) -> None:
        super().__init__(finest, judge, task)
        self.target = target

    def rows(self, reach: Reach) -> RowCosts:
        classes = reach.rows.classes
        assert classes is not None
        minority = reach.rows.sizes - classes.max(axis=1, initial=0)
        return minority / self._n_records, reach.rows.sizes / self._n_records

    def without(
        self, reach: Reach, gone: BoolArray, rows: RowCosts, splits: CodeArray
    ) -> FloatArray:
        floors = super().without(reach, gone, rows, splits)
        classes = reach.rows.classes
        assert classes is not None
        for at, spans, codes, lines, order in _lines(reach, splits):
            found = floors[at]
            share = 1.0 / self._n_records
            join_classes(spans, codes, lines, order, classes, gone, share, found)
            floors[at] = found
        return floors


class PlainFloor(CostFloor):
    """For losses that are only known of the whole table.

    A loss that depends on sizes has its own lower bound for releases that are coarser than some
    groups. Any other must never fall as groups are merged, ranges widened or groups suppressed.
    """

    def rows(self, reach: Reach) -> RowCosts:
        nothing = np.zeros(reach.rows.sizes.size)
        return nothing, nothing

    def floor(self, reach: Reach, gone: BoolArray, rows: RowCosts) -> float:
        metric = self._task.metric
        if isinstance(metric, SizeMetric):
            sizes = reach.rows.sizes
            there, n_gone = sizes[~gone & (sizes > 0)], int(sizes[gone].sum())
            # A release keeps at least one record, so a reach that loses them all has none.
            if not there.size:
                return np.inf
            return metric.floor(there, self._judge.limit - n_gone, n_gone)
        # The metric is monotone here. The finest table, with only what is gone in all tables
        # suppressed, loses no more than any table of the reach.
        finest = reach.splits.partition(self._finest, reach.all)
        heads = reach.splits.partition(self._finest, reach.head)
        is_gone = np.zeros(reach.n_heads, bool)
        is_gone[reach.labels] = gone
        # Heads are numbered in the order of the finest groups, whichever way rows were joined.
        parts = np.zeros(finest.n_parts, bool)
        parts[finest.labels] = is_gone[heads.labels]
        return self._measure(finest.suppress(parts))


def floor_for(finest: Groups, judge: HeadJudge, task: Task, splits: SplitSets) -> CostFloor:
    """Choose the tightest bound for the metric of a task.

    Raises
    ------
    UnsupportedError
        If the metric may fall as tables get coarser, so that nothing can be ruled out.
    """
    metric = task.metric
    if isinstance(metric, Discernibility) and metric.suppressed is Charge.TABLE:
        return SizeFloor(finest, judge, task)
    if isinstance(metric, CellMetric):
        return CellFloor(finest, judge, task, metric, splits)
    if isinstance(metric, ClassificationMetric):
        shown = Shown.of(Partition.whole(finest), task.attributes)
        if metric.counts(shown).groups.n_values <= _MOST_CLASSES:
            return ClassFloor(finest, judge, task, metric.column(shown))
    if not metric.monotone and not isinstance(metric, SizeMetric):
        raise UnsupportedError(_refusal(metric))
    return PlainFloor(finest, judge, task)


def _refusal(metric: GroupMetric) -> str:
    return (
        f"{metric} may fall as a table gets coarser, so that no table can be ruled out without a "
        "look at it: guide the search by discernibility, classification-metric or iloss, and "
        "measure what comes out, or use the method optimal"
    )


def _lines(
    reach: Reach, splits: CodeArray
) -> list[tuple[CodeArray, tuple[CodeArray, CodeArray], CodeArray, CodeArray, CodeArray]]:
    """Arrange the rows that differ on one column only in lines, for each column of some splits."""
    # Without a split, rows of one line whose codes lie in its span become one row. This lets
    # kernels add up what a missing split costs in one pass over each line.
    codes = reach.rows.codes
    found = []
    for j in range(len(codes)):
        at = np.flatnonzero(reach.splits.column[splits] == j)
        if at.size:
            spans = reach.splits.spans(reach.all, splits[at])
            lines, _ = number_rows(np.ascontiguousarray(np.delete(codes, j, axis=0).T))
            order = np.lexsort((codes[j], lines))
            found.append((at.astype(np.int32), spans, codes[j], lines, order.astype(np.int32)))
    return found
