"""MPALM: regions of a population, halved as long as nobody's presence in the table becomes clear.

Published for delta-presence [1]_, [2]_. The adversary knows a population that the table is taken
from, and compares how many people of a region are in both. So the space to cut is that of the
population: people who are not in the table lie in regions, too.

References
----------
.. [1] M. E. Nergiz, M. Atzori, C. Clifton. "Hiding the presence of individuals from shared
   databases." SIGMOD 2007.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 5.3.1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import ClassVar, Self

import numpy as np
from attrs import define, evolve, frozen

from unlinkable.errors import UnsupportedError
from unlinkable.tables.groups import POPULATION_PREFIX, Groups, Histogram
from unlinkable.tables.methods.base.search import Search, Solution, Task
from unlinkable.tables.methods.regions.shared.group_judging import Judge
from unlinkable.tables.methods.regions.shared.region_cuts import Cuts, Loss, Penalty
from unlinkable.tables.methods.regions.shared.region_layout import RegionLayout, Regions
from unlinkable.tables.methods.shared.feasible import require_feasible, require_safe
from unlinkable.tables.models.base import All
from unlinkable.tables.operations import MultidimensionalGeneralization
from unlinkable.tables.operations.base import Scheme
from unlinkable.typing import Columns, CountArray, Progress

__all__ = ["MPALM", "Division", "PeopleCuts"]


@frozen
class MPALM(Search):
    """Halve the population again and again, on the column that loses the least.

    The search starts from the most general box, around everybody in the population. On every column
    it finds the cut that parts the people of the population most evenly; of the cuts whose halves
    keep the promise, the one is made whose published halves lose the least by the metric of the
    task (by the normalized certainty penalty if that does not add up over cells). If none of these
    keeps the promise, all other cuts are tried: on every column the most even one that keeps it. In
    the end, no region can be cut once more.

    What is known of the published method is that it goes top-down, cuts several columns at once
    where full-domain generalization cuts one at a time, chooses greedily, and takes
    O(c e log e) for c columns and e people: one most even cut of every column in every generation,
    as here. `Mondrian` differs in that it halves the records of the
    table on the widest column, and never cuts off a part of the population without records. Where
    the promise allows people to be absent for sure, such parts are cut off here, and what is left
    shows narrower ranges.

    A region shows the smallest box around its people. Boxes never overlap: a column on which some
    values are missing is first cut between missing and present ones, and not at all as long as that
    would break the promise. So everybody in the population looks like one region only.

    If no promise refers to a population, the table is its own. Of several populations, people are
    added up.

    Nobody is left out, whatever share of the records may be suppressed.

    Cost
    ----
    O(r d n log n) for n distinct people, d columns and r rounds, about log2(n / smallest region) of
    them.

    Raises
    ------
    UnsupportedError
        If groups that keep the promise may break it together, or it cannot be judged a group at a
        time.
    InfeasibleError
        If all records in one group break the promise.

    Examples
    --------
    >>> import unlinkable as ul
    >>> sick = ul.as_table({"age": [30, 34, 51, 55, 58]}, quasi="age")
    >>> people = {"age": [30, 31, 34, 35, 50, 51, 52, 55, 58, 59]}
    >>> presence = ul.DeltaPresence(0.5, 0.6, population="people")
    >>> found = ul.anonymize(sick, privacy=presence, method=MPALM(), side={"people": people})
    >>> found.frame["age"]
    ['[30-32)', '[34-36)', '[50-52)', '[52-56)', '[58-60)']
    """

    name: ClassVar[str] = "mpalm"
    reference: ClassVar[str] = "Nergiz, Atzori and Clifton 2007"
    scheme: ClassVar[type[Scheme]] = MultidimensionalGeneralization

    def require(self, privacy: All, *, may_suppress: bool) -> None:
        super().require(privacy, may_suppress=may_suppress)
        require_safe(self, privacy)
        for model in privacy.models:
            if not model.local:
                raise UnsupportedError(
                    f"{self} judges halves one by one, and {model} is about several groups "
                    "together: use mondrian with its defaults, or spalm"
                )

    def search(self, finest: Groups, privacy: All, task: Task) -> Solution:
        """Cut the population into as many regions as keep the promise.

        Effort: ``rounds``, ``cuts_tried`` and ``cuts_made`` in them, and ``groups_judged``: two
        halves for every cut that was tried.
        """
        self.require(privacy, may_suppress=task.suppression > 0)
        require_feasible(finest, privacy, evolve(task, suppression=Fraction(0)))
        people = _population(finest)
        judged = evolve(finest, histograms=_needed(finest, privacy))
        along = np.zeros(len(task.attributes), bool)
        layout = RegionLayout.of(judged, task.attributes, along)
        layout = evolve(layout, rows=layout.rows._replace(sizes=people))
        effort = Counter(rounds=0, cuts_tried=0, cuts_made=0, groups_judged=0)
        loss = Loss(task.attributes, task.metric, in_taxonomy=False)
        # A half without records is for the promise to judge.
        division = Division(layout, Judge(0, privacy), loss, effort)
        regions = division.run(task.progress)
        tight = evolve(layout.partition(regions), finest=finest)
        return Solution(tight.publishable(task.attributes), effort)


def _population(finest: Groups) -> CountArray:
    """Count the people of all populations who look like each of the finest groups."""
    crowds = [
        h for (name, *_), h in finest.histograms.items() if name.startswith(POPULATION_PREFIX)
    ]
    if not crowds:
        return finest.sizes.copy()
    people: CountArray = np.sum([h.reduce(np.add, h.counts) for h in crowds], axis=0)
    return people


def _needed(finest: Groups, privacy: All) -> Mapping[Columns, Histogram]:
    """Forget the counts that no promise asks for."""
    needed = {*privacy.needs(), (finest.owner,)}
    return {columns: h for columns, h in finest.histograms.items() if columns in needed}


@define(eq=False, frozen=True)
class PeopleCuts(Cuts):
    """Cuts of regions that hold people: ``lower`` and the sizes of regions count these.

    There is one item for each region, on the same column for all.
    """

    @property
    def sizes(self) -> CountArray:
        """Number of records of the lower half of each cut, then of the upper."""
        finest, order = self.layout.finest, self.layout.rows.order
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
    layout
        What is cut: rows of people.
    judge
        What the records of every half must keep.
    loss
        What the chosen cut makes small.
    effort
        What it took so far.
    """

    layout: RegionLayout
    judge: Judge
    loss: Penalty
    effort: Counter[str]

    def run(self, progress: Progress) -> Regions:
        """Cut the whole population until no cut keeps the promise."""
        layout, n_rows = self.layout, len(self.layout.finest)
        sizes = np.array([layout.rows.sizes.sum()])
        regions = layout.regions(np.zeros(1, np.int64), np.array([n_rows]), sizes)
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
            regions = layout.halves(regions.select(is_cut), middle[is_cut], lower[is_cut])
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
        layout, columns = self.layout, np.full(which.size, column, np.int32)
        cuts = PeopleCuts.on(layout, regions, which, columns, least=1, strict=True)
        missing = layout.axes.plan[column, 0]
        if missing < 0:
            return cuts
        upper = layout.rows.keys[cuts.rows[cuts.starts[cuts.item] + cuts.below], column]
        is_mixed = (regions.hi[which, column] == missing + 1)[cuts.item]
        return cuts.select(np.flatnonzero(~is_mixed | (upper == missing)))
