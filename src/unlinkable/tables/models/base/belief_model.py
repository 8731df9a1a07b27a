"""Promises about beliefs: the adversary knows who is in a group, and holds a prior of each."""

from __future__ import annotations

import abc
from collections.abc import Iterable

from unlinkable.tables.groups import Groups
from unlinkable.tables.models.base.model import GroupModel
from unlinkable.typing import CodeArray, FloatArray

__all__ = ["BeliefModel"]


class BeliefModel(GroupModel):
    """A promise about an adversary who knows how likely each person of a group has a value.

    It does not matter whether the records of the group show the same.
    """

    @abc.abstractmethod
    def odds(self, alike: Groups) -> Iterable[tuple[str, CodeArray, FloatArray]]:
        """State how likely people are held to have hidden values.

        Yields for every prior the hidden column, the codes of the guarded values that occur, and
        the logarithm of the odds of each of them (columns) for the people of each group (rows). All
        people of a group must show the same on the columns that a prior speaks of.
        """
