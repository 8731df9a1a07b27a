"""Cost floors: lower bounds of the losses of a reach, by the kind of the metric."""

from __future__ import annotations

import numpy as np

from unlinkable.errors import UnsupportedError
from unlinkable.kernels.taxonomy_cuts import join_classes, join_sizes
from unlinkable.tables.groups import Groups, Partition, number_rows
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.cuts.shared.cell_floor import CellFloor
from unlinkable.tables.methods.cuts.shared.cost_floor import CostFloor, RowCosts
from unlinkable.tables.methods.cuts.shared.head_judging import HeadJudge
from unlinkable.tables.methods.cuts.shared.reach import Reach
from unlinkable.tables.methods.cuts.shared.split_sets import SplitSets
from unlinkable.tables.metrics import Charge, ClassificationMetric, Discernibility
from unlinkable.tables.metrics.base import CellMetric, GroupMetric, Shown, SizeMetric
from unlinkable.typing import BoolArray, CodeArray, FloatArray

__all__ = ["floor_for"]

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
