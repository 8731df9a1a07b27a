"""Bisection: regions are cut in two, a generation at a time, until no cut keeps the promise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from attrs import define, field

from unlinkable.kernels.splitting import halve, list_columns
from unlinkable.tables.methods.regions.shared.group_judging import Judge
from unlinkable.tables.methods.regions.shared.region_cuts import Cuts, Penalty, unevenness
from unlinkable.tables.methods.regions.shared.region_layout import RegionLayout, Regions, interleave
from unlinkable.tables.methods.shared.portions import portions
from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray, Progress

__all__ = ["Bisection", "Choice", "choose_cuts"]

_ROWS = 1 << 18
"""Rows that are sorted at a time, or those of one region."""

_CELLS = 1 << 20
"""Ranges of halves that are measured at a time, or those of one cut."""

_PRECISE = 1 << 42
"""Penalties that differ by less than one part in so many are equal."""


@define(eq=False, frozen=True)
class Choice:
    """The cuts that were chosen for regions.

    Attributes
    ----------
    middle
        The first row of the upper half of every region; -1 if no cut is good.
    lower
        Number of records below the cut.
    n_tried
        How many cuts were looked at.
    """

    middle: CountArray
    lower: CountArray
    n_tried: int


def choose_cuts(
    layout: RegionLayout,
    regions: Regions,
    columns: tuple[CountArray, CodeArray],
    judge: Judge,
    penalty: Penalty,
    *,
    strict: bool,
    by_column: bool,
    ties: Penalty | None = None,
    only: Callable[[Cuts], BoolArray] | None = None,
    is_stopped: Callable[[], bool],
) -> Choice:
    """Find for every region the good cut of the least penalty, and move its rows accordingly.

    ``columns`` lists what to try: regions, rising, and a column for each. With ``by_column``, a cut
    on an earlier column is always preferred. Of equal cuts, one on the earliest column is taken,
    and of these the one that ``ties`` makes least, or the lowest. ``only`` marks the cuts that are
    worth being judged. Once the search is stopped, regions that were not looked at stay whole.
    """
    region, column = columns
    best = np.full(len(regions), np.inf)
    chosen = np.full(len(regions), -1, np.int64)
    below, lower = np.zeros((2, len(regions)), np.int64)
    n_tried = 0
    for part in portions((regions.end - regions.start)[region], _ROWS):
        if is_stopped():
            break
        items = region[part], column[part]
        cuts = Cuts.on(layout, regions, *items, least=judge.least, strict=strict)
        cuts = cuts if only is None else cuts.select(np.flatnonzero(only(cuts)))
        n_tried += len(cuts)
        cuts = cuts.select(np.flatnonzero(cuts.kept(judge)))
        first, penalties = _least(cuts, penalty, ties, by_column=by_column)
        item = cuts.item[first]
        owner = cuts.region[item]
        is_better = (chosen[owner] < 0) if by_column else (penalties < best[owner])
        first, item, owner = first[is_better], item[is_better], owner[is_better]
        best[owner], chosen[owner] = penalties[is_better], item + part.start
        below[owner], lower[owner] = cuts.below[first], cuts.lower[first]
    cut = chosen >= 0
    _sort(layout, regions, np.flatnonzero(cut), column[chosen[cut]], strict=strict)
    return Choice(np.where(cut, regions.start + below, -1), lower, n_tried)


def _least(
    cuts: Cuts, penalty: Penalty, ties: Penalty | None, *, by_column: bool
) -> tuple[CountArray, FloatArray]:
    """Choose a cut for each region that has one, and tell its penalty."""
    penalties = np.empty(len(cuts))
    for part in portions(np.full(len(cuts), cuts.n_columns), _CELLS):
        penalties[part] = penalty(cuts.select(part))
    penalties = _rounded(penalties)
    owner = cuts.region[cuts.item]
    rest = () if ties is None else (ties(cuts),)
    keys = (penalties, cuts.item) if by_column else (cuts.item, penalties, owner)
    order = np.lexsort((*rest, *keys))
    owner = owner[order]
    first = order[np.flatnonzero(np.diff(owner, prepend=-1))]
    return first, penalties[first]


def _rounded(penalties: FloatArray) -> FloatArray:
    """Take for equal what differs by rounding only: sums of logarithms, added in another order."""
    mantissa, exponent = np.frexp(penalties)
    rounded: FloatArray = np.ldexp(np.rint(mantissa * _PRECISE) / _PRECISE, exponent)
    return rounded


def _sort(
    layout: RegionLayout, regions: Regions, region: CountArray, column: CodeArray, *, strict: bool
) -> None:
    """Put the rows of regions into the order of the columns on which they are cut."""
    for part in portions((regions.end - regions.start)[region], _ROWS):
        items = region[part], column[part]
        Cuts.on(layout, regions, *items, least=1, strict=strict).sort_rows()


_Cut: TypeAlias = tuple[CountArray, CountArray, BoolArray]
"""The first row of each upper half (-1: not cut now), the sizes of lower halves, who is done."""


@define(eq=False, frozen=True)
class Bisection:
    """One way of cutting regions for a promise that is judged on each group by itself.

    Attributes
    ----------
    layout, judge
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

    layout: RegionLayout
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
        layout, n_done = self.layout, 0
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
            progress(n_done / len(layout.finest), f"{len(regions)} regions")
            halves = layout.halves(regions.select(is_cut), middle[is_cut], lower[is_cut])
            waits = ~is_cut & ~is_done
            regions = Regions.together([regions.select(waits), halves]) if waits.any() else halves
        return Regions.together(done)

    def _at_medians(self, regions: Regions) -> _Cut:
        """Cut on the next widest column; where all were cut in vain, try every other cut."""
        layout, judge = self.layout, self.judge
        middle, lower, n_tried = halve(
            *layout.rows,
            regions.start,
            regions.end,
            regions.sizes,
            regions.lo,
            regions.hi,
            regions.last,
            *layout.axes,
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
        groups = self.layout.groups(
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
        axes = self.layout.axes
        region, columns = list_columns(regions.lo, regions.hi, axes.scale, axes.plan)
        can = (regions.sizes >= 2 * self.judge.least)[region]
        choice = choose_cuts(
            self.layout,
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
