"""Hidden cells: rare values are suppressed, cell by cell, until no combination is rare.

A cell that is hidden is published as ``*``, which is a value of its own when published values are
counted: records that hide a value are indistinguishable from each other, and from no others. So
hiding a cell removes its record from its group, and the few that hide the same may be rare
themselves. What is hidden stays hidden, so this terminates: at the latest when all is hidden.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unlinkable.tables.groups import Partition
from unlinkable.tables.metrics.base import CellMetric
from unlinkable.tables.models.base import All
from unlinkable.tables.taxonomies import Attribute
from unlinkable.typing import BoolArray, CodeArray, CountArray, Progress

__all__ = ["HiddenCells"]

_TINY = 1e-12
"""The least cost of hiding a cell, so that one that costs nothing can be compared with others."""


class HiddenCells:
    """The parts of a partition, with some of their cells hidden.

    Attributes
    ----------
    hidden
        ``hidden[g, j]``: whether part g shows ``*`` on column j.
    n_rounds
        How many times all combinations were counted.
    """

    def __init__(
        self,
        partition: Partition,
        attributes: Sequence[Attribute],
        metric: CellMetric,
        least: int,
    ) -> None:
        self.n_rounds = 0
        self._partition = partition
        self._n = np.array([a.taxonomy.n for a in attributes], np.int32)
        # A cell at the root is hidden from the start: it is published as ``*`` already.
        self.hidden: BoolArray = (partition.lo == 0) & (partition.hi == self._n)
        self._was_hidden = self.hidden.copy()
        self._least = least
        self._costs = np.empty(self.hidden.shape)
        for j, a in enumerate(attributes):
            told = metric.cells(a.taxonomy, partition.lo[:, j], partition.hi[:, j])
            whole = metric.cells(a.taxonomy, np.zeros(1, np.int32), self._n[j : j + 1])
            self._costs[:, j] = np.maximum(a.importance * (whole - told), _TINY)

    @property
    def n_hidden(self) -> int:
        """Number of cells of records that were hidden."""
        return int((self._partition.sizes[:, None] * (self.hidden & ~self._was_hidden)).sum())

    def shown(self) -> Partition:
        """Merge the parts that are published with the same values."""
        part = self._partition
        lo, hi = np.where(self.hidden, 0, part.lo), np.where(self.hidden, self._n, part.hi)
        return part.shown_as(lo.astype(np.int32), hi.astype(np.int32))

    def hide(self, privacy: All, progress: Progress) -> None:
        """Hide cells until the promise holds.

        In every part that is in a rare combination, the cell is hidden that is in the most of them
        against what hiding it costs. Where all cells of a rare combination are hidden already, more
        records have to hide the same: those that have the fewest other cells to hide.
        """
        while True:
            self.n_rounds += 1
            shown = self.shown()
            # For every part the merged part that contains it: all its finest groups are in the same
            # one.
            label = np.zeros(self.hidden.shape[0], np.int32)
            label[self._partition.labels] = shown.labels
            blame, lonely = self._blame(privacy, shown, label)
            n_bad = int(self._partition.sizes[blame.any(axis=1)].sum())
            progress(1.0, f"{self.n_hidden} cells hidden, {n_bad} records are in rare combinations")
            if not n_bad:
                return
            # This is the greedy rule of set cover: the most rare combinations resolved per unit of
            # cost.
            score = np.where(self.hidden, -1.0, blame / self._costs)
            column = score.argmax(axis=1)
            can = np.flatnonzero(np.take_along_axis(score, column[:, None], axis=1)[:, 0] > 0)
            self.hidden[can, column[can]] = True
            # All rare combinations consist of hidden cells only. They cannot be hidden further, so
            # other records must hide the same columns until there are enough of them.
            if not can.size:
                for columns, is_lonely in lonely:
                    self._accompany(columns, is_lonely)

    def _blame(
        self, privacy: All, shown: Partition, label: CodeArray
    ) -> tuple[CountArray, list[tuple[CountArray, BoolArray]]]:
        """Count for every cell the broken combinations that it is in, and list the hidden ones."""
        groups = shown.groups()
        blame = np.zeros(self.hidden.shape, np.int64)
        lonely = []
        for model in privacy.models:
            for seen, parent in model.seen(groups):
                is_bad = ~model.judge(seen)[parent][label]
                if is_bad.any():
                    columns = np.array([groups.columns.index(name) for name in seen.columns])
                    blame[np.ix_(np.flatnonzero(is_bad), columns)] += 1
                    alone = is_bad & self.hidden[:, columns].all(axis=1)
                    if alone.any():
                        lonely.append((columns, alone))
        return blame, lonely

    def _accompany(self, columns: CountArray, is_lonely: BoolArray) -> None:
        """Hide some columns in as many more records as it takes, and at least in one part more."""
        sizes = self._partition.sizes
        n = int(sizes[is_lonely].sum())
        missing = (~self.hidden[:, columns]).sum(axis=1)
        others = np.flatnonzero(missing)
        order = others[np.lexsort((sizes[others], missing[others]))]
        before = np.cumsum(sizes[order]) - sizes[order]
        joins = order[before < max(self._least - n, 1)]
        self.hidden[np.ix_(joins, columns)] = True
