"""Cost floor: what every table of a reach loses at least.

No table tells more apart than the finest one, and what is left out of the coarsest one is left out
of all. Where a loss adds up over rows of the finest table, it is known what each row costs at least
if it is kept and what it costs if it is left out, so that splits can be tried row by row.
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
"""What each row costs at least if it is kept, and what it costs if it is left out."""


class CostFloor(abc.ABC):
    """What is known of the losses of the tables of a reach.

    Attributes
    ----------
    target
        The column whose values are counted as classes, if any.
    forgives
        Whether a split that only splits off what is then left out never pays.
    """

    target: str | None = None
    forgives: bool = False

    def __init__(self, finest: Groups, judge: HeadJudge, task: Task) -> None:
        self._finest, self._judge, self._task = finest, judge, task
        self._n_records = finest.n_records

    def loss(self, reach: Reach, keep: BoolArray) -> float:
        """Measure the coarsest table of a reach if all groups but some are left out."""
        partition = reach.splits.partition(self._finest, reach.head).suppress(~keep)
        return self._measure(partition)

    @property
    def is_monotone(self) -> bool:
        """Whether leaving out a group never loses less."""
        return self._task.metric.monotone

    def floor_of_head(self, reach: Reach, gone: BoolArray) -> float:
        """Bound from below what the coarsest table loses without some groups, and maybe others.

        Only losses that depend on sizes can say that.
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
        """Give what each row costs at least if it is kept, and what it costs if it is left out."""

    def floor(self, reach: Reach, gone: BoolArray, rows: RowCosts) -> float:
        """Give what every table of a reach loses at least, where some rows are left out."""
        return float(np.where(gone, rows[1], rows[0]).sum())

    def without(
        self, reach: Reach, gone: BoolArray, rows: RowCosts, splits: CodeArray
    ) -> FloatArray:
        """Give the same for the tables that do not make a split, for each of some splits."""
        return np.full(splits.size, self.floor(reach, gone, rows))
