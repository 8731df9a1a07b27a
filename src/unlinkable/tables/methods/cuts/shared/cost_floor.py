"""Cost floor: a lower bound of the losses of all tables of a reach.

No table distinguishes more than the finest one, and what is suppressed in the coarsest one is
suppressed in all. Where a loss adds up over rows of the finest table, each row has a lower bound of
its cost if it is kept and a cost if it is suppressed, so that splits can be tried row by row.
"""

from __future__ import annotations

import abc

import numpy as np

from unlinkable.tables.groups import Groups, Partition
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.cuts.shared.head_judging import HeadJudge
from unlinkable.tables.methods.cuts.shared.reach import Reach
from unlinkable.tables.metrics.base import Shown, SizeMetric
from unlinkable.typing import BoolArray, CodeArray, FloatArray

__all__ = ["CostFloor", "RowCosts"]

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
