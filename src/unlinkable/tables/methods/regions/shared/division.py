"""Cutting a population evenly, and judging what that does to the records among it."""

from __future__ import annotations

from collections import Counter
from typing import Self

import numpy as np
from attrs import define

from unlinkable.tables.methods.regions.shared.cuts import Cuts, Penalty
from unlinkable.tables.methods.regions.shared.ground import Ground, Regions
from unlinkable.tables.methods.regions.shared.judging import Judge
from unlinkable.typing import CountArray, Progress

__all__ = ["Division", "PeopleCuts"]


@define(eq=False, frozen=True)
class PeopleCuts(Cuts):
    """Cuts of regions that hold people: ``lower`` and the sizes of regions count these.

    There is one item for each region, on the same column for all.
    """

    @property
    def sizes(self) -> CountArray:
        """Number of records of the lower half of each cut, then of the upper."""
        finest, order = self.ground.finest, self.ground.rows.order
        so_far = np.append(0, np.cumsum(finest.sizes[order[self.rows]]))
        first, last = so_far[self.starts[self.item]], so_far[self.starts[self.item + 1]]
        middle = so_far[self.starts[self.item] + self.below]
        return np.column_stack([middle - first, last - middle]).ravel()

    def most_even(self) -> Self:
        """Keep the cut of each region that parts its people most evenly; the lowest, if several."""
        gap = np.abs(2 * self.lower - self.regions.sizes[self.region[self.item]])
        order = np.lexsort((gap, self.item))
        return self.select(order[np.flatnonzero(np.diff(self.item[order], prepend=-1))])


@define(eq=False, frozen=True)
class Division:
    """One way of cutting a population.

    Attributes
    ----------
    ground
        What is cut: rows of people.
    judge
        What the records of every half must keep.
    loss
        What the chosen cut makes small.
    effort
        What it took so far.
    """

    ground: Ground
    judge: Judge
    loss: Penalty
    effort: Counter[str]

    def run(self, progress: Progress) -> Regions:
        """Cut the whole population until no cut keeps the promise."""
        ground, n_rows = self.ground, len(self.ground.finest)
        sizes = np.array([ground.rows.sizes.sum()])
        regions = ground.regions(np.zeros(1, np.int64), np.array([n_rows]), sizes)
        done: list[Regions] = []
        n_done = 0
        while len(regions):
            middle, lower = self._cut(regions)
            is_cut = middle >= 0
            self.effort["rounds"] += 1
            self.effort["cuts_made"] += int(is_cut.sum())
            done.append(regions.select(~is_cut))
            n_done += done[-1].n_rows
            progress(n_done / n_rows, f"{len(regions)} regions")
            regions = ground.halves(regions.select(is_cut), middle[is_cut], lower[is_cut])
        return Regions.together(done)

    def _cut(self, regions: Regions) -> tuple[CountArray, CountArray]:
        """Cut regions evenly; where no such cut is good, try all others.

        Gives the first row of every upper half, -1 if no cut is good, and the people below it.
        """
        middle, lower = self._choose(regions, only_even=True)
        stuck = np.flatnonzero(middle < 0)
        middle[stuck], lower[stuck] = self._choose(regions.select(stuck), only_even=False)
        return middle, lower

    def _choose(self, regions: Regions, *, only_even: bool) -> tuple[CountArray, CountArray]:
        """Find for every region the good cut that loses the least, one a column."""
        best = np.full(len(regions), np.inf)
        column = np.full(len(regions), -1, np.int64)
        below, lower = np.zeros((2, len(regions)), np.int64)
        for j in range(regions.lo.shape[1]):
            cuts = self._list(regions, np.flatnonzero(regions.hi[:, j] - regions.lo[:, j] > 1), j)
            cuts = cuts.most_even() if only_even else cuts
            self.effort["cuts_tried"] += len(cuts)
            self.effort["groups_judged"] += 2 * len(cuts)
            cuts = cuts.select(np.flatnonzero(cuts.kept(self.judge))).most_even()
            losses, owner = self.loss(cuts), cuts.region[cuts.item]
            is_better = losses < best[owner]
            owner = owner[is_better]
            best[owner], column[owner] = losses[is_better], j
            below[owner], lower[owner] = cuts.below[is_better], cuts.lower[is_better]
        for j in range(regions.lo.shape[1]):
            self._list(regions, np.flatnonzero(column == j), j).sort_rows()
        return np.where(column >= 0, regions.start + below, -1), lower

    def _list(self, regions: Regions, which: CountArray, column: int) -> PeopleCuts:
        """List the cuts of regions on a column: missing values are parted from others first."""
        ground, columns = self.ground, np.full(which.size, column, np.int32)
        cuts = PeopleCuts.on(ground, regions, which, columns, least=1, strict=True)
        missing = ground.axes.plan[column, 0]
        if missing < 0:
            return cuts
        upper = ground.rows.keys[cuts.rows[cuts.starts[cuts.item] + cuts.below], column]
        is_mixed = (regions.hi[which, column] == missing + 1)[cuts.item]
        return cuts.select(np.flatnonzero(~is_mixed | (upper == missing)))
