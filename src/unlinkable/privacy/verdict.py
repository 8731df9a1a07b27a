"""Verdict: whether a table keeps a promise, where it does not, and how that is known."""

from __future__ import annotations

import math
from enum import Enum
from typing import TYPE_CHECKING

from attrs import define

from unlinkable.typing import BoolArray

if TYPE_CHECKING:
    from unlinkable.privacy.base import GroupModel

__all__ = ["Basis", "Verdict"]


class Basis(Enum):
    """What a verdict rests on."""

    COUNTED = "counted"
    """The published records were counted."""
    SUFFICIENT = "sufficient"
    """A condition holds that implies the promise."""
    LEDGER = "ledger"
    """Every use of noise was written down and priced."""


@define(eq=False, frozen=True)
class Verdict:
    """Whether a table keeps a promise, and where it does not.

    Attributes
    ----------
    model
        The promise.
    holds
        Whether it is kept.
    level
        The strongest parameter that the table reaches; None for a table without records.
    good
        For every group whether the promise is kept for its records.
    worst
        The group that reaches the least; -1 for a table without records.
    basis
        What the verdict rests on.
    """

    model: GroupModel
    holds: bool
    level: float | None
    good: BoolArray
    worst: int
    basis: Basis = Basis.COUNTED

    @property
    def achieved(self) -> dict[str, float | None]:
        """The strongest parameter that the table reaches, by its name; None if none will do."""
        level = self.level
        if level is not None and not math.isfinite(level):
            level = None
        if level is not None and self.model.counts and level.is_integer():
            level = int(level)
        return {self.model.parameter: level}
