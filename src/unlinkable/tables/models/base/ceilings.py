"""Ceilings: how confident an adversary can be at most, given what is promised.

A promise is a bound on what some adversaries can reach. Each model says here which, and how high,
in the unit of each attack: whatever is published under the promise, the attack reaches no more.
Where a promise says nothing about an adversary, there is no ceiling, and for most there are tables
with which they succeed.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from attrs import define

from unlinkable.tables.groups import Knowledge
from unlinkable.typing import Columns, FloatArray, ValueText

if TYPE_CHECKING:
    from unlinkable.tables.models.base.model import GroupModel

__all__ = ["Bound", "Ceilings", "SensitiveGoal"]

Bound: TypeAlias = float | Fraction | None
"""The most that is reached; None if nothing is said."""


@define(eq=False, frozen=True)
class SensitiveGoal:
    """What an adversary is after in a sensitive column, and what all records together tell of it.

    Attributes
    ----------
    column
        The sensitive column.
    values
        The values that the adversary is after; None for all.
    quasi
        The columns by which people may be known.
    shares
        The share of each value that occurs, in the whole release.
    span
        How far the largest number is from the smallest; None if the column holds no numbers.
    published
        What recipients are told to be promised.
    """

    column: str
    values: tuple[ValueText, ...] | None
    quasi: Columns
    shares: FloatArray
    span: Fraction | None
    published: tuple[GroupModel, ...] = ()


class Ceilings:
    """What a promise holds adversaries to; nothing, unless a model says more."""

    def knows(self, columns: Columns) -> Knowledge:
        """State what the adversary may know, out of the quasi-identifier."""
        return Knowledge(columns)

    def is_about(self, goal: SensitiveGoal) -> bool:
        """Whether the promise is about all values that the adversary is after."""
        listed = getattr(self, "values", None)
        is_listed = listed is None or (goal.values is not None and set(goal.values) <= set(listed))
        return is_listed and getattr(self, "sensitive", None) in (None, goal.column)

    def owner_ceiling(self) -> Bound:
        """Bound the confidence in whose record it is: 1 / records that look like the victim's."""
        return None

    def presence_ceiling(self) -> Bound:
        """Bound the confidence that somebody is in the table."""
        return None

    def membership_ceiling(self) -> Bound:
        """Bound how much oftener members are taken for members than others are."""
        return None

    def share_ceiling(self, goal: SensitiveGoal) -> Bound:
        """Bound the share of a sensitive value among those who look like the victim."""
        gained = self.gains(goal.shares)
        return None if gained is None else float((goal.shares + gained).max())

    def gains(self, shares: FloatArray) -> FloatArray | None:
        """Bound for each value how much likelier it becomes: it cannot become more than certain."""
        allowed = self.allowed_gains(shares)
        return None if allowed is None else np.minimum(allowed, 1 - shares)

    def allowed_gains(self, shares: FloatArray) -> FloatArray | None:
        """State for values of these shares of the whole table how much likelier they may become."""
        return None

    def corruption_ceiling(self, goal: SensitiveGoal, n: int) -> Bound:
        """Bound a share after ``n`` others, whoever they are, turn out to have other values.

        Of m records at most a share a have the value; without n of the others that is at most
        a m / (m - n), which falls with m.
        """
        share, owner = self.share_ceiling(goal), self.owner_ceiling()
        if share is None or owner is None:
            return None
        size = 1 / Fraction(owner)
        return None if size <= n else Fraction(share) * size / (size - n)

    def background_ceiling(
        self, goal: SensitiveGoal, negations: int, others: int, same: int
    ) -> Bound:
        """Bound the confidence in a value of an adversary who knows something of several people.

        Known are values that the victim does not have, the values of other people, and people one
        of whom has a value only if the victim has it.
        """
        return self.share_ceiling(goal) if negations == others == same == 0 else None

    def prior_ceiling(self, prior: str, *, joint: bool) -> Bound:
        """Bound the confidence in a value of an adversary who has a prior.

        They take one value at a time, or all of a group jointly.
        """
        return None

    def range_ceiling(self, width: Fraction | None, span: Fraction | None) -> Bound:
        """Bound the share of numbers in a range: of this width, or of a tenth of their span."""
        return None

    def relative_range_ceiling(self, epsilon: Fraction) -> Bound:
        """Bound the share of numbers in a range of a share of what is guessed, either way."""
        return None

    def minimality_ceiling(self, goal: SensitiveGoal) -> Bound:
        """Bound the chance of a value if groups are taken to be merged because they had to be."""
        return None

    def is_share_bound(self, value: ValueText, h: Fraction, goal: SensitiveGoal) -> bool:
        """Whether records keep the promise just if a value has nowhere a share above ``h``."""
        return False
