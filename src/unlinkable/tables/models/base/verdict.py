"""Verdict: whether a table keeps a promise, where it does not, and how that is known."""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import Enum
from typing import TYPE_CHECKING

from attrs import define, fields_dict

from unlinkable.typing import BoolArray, Columns

if TYPE_CHECKING:
    from unlinkable.tables.models.base.model import GroupModel

__all__ = ["Basis", "Verdict"]


class Basis(Enum):
    """What a verdict rests on."""

    COUNTED = "counted"
    """The published records were counted."""
    ESTIMATED = "estimated"
    """What cannot be counted was estimated by a model of the population."""
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
    reached
        By parameter, the strongest value that the table reaches; None for a table without records.
    good
        For every group whether the promise is kept for its records.
    worst
        The group that reaches the least; -1 for a table without records.
    seen_on
        The columns on which an adversary sees that group.
    why
        What is the matter with it, in words.
    basis
        What the verdict rests on.
    reading
        Under which reading of the definition it was found, if there are several.
    """

    model: GroupModel
    holds: bool
    reached: Mapping[str, float | None]
    good: BoolArray
    worst: int
    seen_on: Columns = ()
    why: str = ""
    basis: Basis = Basis.COUNTED
    reading: str = ""

    @property
    def level(self) -> float | None:
        """The strongest value of the model's own parameter that the table reaches."""
        return next(iter(self.reached.values()))

    @property
    def achieved(self) -> dict[str, float | None]:
        """What the table reaches, by parameter, as it is written; None where nothing will do."""
        return {name: self._as_written(name, level) for name, level in self.reached.items()}

    def _as_written(self, name: str, level: float | None) -> float | None:
        if level is None or not math.isfinite(level):
            return None
        field = fields_dict(type(self.model)).get(name)  # type: ignore[arg-type]
        is_whole = field is not None and field.type in (int, "int")
        return int(level) if is_whole and float(level).is_integer() else level
