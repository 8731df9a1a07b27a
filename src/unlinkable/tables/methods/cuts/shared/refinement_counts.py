"""Count statistics: the effect of each candidate on the leaves, without reading records."""

from __future__ import annotations

from typing import Self

import numpy as np
from attrs import define

from unlinkable.kernels.counting import sum_by_label
from unlinkable.kernels.taxonomy_cuts import tally_parts
from unlinkable.tables.methods.cuts.shared.cut import Cut
from unlinkable.tables.methods.cuts.shared.leaves import Leaves, Trial
from unlinkable.tables.metrics import Squares
from unlinkable.typing import CodeArray, CountArray

__all__ = ["Counts"]

_VAST = 1 << 62
"""No part has this many records."""


@define(eq=False)
class Counts:
    """The counts of every candidate: see `unlinkable.kernels.taxonomy_cuts.tips_counts`.

    The least part of a candidate never grows: whatever else is refined splits its parts further.
    A part that vanishes, because all other suppressed values of its leaf were disclosed, has become
    a leaf itself, or several smaller ones; so the minimum of `least` and the smallest leaf is still
    exact.

    Attributes
    ----------
    leaves
        The leaves.
    squares
        Which squared sizes are needed; None if the least parts suffice. Then leaves that are split
        need not be subtracted before.
    least
        By candidate, the number of records of the smallest part that it would make.
    before
        By value, the squared sizes of the leaves of several rows that have it.
    alone
        By code of all columns, the squared sizes of the leaves of one row that have it.
    fall
        By candidate, by how much the squared sizes of leaves would fall.
    """

    leaves: Leaves
    squares: Squares | None
    least: CountArray
    before: CountArray
    alone: CountArray
    fall: CountArray
    _plan: CountArray
    _scratch: CountArray

    @classmethod
    def of(cls, leaves: Leaves, cut: Cut, squares: Squares | None) -> Self:
        """Count the parts of the first leaf, on all columns."""
        n = cut.is_open.size
        plan = cut.plan[leaves.columns]
        counts = cls(
            leaves,
            squares,
            least=np.full(n, _VAST, np.int64),
            before=np.zeros(n, np.int64),
            alone=np.zeros(int(cut.first_code[-1]), np.int64),
            fall=np.zeros(n, np.int64),
            plan=plan,
            scratch=np.zeros(int(cut.first_code[-1]), np.int64),
        )
        first = np.zeros(1, np.int32)
        counts._tally(cut, first, counts._open_columns(cut), 1)
        counts._count_alone(first)
        return counts

    def score(self, cut: Cut) -> CountArray:
        """Return the squared sizes that candidates are chosen by."""
        # A leaf of one row is never split, so it is not in `fall`, but it does count among the
        # sizes before.
        fall = self.fall[cut.candidates]
        if self.squares is Squares.REDUCTION:
            return fall
        with_value = self.before + sum_by_label(self.alone, cut.state.value, self.before.size)
        before = with_value[cut.refined(cut.candidates)]
        return before if self.squares is Squares.BEFORE else before - fall

    def leave(self, cut: Cut, trial: Trial) -> None:
        """Subtract the leaves that are about to be split."""
        if self.squares is not None:
            self._tally(cut, trial.leaves[trial.is_split], self._others(cut, trial), -1)
            # A refined value is replaced by its parts, and its counts are not used again. Only the
            # value that stands for suppressed codes stays, so the leaves that leave it are
            # subtracted.
            if cut.refinements[trial.column].hidden:
                self._tally(cut, trial.leaves[trial.is_moved], self._own(trial), -1)

    def enter(self, cut: Cut, trial: Trial, places: CodeArray) -> None:
        """Add the leaves that result from a split."""
        moved = np.repeat(trial.is_moved, np.diff(trial.ends))
        self._tally(cut, places[trial.is_part], self._others(cut, trial), 1)
        self._tally(cut, places[moved], self._own(trial), 1)
        self._count_alone(places[trial.is_part])

    def _count_alone(self, places: CodeArray) -> None:
        """Add the leaves of one row among these to their codes, if that is needed."""
        if self.squares in (None, Squares.REDUCTION):
            return
        mine = self.leaves
        alone = places[mine.end[places] - mine.start[places] == 1]
        rows, squares = mine.rows[mine.order[mine.start[alone]]], mine.records[alone] ** 2
        for j, (at, *_) in enumerate(self._plan.tolist()):
            np.add.at(self.alone, at + rows[:, j], squares)

    def _own(self, trial: Trial) -> CodeArray:
        return np.flatnonzero(self.leaves.columns == trial.column).astype(np.int32)

    def _others(self, cut: Cut, trial: Trial) -> CodeArray:
        columns = self._open_columns(cut)
        others: CodeArray = columns[self.leaves.columns[columns] != trial.column]
        return others

    def _open_columns(self, cut: Cut) -> CodeArray:
        """Return those of the columns that have a candidate."""
        held = np.searchsorted(cut.first_value, cut.candidates, "right") - 1
        return np.flatnonzero(np.isin(self.leaves.columns, held)).astype(np.int32)

    def _tally(self, cut: Cut, leaves: CodeArray, columns: CodeArray, sign: int) -> None:
        if not leaves.size or not columns.size:
            return
        mine, state = self.leaves, cut.state
        tally_parts(
            mine.order,
            mine.rows,
            mine.sizes,
            mine.start,
            mine.end,
            mine.records,
            leaves,
            columns,
            self._plan,
            state.value,
            state.branch,
            cut.is_open,
            sign,
            self.least,
            self.before,
            self.fall,
            self._scratch,
        )
