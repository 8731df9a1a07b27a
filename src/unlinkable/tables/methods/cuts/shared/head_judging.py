"""Judging the coarsest of many tables: what the promise says of it, and of all finer ones."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

import numpy as np
from attrs import define

from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.shared.suppression import Allowance, Losses, choose
from unlinkable.tables.models.base import All, GroupModel, Joint, Merging
from unlinkable.typing import BoolArray, CountArray

__all__ = ["Finding", "HeadJudge", "least_size"]


@define(eq=False, frozen=True)
class Finding:
    """What a promise says of a table.

    Attributes
    ----------
    keep
        The groups to publish: of all releases of the table the one that loses the least, as far as
        `floor` says.
    is_release
        Whether no more records than allowed are left out, and not all of them.
    gone
        The groups of which no finer release keeps anything.
    is_hopeless
        Whether neither this table nor any finer one is a release.
    floor
        What a better release of the table loses at least, if there may be one that was not tried;
        infinite if there is none.
    """

    keep: BoolArray
    is_release: bool
    gone: BoolArray
    is_hopeless: bool
    floor: float = np.inf


@define(eq=False, frozen=True)
class HeadJudge:
    """A promise, and what it says of tables that are finer than one that was looked at.

    Attributes
    ----------
    privacy
        The promise.
    limit
        How many records may be left out.
    least
        Groups of fewer records break the promise, whatever they hide.
    is_bare
        Whether all others keep it.
    firm
        The part of the promise that groups which keep it keep together.
    is_monotone
        Whether every table that is coarser than a release is a release.
    """

    privacy: All
    limit: int
    least: int
    is_bare: bool
    firm: All
    is_monotone: bool

    @classmethod
    def of(cls, finest: Groups, privacy: All, task: Task) -> Self:
        """Take a promise apart."""
        limit = min(task.may_suppress(finest.n_records), finest.n_records - 1)
        firm = [m for m in privacy.models if m.merging is not Merging.UNSAFE]
        absorbs = privacy.merging is Merging.ABSORBS and not privacy.relative
        return cls(
            privacy=privacy,
            limit=limit,
            least=least_size((m for m in privacy.models if m.local), finest.n_records),
            is_bare=finest.owner is None and all(map(_is_bare, privacy.models)),
            firm=All(firm),
            is_monotone=absorbs or (limit == 0 and privacy.merging is not Merging.UNSAFE),
        )

    def find(
        self,
        groups: Groups,
        losses: Losses,
        most: float = np.inf,
        allowance: Allowance | None = None,
    ) -> Finding:
        """Judge a table, and find out which of its groups to leave out.

        Parameters
        ----------
        groups
            The groups of the table.
        losses
            What leaving some of them out loses.
        most
            Releases that lose more than this are of no use.
        allowance
            How many sets of groups to leave out may be tried; as few as possible if not given.
        """
        is_small = groups.sizes < self.least
        lost = np.where(is_small, groups.sizes, self.privacy.least_lost(groups, self.limit))
        gone = lost == groups.sizes
        if int(lost.sum()) > self.limit:
            return Finding(~gone, False, gone, True)
        choice = choose(groups, self.privacy, self.limit, losses, most=most, allowance=allowance)
        is_hopeless = choice.is_impossible and (
            self.is_monotone or (self.limit == 0 and not self.firm.holds(groups))
        )
        is_release = choice.is_release and bool(choice.keep.any())
        return Finding(choice.keep, is_release, gone, is_hopeless, choice.floor)

    def find_by_size(self, sizes: CountArray) -> Finding:
        """Judge a table of which sizes tell all."""
        keep: BoolArray = sizes >= self.least
        is_release = int(sizes[~keep].sum()) <= self.limit
        return Finding(keep, is_release, ~keep, not is_release)


def least_size(models: Iterable[GroupModel], most: int) -> int:
    """Find the size below which every set of records breaks one of some promises.

    The sets are what the promises judge, whatever they hide. Promises that ask for nothing but size
    are asked about all sizes; what follows from a promise is asked in its place. ``most`` is the
    largest size that there is.
    """
    least = 1
    for model in models:
        parts = model.parts.values() if isinstance(model, Joint) else ()
        follows = (m for m in model.consequences() if m.local)
        least = max(least, least_size((*parts, *follows), most))
        if _grows(model) and not model.needs_owner:
            low, high = 1, most + 1
            while low < high:
                middle = (low + high) // 2
                if bool(model.judge(_of_size(middle))[0]):
                    high = middle
                else:
                    low = middle + 1
            least = max(least, low)
    return least


def _is_bare(model: GroupModel) -> bool:
    """Whether a promise depends on the sizes of groups alone, each by itself."""
    return _grows(model) and model.local


def _grows(model: GroupModel) -> bool:
    """Whether a promise judges sets by their size alone, and never breaks as they grow."""
    is_firm = model.merging is Merging.ABSORBS and not model.relative and not model.collective
    return is_firm and not model.needs() and not model.judges_absence


def _of_size(size: int) -> Groups:
    sizes = np.array([size], np.int64)
    keys = np.zeros((1, 0), np.int32)
    return Groups(sizes, sizes.astype(float), {}, {}, (), keys)
