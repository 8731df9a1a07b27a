"""Cutting: what all methods have in common that start from one region and cut it in two.

They differ in where they cut. What they publish, which promises they can serve, and how they go on
where a promise concerns several regions together, is the same for all of them.
"""

from __future__ import annotations

import abc
from collections import Counter
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from attrs import evolve

from unlinkable.errors import UnsupportedError
from unlinkable.tables.groups import Groups, Partition
from unlinkable.tables.methods.base.search import Search, Solution, Task
from unlinkable.tables.methods.regions.shared.bisection import Bisection
from unlinkable.tables.methods.regions.shared.group_judging import Judge
from unlinkable.tables.methods.regions.shared.joint_bisection import JointBisection
from unlinkable.tables.methods.regions.shared.options import Along, Labels
from unlinkable.tables.methods.regions.shared.region_cuts import Penalty
from unlinkable.tables.methods.regions.shared.region_layout import RegionLayout
from unlinkable.tables.methods.shared.feasible import require_whole
from unlinkable.tables.models.base import All, Merging
from unlinkable.tables.operations import MultidimensionalGeneralization
from unlinkable.tables.operations.base import Scheme
from unlinkable.tables.taxonomies import Attribute, Kind
from unlinkable.typing import BoolArray

__all__ = ["CuttingMethod"]


class CuttingMethod(Search):
    """A search that cuts regions in two as long as both halves keep the promise."""

    scheme: ClassVar[type[Scheme]] = MultidimensionalGeneralization
    stoppable: ClassVar[bool] = True

    @property
    @abc.abstractmethod
    def strict(self) -> bool:
        """Whether records with equal values on the column that is cut stay together."""

    @property
    @abc.abstractmethod
    def along(self) -> Along:
        """Between which values regions may be cut."""

    @property
    @abc.abstractmethod
    def labels(self) -> Labels:
        """What regions show."""

    @property
    def compares_cuts(self) -> bool:
        """Whether cuts are chosen for what their halves are like, one region at a time."""
        return True

    @abc.abstractmethod
    def penalty(self, finest: Groups, task: Task) -> Penalty | None:
        """Say what the chosen cut makes small; None to cut the widest column at its median."""

    @property
    def ties(self) -> Penalty | None:
        """What decides between cuts of a column that have the same penalty; None: the lowest."""
        return None

    def bisection(
        self, layout: RegionLayout, judge: Judge, penalty: Penalty | None, effort: Counter[str]
    ) -> Bisection:
        """Say how regions are cut while each is judged by itself."""
        return Bisection(layout, judge, penalty, self.strict, effort, self.ties)

    def require(self, privacy: All, *, may_suppress: bool) -> None:
        super().require(privacy, may_suppress=may_suppress)
        is_told_alike = not self.strict or self.labels is Labels.TAXONOMY
        for model in privacy.models:
            if model.collective and self.compares_cuts:
                raise UnsupportedError(
                    f"{self} compares halves one by one, and {model} is about all groups together: "
                    "use mondrian with its default split, or optimal"
                )
            if model.judges_absence and is_told_alike:
                raise UnsupportedError(
                    f"{self} makes groups that overlap, and {model} counts people who look like "
                    "several of them: use mondrian with its defaults, or optimal"
                )
            if model.merging is not Merging.UNSAFE:
                continue
            if not model.local:
                raise UnsupportedError(
                    f"{self} needs a promise that survives merging groups, or can be judged a "
                    f"group at a time, and {model} is neither: use the method optimal, which then "
                    "checks every node"
                )
            if is_told_alike:
                raise UnsupportedError(
                    f"{self} makes groups that look alike or overlap, and {model} may break when "
                    "they are taken together: use mondrian with its defaults, or optimal"
                )

    def search(self, finest: Groups, privacy: All, task: Task) -> Solution:
        """Cut the table into as many groups as keep the promise.

        The effort counts ``rounds`` (generations of regions), ``cuts_tried``, ``cuts_made``, and
        ``groups_judged``, where sizes alone do not tell.
        """
        self.require(privacy, may_suppress=task.suppression > 0)
        require_whole(self, finest, privacy, task)
        attributes, in_taxonomy = task.attributes, self.labels is Labels.TAXONOMY
        penalty = self.penalty(finest, task)
        judged = _counted_for(finest, privacy)
        layout = RegionLayout.of(judged, attributes, self._follows_taxonomy(attributes))
        effort = Counter(rounds=0, cuts_tried=0, cuts_made=0, groups_judged=0)
        regions, is_stopped = layout.whole(), task.is_stopped
        if privacy.local or self.compares_cuts:
            judge = Judge.of(judged, privacy)
            bisection = self.bisection(layout, judge, penalty, effort)
            regions = evolve(bisection, is_stopped=is_stopped).run(regions, task.progress)
        if not privacy.local:
            joint = JointBisection(
                layout, privacy, attributes, in_taxonomy, self.strict, effort, is_stopped
            )
            regions = joint.run(regions, task.progress)
        tight = evolve(layout.partition(regions), finest=finest)
        partition = tight.publishable(attributes, in_taxonomy=in_taxonomy)
        self._refuse_overlap(privacy, tight, partition)
        return Solution(partition, effort, is_complete=not is_stopped())

    def _follows_taxonomy(self, attributes: Sequence[Attribute]) -> BoolArray:
        """Mark the columns that are cut between children of a node only."""
        numbers_too = self.along is Along.LABELS and self.labels is Labels.TAXONOMY
        follows = numbers_too or self.along is Along.TAXONOMY
        return np.array(
            [
                follows
                and a.taxonomy.height > 1
                and (numbers_too or a.taxonomy.domain.kind is Kind.CATEGORY)
                for a in attributes
            ],
            bool,
        )

    def _refuse_overlap(self, privacy: All, tight: Partition, shown: Partition) -> None:
        is_widened = not (np.array_equal(tight.lo, shown.lo) and np.array_equal(tight.hi, shown.hi))
        for model in privacy.models if is_widened else ():
            counts_who_looks_alike = model.judges_absence
            if model.merging is Merging.UNSAFE or counts_who_looks_alike:
                raise UnsupportedError(
                    "some groups mix missing with other values and show '*', which overlaps with "
                    f"other groups, and {model} may break when these are taken together: fill in "
                    "the missing values, or use optimal"
                )


def _counted_for(finest: Groups, privacy: All) -> Groups:
    """Forget the counts that no promise asks for: they would be added up again in every round."""
    needed = {*privacy.needs(), (finest.owner,)}
    kept = {columns: h for columns, h in finest.histograms.items() if columns in needed}
    return evolve(finest, histograms=kept)
