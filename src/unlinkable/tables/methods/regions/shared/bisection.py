"""Cutting regions in two, a generation at a time, until no cut keeps the promise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from attrs import define, field

from unlinkable.kernels.splitting import halve, list_columns
from unlinkable.tables.methods.regions.shared.choosing import choose_cuts
from unlinkable.tables.methods.regions.shared.cuts import Cuts, Penalty, unevenness
from unlinkable.tables.methods.regions.shared.ground import Ground, Regions, interleave
from unlinkable.tables.methods.regions.shared.judging import Judge
from unlinkable.typing import BoolArray, CountArray, Progress

__all__ = ["Bisection"]

_Cut: TypeAlias = tuple[CountArray, CountArray, BoolArray]
"""The first row of each upper half (-1: not cut now), the sizes of lower halves, who is done."""


@define(eq=False, frozen=True)
class Bisection:
    """One way of cutting regions for a promise that is judged on each group by itself.

    Attributes
    ----------
    ground, judge
        What is cut, and what every half must keep.
    penalty
        What the chosen cut makes small; None to cut the widest column as evenly as can be.
    strict
        Whether records with equal values stay together.
    effort
        What it took so far.
    ties
        What the chosen cut makes small among those of a column that have the same penalty.
    is_stopped
        Whether the search was asked to end with what there is.
    """

    ground: Ground
    judge: Judge
    penalty: Penalty | None
    strict: bool
    effort: Counter[str]
    ties: Penalty | None = None
    is_stopped: Callable[[], bool] = field(default=lambda: False)

    def run(self, regions: Regions, progress: Progress) -> Regions:
        """Cut regions until none can be cut without breaking the promise, or it is stopped.

        Every region keeps the promise as it is, so that those that are left may stay whole.
        """
        ground, n_done = self.ground, 0
        done: list[Regions] = []
        while len(regions):
            if self.is_stopped():
                done.append(regions)
                break
            if self.penalty is None:
                middle, lower, is_done = self._at_medians(regions)
            else:
                middle, lower = self._try_all(regions, self.penalty, by_column=False)
                is_done = middle < 0
            is_cut = middle >= 0
            self.effort["rounds"] += 1
            self.effort["cuts_made"] += int(is_cut.sum())
            done.append(regions.select(is_done))
            n_done += done[-1].n_rows
            progress(n_done / len(ground.finest), f"{len(regions)} regions")
            halves = ground.halves(regions.select(is_cut), middle[is_cut], lower[is_cut])
            waits = ~is_cut & ~is_done
            regions = Regions.together([regions.select(waits), halves]) if waits.any() else halves
        return Regions.together(done)

    def _at_medians(self, regions: Regions) -> _Cut:
        """Cut on the next widest column; where all were cut in vain, try every other cut."""
        ground, judge = self.ground, self.judge
        middle, lower, n_tried = halve(
            *ground.rows,
            regions.start,
            regions.end,
            regions.sizes,
            regions.lo,
            regions.hi,
            regions.last,
            *ground.axes,
            judge.least,
            self.strict,
        )
        self.effort["cuts_tried"] += n_tried
        is_stuck = middle < 0
        if judge.sizes_suffice:
            # Where the most even cut of a column makes a half too small, every cut does.
            return middle, lower, is_stuck
        open_ = np.flatnonzero(~is_stuck)
        kept = self._keeps(regions.select(open_), middle[open_], lower[open_])
        middle[open_[~kept]] = -1
        stuck = np.flatnonzero(is_stuck)
        middle[stuck], lower[stuck] = self._try_all(
            regions.select(stuck), unevenness, by_column=True
        )
        return middle, lower, is_stuck & (middle < 0)

    def _keeps(self, regions: Regions, middle: CountArray, lower: CountArray) -> BoolArray:
        """Tell which cuts have two good halves."""
        groups = self.ground.groups(
            interleave(regions.start, middle),
            interleave(middle, regions.end),
            interleave(lower, regions.sizes - lower),
        )
        self.effort["groups_judged"] += len(groups)
        kept: BoolArray = self.judge.keeps(groups).reshape(-1, 2).min(axis=1)
        return kept

    def _try_all(
        self,
        regions: Regions,
        penalty: Penalty,
        *,
        by_column: bool,
        only: Callable[[Cuts], BoolArray] | None = None,
    ) -> tuple[CountArray, CountArray]:
        """Choose among all cuts with two good halves, or ``only`` among those that are marked."""
        axes = self.ground.axes
        region, columns = list_columns(regions.lo, regions.hi, axes.scale, axes.plan)
        can = (regions.sizes >= 2 * self.judge.least)[region]
        choice = choose_cuts(
            self.ground,
            regions,
            (region[can], columns[can]),
            self.judge,
            penalty,
            strict=self.strict,
            by_column=by_column,
            ties=self.ties,
            only=only,
            is_stopped=self.is_stopped,
        )
        self.effort["cuts_tried"] += choice.n_tried
        self.effort["groups_judged"] += 0 if self.judge.sizes_suffice else 2 * choice.n_tried
        return choice.middle, choice.lower
