"""Head judging: the verdict on the coarsest of many tables, and what it implies for finer ones."""

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
    """The verdict of a promise on a table.

    Attributes
    ----------
    keep
        The groups to publish: those of the release of the table that loses the least, up to
        `floor`.
    is_release
        Whether no more records than allowed are suppressed, and not all of them.
    gone
        The groups of which no finer release keeps anything.
    is_hopeless
        Whether neither this table nor any finer one is a release.
    floor
        A lower bound of the loss of a better release of the table, if there may be one that was not
        tried; infinite if there is none.
    """

    keep: BoolArray
    is_release: bool
    gone: BoolArray
    is_hopeless: bool
    floor: float = np.inf


@define(eq=False, frozen=True)
class HeadJudge:
    """A promise, and what a verdict implies for finer tables.

    Attributes
    ----------
    privacy
        The promise.
    limit
        How many records may be suppressed.
    least
        Groups of fewer records break the promise, whatever their hidden values.
    is_bare
        Whether all other groups keep it.
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
        """Divide a promise into the parts that matter for finer tables."""
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
        """Judge a table, and choose the groups to suppress.

        Parameters
        ----------
        groups
            The groups of the table.
        losses
            The loss if some of them are suppressed.
        most
            Releases that lose more than this are of no use.
        allowance
            How many sets of groups to suppress may be tried; as few as possible if not given.
        """
        # What every finer release must lose of a group bounds the suppression of the whole branch
        # from below. If these losses already exceed the limit, no finer table is a release.
        is_small = groups.sizes < self.least
        lost = np.where(is_small, groups.sizes, self.privacy.least_suppressed(groups, self.limit))
        gone = lost == groups.sizes
        if int(lost.sum()) > self.limit:
            return Finding(~gone, False, gone, True)
        choice = choose(groups, self.privacy, self.limit, losses, most=most, allowance=allowance)
        # A finer table may be a release although this one is not, unless a finer release implied a
        # coarser one, or good groups stay good when merged and nothing may be suppressed.
        is_hopeless = choice.is_impossible and (
            self.is_monotone or (self.limit == 0 and not self.firm.holds(groups))
        )
        is_release = choice.is_release and bool(choice.keep.any())
        return Finding(choice.keep, is_release, gone, is_hopeless, choice.floor)

    def find_by_size(self, sizes: CountArray) -> Finding:
        """Judge a table by its sizes, if the promise depends on them alone."""
        keep: BoolArray = sizes >= self.least
        is_release = int(sizes[~keep].sum()) <= self.limit
        return Finding(keep, is_release, ~keep, not is_release)


def least_size(models: Iterable[GroupModel], most: int) -> int:
    """Find the size below which every set of records breaks one of some promises.

    The sets are what the promises judge, whatever their hidden values. Promises on sizes alone are
    evaluated by bisection; other promises by the promises that they imply. ``most`` is the largest
    size that there is.
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
