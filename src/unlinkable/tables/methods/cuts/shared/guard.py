"""Guard: whether a promise survives a step."""

from __future__ import annotations

from collections import Counter
from typing import Self

import numpy as np
from attrs import define, field

from unlinkable.kernels.counting import add_up, merge_stretches
from unlinkable.tables.groups import Groups, Histogram
from unlinkable.tables.methods.cuts.shared.leaves import Leaves, Trial
from unlinkable.tables.methods.regions.shared.group_judging import Judge
from unlinkable.tables.methods.regions.shared.region_layout import unseen
from unlinkable.tables.models.base import All
from unlinkable.typing import BoolArray, Columns, CountArray, FloatArray

__all__ = ["Guard"]


@define(eq=False, frozen=True)
class Guard:
    """Decides whether leaves that keep a promise keep it after a step.

    Sizes are checked first, and may be enough. Promises that are judged a group at a time need the
    parts of leaves that are split; others need all leaves.

    Attributes
    ----------
    finest
        The distinct records with their counts.
    judge
        The part of the promise that is judged a group at a time.
    others
        The rest of the promise.
    effort
        Counts the groups that were judged.
    """

    finest: Groups
    judge: Judge
    others: All
    effort: Counter[str]
    _is_weighted: bool
    _needed: frozenset[Columns]
    _seen: dict[Columns, CountArray] = field(factory=dict)
    _kept: dict[int, dict[Columns, Histogram]] = field(factory=dict)

    @classmethod
    def of(cls, finest: Groups, privacy: All, effort: Counter[str]) -> Self:
        """Divide a promise that all records together keep."""
        local = All(m for m in privacy.models if m.local)
        others = All(m for m in privacy.models if not m.local)
        needed = set(privacy.needs())
        if finest.owner is not None:
            needed.add((finest.owner,))
        is_weighted = not np.array_equal(finest.weights, finest.sizes)
        judge = Judge.of(finest, local)
        return cls(finest, judge, others, effort, is_weighted, frozenset(needed))

    def allows(self, leaves: Leaves, trial: Trial) -> bool:
        """Decide whether the promise survives; this may reorder the rows within leaves."""
        is_part, column = trial.is_part, trial.column
        self.effort["groups_judged"] += int(is_part.sum())
        sizes = trial.records[is_part]
        # The sizes are in the trial already, so a part that is too small is found before any row is
        # moved or any hidden value counted.
        if (sizes[sizes > 0] < self.judge.least).any():
            return False
        if self.judge.sizes_suffice and not self.others.models:
            return True
        leaves.arrange(trial)
        return self._parts_hold(leaves, trial, is_part) and (
            not self.others.models or self._all_hold(leaves, trial, self.finest.columns[column])
        )

    def _parts_hold(self, leaves: Leaves, trial: Trial, is_part: BoolArray) -> bool:
        if self.judge.sizes_suffice or not is_part.any():
            return True
        start, end, sizes = trial.start[is_part], trial.end[is_part], trial.records[is_part]
        weights = self._weights(leaves, start, end, sizes)
        parts = unseen(self.finest, sizes, weights, self._histograms(leaves, start, end))
        return bool(self.judge.rest.judge(parts).all())

    def _all_hold(self, leaves: Leaves, trial: Trial, column: str) -> bool:
        places = leaves.grow(trial)
        n = leaves.n
        start, end, sizes = leaves.start[:n], leaves.end[:n], leaves.records[:n]
        groups = Groups(
            sizes,
            self._weights(leaves, start, end, sizes),
            self._hidden(leaves, trial, start, end),
            self.finest.whole,
            self.finest.columns,
            leaves.shown[:, :n].T,
            self.finest.owner,
        )
        is_kept = self.others.survives(groups, leaves.moved(trial, places), column)
        # The leaves were grown only to be judged, and must not stay so if the step is rejected.
        if not is_kept:
            leaves.shrink(trial)
        return is_kept

    def _weights(
        self, leaves: Leaves, start: CountArray, end: CountArray, sizes: CountArray
    ) -> FloatArray:
        if not self._is_weighted:
            return sizes.astype(float)
        return add_up(self.finest.weights, leaves.order, start, end)

    def _hidden(
        self, leaves: Leaves, trial: Trial, start: CountArray, end: CountArray
    ) -> dict[Columns, Histogram]:
        """Add up the hidden values of all leaves; as long as none is split, they stay the same."""
        if trial.n_new:
            return self._histograms(leaves, start, end)
        if leaves.n not in self._kept:
            self._kept.clear()
            self._kept[leaves.n] = self._histograms(leaves, start, end)
        return self._kept[leaves.n]

    def _histograms(
        self, leaves: Leaves, start: CountArray, end: CountArray
    ) -> dict[Columns, Histogram]:
        """Add up the hidden values of leaves, on the columns that the promise needs."""
        return {
            columns: Histogram(
                *merge_stretches(
                    h.indptr, h.values, h.counts, leaves.order, start, end, self._wiped(columns)
                ),
                h.n_values,
                h.taxonomy,
                h.parts,
            )
            for columns, h in self.finest.histograms.items()
            if columns in self._needed
        }

    def _wiped(self, columns: Columns) -> CountArray:
        """Return a zero for every value of a hidden column, to count with and to reset."""
        if columns not in self._seen:
            self._seen[columns] = np.zeros(self.finest.histograms[columns].n_values, np.int64)
        return self._seen[columns]
