"""Judging: which groups of a lattice node can be published, and what that says of finer nodes.

A search asks two questions of a node: is it a release, and can any node below it be one? The second
is what makes searching fast, and each promise answers it for itself (`least_suppressed`).
"""

from __future__ import annotations

from typing import Self

import numpy as np
from attrs import define

from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.lattice.shared.node_groups import NodeGroups
from unlinkable.tables.methods.lattice.shared.rollup import RollUp
from unlinkable.tables.methods.shared.suppression import Allowance, Losses, choose
from unlinkable.tables.models.base import All, Merging
from unlinkable.typing import BoolArray, CountArray

__all__ = ["Finding", "Judge"]


@define(eq=False, frozen=True)
class Finding:
    """What a promise says of a lattice node.

    Attributes
    ----------
    keep
        The groups to publish: of all releases at the node the one that loses the least, as far as
        `floor` says. If there is none, what could be published if more might be left out.
    n_suppressed
        Number of records in the others.
    is_release
        Whether no more records than allowed are left out, and not all of them.
    lost
        How many records of each group are left out, at least, in every release at a node below.
    n_lost
        These, added up.
    is_hopeless
        Whether no node below can be a release, nor this one.
    floor
        What a better release at the node loses at least, if there may be one that was not tried;
        infinite if there is none.
    """

    keep: BoolArray
    n_suppressed: int
    is_release: bool
    lost: CountArray
    n_lost: int
    is_hopeless: bool
    floor: float = np.inf


@define(eq=False, frozen=True)
class Judge:
    """A promise taken apart by what it asks for and what it says of finer nodes.

    Attributes
    ----------
    rollup
        The groups of the nodes.
    privacy
        The promise.
    limit
        How many records may be left out.
    bare, rest
        The part of the promise that can be judged on sizes alone and is kept by a group whatever is
        merged into it, and the other part. Sizes come first: where they decide, nothing is counted.
    firm
        The part of the promise that groups which keep it keep together.
    is_settled
        Whether a group that does not keep the promise is lost at every node below, and one that
        does is kept, so that no further check is needed.
    """

    rollup: RollUp
    privacy: All
    limit: int
    bare: All
    rest: All
    firm: All
    is_settled: bool

    @classmethod
    def of(cls, rollup: RollUp, privacy: All, task: Task) -> Self:
        """Divide a promise into the parts that are judged separately."""
        models = privacy.models
        has_owner = rollup.finest.owner is not None
        bare = [m for m in models if not m.needs() and not has_owner and _absorbs(All([m]))]
        return cls(
            rollup=rollup,
            privacy=privacy,
            limit=min(task.may_suppress(rollup.n_records), rollup.n_records - 1),
            bare=All(bare),
            rest=All(m for m in models if m not in bare),
            firm=All(m for m in models if m.merging is not Merging.UNSAFE),
            is_settled=_absorbs(privacy) and privacy.local,
        )

    @property
    def is_monotone(self) -> bool:
        """Whether all nodes above a release are releases."""
        return _absorbs(self.privacy) or (
            self.limit == 0 and self.privacy.merging is not Merging.UNSAFE
        )

    def find(
        self,
        groups: NodeGroups,
        losses: Losses,
        most: float = np.inf,
        allowance: Allowance | None = None,
    ) -> Finding:
        """Judge a node, and find out which of its groups to leave out.

        Parameters
        ----------
        groups
            The groups of the node.
        losses
            What leaving some of them out loses.
        most
            Releases that lose more than this are of no use.
        allowance
            How many sets of groups to leave out may be tried; as few as possible if not given.
        """
        seen = self.rollup.groups(groups, keyed=not self.privacy.local, counted=False)
        lost = self.bare.least_suppressed(seen, self.limit)
        # Histograms are only counted if the sizes alone have not ruled the node out.
        if self.rest.models and int(lost.sum()) <= self.limit:
            seen = self.rollup.groups(groups, keyed=not self.privacy.local, counted=True)
            lost = np.maximum(lost, self.rest.least_suppressed(seen, self.limit))
        n_lost = int(lost.sum())
        if n_lost > self.limit:
            return _hopeless(seen, lost, n_lost)
        # The bound is exact here: the groups with nothing lost are exactly those to publish.
        if self.is_settled:
            return Finding(lost == 0, n_lost, True, lost, n_lost, False)
        choice = choose(seen, self.privacy, self.limit, losses, most=most, allowance=allowance)
        keep, is_release = choice.keep, choice.is_release
        n_suppressed = int(seen.sizes[~keep].sum())
        # Below a node without any release there is none either if the promise is monotone, or if
        # what good groups keep together is broken here and nothing may be suppressed.
        is_hopeless = choice.is_impossible and (self.is_monotone or self._never_holds(seen))
        return Finding(keep, n_suppressed, is_release, lost, n_lost, is_hopeless, choice.floor)

    def _never_holds(self, groups: Groups) -> bool:
        """Whether nothing may be left out, and what merging cannot break is broken."""
        return self.limit == 0 and not self.firm.holds(groups)


def _absorbs(privacy: All) -> bool:
    return privacy.merging is Merging.ABSORBS and not privacy.relative


def _hopeless(groups: Groups, lost: CountArray, n_lost: int) -> Finding:
    keep = np.zeros(len(groups), bool)
    return Finding(keep, groups.n_records, False, lost, n_lost, True)
