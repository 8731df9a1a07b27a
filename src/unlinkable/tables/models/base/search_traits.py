"""Search traits: what a method may ask of a promise while it searches for a release."""

from __future__ import annotations

import abc
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from unlinkable.tables.groups import Groups
from unlinkable.tables.models.base.merging import Merging
from unlinkable.typing import BoolArray, CountArray

if TYPE_CHECKING:
    from unlinkable.tables.models.base.model import GroupModel

__all__ = ["SearchTraits"]


class SearchTraits(abc.ABC):
    """What a method may ask of a promise: it serves promises by their traits, never by name."""

    counts_people: ClassVar[bool] = False
    """Whether it counts people instead of records where owners are known."""
    needs_owner: ClassVar[bool] = False
    """Whether it means nothing where it is not known which records belong to the same person."""
    judges_absence: ClassVar[bool] = False
    """Whether groups without records are judged, too: who could be in the table, and is not."""
    about_values: ClassVar[bool] = False
    """Whether it is only about the hidden values of a group, and about how many share each: then
    it does not matter whether the records of the group show the same."""
    about_originals: ClassVar[bool] = False
    """Whether it looks at people as they were before anything was published, and who is in a group
    must be known for that."""

    @property
    @abc.abstractmethod
    def merging(self) -> Merging:
        """What merging groups does to the promise."""

    @property
    def collective(self) -> bool:
        """Whether there is one verdict on all groups together, and none on a group alone."""
        return False

    @property
    def local(self) -> bool:
        """Whether a group can be judged without looking at the others."""
        return not self.collective

    @property
    def relative(self) -> bool:
        """Whether groups are compared with the whole table, so that leaving records out matters."""
        return self.collective

    @property
    def unsearchable(self) -> str | None:
        """Why no search among groups can keep the promise; None if one can."""
        return None

    @property
    def least_size(self) -> int:
        """How many records a group needs at least, as far as that is known beforehand."""
        return 1

    def prepared(self, finest: Groups) -> Self:
        """Examine the table once before groups of it are judged again and again."""
        return self

    @abc.abstractmethod
    def good(self, groups: Groups) -> BoolArray:
        """Decide for each group whether all that an adversary may see of it is as it must be."""

    def least_suppressed(self, groups: Groups, limit: int) -> CountArray:
        """Bound from below how many records of each group every finer release leaves out.

        A finer release splits these groups, leaves out at most ``limit`` records, and keeps the
        promise. A search stops at groups that lose more than they may. Where a group that keeps
        the promise keeps it whatever is merged in, a group that breaks it loses all its records: if
        one of them could stay, so could the group. Other promises say nothing unless they know
        better.
        """
        if self.merging is not Merging.ABSORBS or self.relative:
            return np.zeros(len(groups), np.int64)
        return np.where(self.good(groups), 0, groups.sizes)

    def weaker(self) -> GroupModel | None:
        """Give a promise that asks for a little less, to try what that would save."""
        return None
