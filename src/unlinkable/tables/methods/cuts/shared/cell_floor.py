"""Cell floor: what every table of a reach loses at least, where losses add up over cells."""

from __future__ import annotations

import numpy as np

from unlinkable.kernels.counting import sum_floats_by_label
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.cuts.shared.cost_floor import CostFloor, RowCosts
from unlinkable.tables.methods.cuts.shared.head_judging import HeadJudge
from unlinkable.tables.methods.cuts.shared.reach import Reach
from unlinkable.tables.methods.cuts.shared.split_sets import SplitSets
from unlinkable.tables.metrics.base import CellMetric, Shown
from unlinkable.typing import BoolArray, CodeArray, FloatArray

__all__ = ["CellFloor"]


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
