"""BCF-anonymizer: the next release of a growing table, specialized while everybody is safe.

All values are at the top of their taxonomies first. In each step one value is replaced by its
children, as in top-down specialization, if afterwards everybody has enough records that could be
his, whatever earlier releases say [1]_.

References
----------
.. [1] B. C. M. Fung, K. Wang, A. W.-C. Fu, J. Pei. "Anonymity for continuous data publishing." EDBT
   2008. Algorithm 10.2.6 in Fung, Wang, Fu, Yu: "Introduction to Privacy-Preserving Data
   Publishing." 2010.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np
from attrs import define, field, fields, frozen

from unlinkable.errors import InfeasibleError
from unlinkable.kernels.counting import sum_by_label
from unlinkable.spelling import quantity
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.base import Task
from unlinkable.tables.methods.cuts import (
    ColumnRefinement,
    Cut,
    Guard,
    Leaves,
    Refinement,
    Score,
    TopDownSpecialization,
    Trial,
)
from unlinkable.tables.models.base import All
from unlinkable.tables.series.continuous.crack_check import Bounds, CrackCheck
from unlinkable.tables.series.continuous.earlier_releases import EarlierReleases
from unlinkable.tables.series.continuous.nested_trees import AlongNested, nested_tree
from unlinkable.tables.series.continuous.next_classes import NextClasses
from unlinkable.tables.series.continuous.range_index import Starts
from unlinkable.typing import CodeArray

if TYPE_CHECKING:
    from unlinkable.tables.series.continuous.continuous import Continuous

__all__ = ["BCFAnonymizer"]


@frozen(eq=False)
class BCFAnonymizer(TopDownSpecialization):
    """Specialize the next release of a series, as long as earlier ones crack nobody.

    Parameters
    ----------
    policy
        Who asks for it.
    earlier_releases
        What is out already.
    bounds
        What must be left of everybody.
    """

    name: ClassVar[str] = "continuous"
    reference: ClassVar[str] = "Fung, Wang, Fu and Pei 2008"

    policy: Continuous = field(kw_only=True)
    earlier_releases: EarlierReleases = field(kw_only=True, repr=False)
    bounds: Bounds = field(kw_only=True)

    @classmethod
    def like(
        cls,
        asked: TopDownSpecialization,
        policy: Continuous,
        earlier_releases: EarlierReleases,
        bounds: Bounds,
    ) -> Self:
        """Search as another top-down specialization does."""
        same = {a.name: getattr(asked, a.name) for a in fields(TopDownSpecialization)}
        return cls(**same, policy=policy, earlier_releases=earlier_releases, bounds=bounds)

    def begin(self, finest: Groups, privacy: All, task: Task) -> Refinement:
        refinement = super().begin(finest, privacy, task)
        watch = CrackCheck(self.earlier_releases, self.bounds, refinement.effort)
        if self.earlier_releases.n_past:
            _require_start(watch, refinement)
        refinement.guard = _Guard.around(refinement.guard, watch, refinement.cut)
        return refinement

    def _refinements(self, finest: Groups, task: Task, score: Score) -> list[ColumnRefinement]:
        gain_of = self._gain_of(finest, task, score)
        found: list[ColumnRefinement] = []
        for j, attribute in enumerate(task.attributes):
            codes = np.ascontiguousarray(finest.keys[:, j])
            sizes = sum_by_label(finest.sizes, codes, attribute.taxonomy.n)
            earlier = self.earlier_releases.earlier[j]
            tree = nested_tree(attribute.taxonomy, self.numbers, sizes, earlier)
            found.append(AlongNested(attribute, sizes > 0, gain_of(j), tree))
        return found

    def __str__(self) -> str:
        return str(self.policy)


@define(eq=False, frozen=True)
class _Guard(Guard):
    """Whether a promise survives a step, for the release alone and for all together."""

    watch: CrackCheck = field(kw_only=True)
    cut: Cut = field(kw_only=True)

    @classmethod
    def around(cls, guard: Guard, watch: CrackCheck, cut: Cut) -> Self:
        """Check for cracks in addition to what is judged already."""
        same = {str(a.alias): getattr(guard, a.name) for a in fields(Guard)}
        return cls(**same, watch=watch, cut=cut)

    def allows(self, leaves: Leaves, trial: Trial) -> bool:
        if not super().allows(leaves, trial):
            return False
        if not self.watch.earlier_releases.n_past:
            return True
        leaves.arrange(trial)
        refined = trial.split.value
        lo, hi = int(self.cut.state.lo[refined]), int(self.cut.state.hi[refined])
        if self.watch.holds(self._after(leaves, trial, lo, hi), (trial.column, lo, hi)):
            return True
        leaves.shrink(trial)
        return False

    def _after(self, leaves: Leaves, trial: Trial, lo: int, hi: int) -> NextClasses:
        """Say which classes there are after a step, and what they show."""
        cut, j = self.cut, trial.column
        shown = list(_shown(cut))
        begins = np.array(trial.split.begins, np.int32)
        ours = begins[trial.split.target[lo:hi]]
        shown[j][lo:hi] = _occurring(cut.refinements[j])[ours]
        keep = np.ones(leaves.n, bool)
        keep[trial.leaves] = False
        start = np.concatenate([leaves.start[: leaves.n][keep], trial.start])
        end = np.concatenate([leaves.end[: leaves.n][keep], trial.end])
        there = start < end
        return NextClasses(leaves.order, start[there], end[there], tuple(shown))


def _shown(cut: Cut) -> Starts:
    """Tell for every code the least code that occurs and is shown alike."""
    found = []
    for j, refinement in enumerate(cut.refinements):
        values = cut.state.value[cut.first_code[j] : cut.first_code[j + 1]]
        found.append(_occurring(refinement)[cut.state.lo[values]])
    return tuple(found)


def _occurring(refinement: ColumnRefinement) -> CodeArray:
    """For every code the least one that occurs and is not below it; the number of codes if none."""
    codes = np.append(np.flatnonzero(refinement.occurs), refinement.n).astype(np.int32)
    return codes[refinement.n_up_to[:-1]]


def _require_start(watch: CrackCheck, refinement: Refinement) -> None:
    """Refuse to publish if telling nothing tells too much already: then everything does.

    Raises
    ------
    InfeasibleError
        If it does.
    """
    leaves, bounds, n_new = refinement.leaves, watch.bounds, watch.earlier_releases.n_new
    state = NextClasses(leaves.order, leaves.start[:1], leaves.end[:1], _shown(refinement.cut))
    found = list(watch.remaining(state))
    new = found.pop() if n_new else None
    share = f", or more than {float(bounds.c):.3g} of them with the same value"
    if not all(watch.are_good(*old) for old in found):
        raise InfeasibleError(
            f"comparing the releases that are out leaves somebody with fewer than {bounds.k} "
            f"records that could be his{share if bounds.c < 1 else ''}: no further release can "
            "change that. Start a new series without the records that are out, or promise less"
        )
    if new is not None and n_new < bounds.k:
        raise InfeasibleError(
            f"{quantity(n_new, 'person is', 'people are')} new since the last release, and must "
            f"be taken for one of {bounds.k}: wait until there are {bounds.k} new ones, or promise "
            "less"
        )
    if new is not None and not watch.are_good(*new):
        raise InfeasibleError(
            f"more than {float(bounds.c):.3g} of the {n_new:,} people who are new since the last "
            "release have the same value: wait for others, or promise less"
        )
