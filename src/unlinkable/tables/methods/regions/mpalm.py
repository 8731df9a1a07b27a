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
from typing import ClassVar

import numpy as np
from attrs import evolve, frozen

from unlinkable.errors import UnsupportedError
from unlinkable.tables.groups import POPULATION_PREFIX, Groups, Histogram
from unlinkable.tables.methods.base.search import Search, Solution, Task
from unlinkable.tables.methods.regions.shared.division import Division
from unlinkable.tables.methods.regions.shared.ground import Ground
from unlinkable.tables.methods.regions.shared.judging import Judge
from unlinkable.tables.methods.regions.shared.loss import Loss
from unlinkable.tables.methods.shared.feasible import require_feasible, require_safe
from unlinkable.tables.models.base import All
from unlinkable.tables.operations import MultidimensionalGeneralization
from unlinkable.tables.operations.base import Scheme
from unlinkable.typing import Columns, CountArray

__all__ = ["MPALM"]


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
        ground = Ground.of(judged, task.attributes, along)
        ground = evolve(ground, rows=ground.rows._replace(sizes=people))
        effort = Counter(rounds=0, cuts_tried=0, cuts_made=0, groups_judged=0)
        loss = Loss(task.attributes, task.metric, in_taxonomy=False)
        # A half without records is for the promise to judge.
        division = Division(ground, Judge(0, privacy), loss, effort)
        regions = division.run(task.progress)
        tight = evolve(ground.partition(regions), finest=finest)
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
