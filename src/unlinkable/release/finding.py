"""Finding: what published data were found to keep."""

from __future__ import annotations

import abc
from collections.abc import Mapping, Sequence
from enum import Enum

from attrs import define, field

from unlinkable.registry import Registered

__all__ = ["Basis", "Finding", "SimpleFinding", "SimpleVerdict"]


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


class Finding(abc.ABC):
    """What published data were found to keep: a verdict for every promise."""

    @property
    @abc.abstractmethod
    def holds(self) -> bool:
        """Whether every promise is kept."""

    @property
    @abc.abstractmethod
    def n_records(self) -> int:
        """Number of records that were looked at."""

    @property
    @abc.abstractmethod
    def n_groups(self) -> int:
        """Number of groups that they form."""

    @property
    @abc.abstractmethod
    def broken(self) -> Sequence[str]:
        """The promises that are not kept, in written form."""

    @abc.abstractmethod
    def to_json(self) -> list[dict[str, object]]:
        """Give the verdicts as they are printed with ``--json``."""


@define(frozen=True)
class SimpleVerdict:
    """Whether published data keep a promise, where there is no more to say than that.

    Attributes
    ----------
    model
        The promise.
    holds
        Whether it is kept.
    achieved
        By parameter, the strongest value that is reached.
    violating
        How many groups do not keep it.
    worst
        What is known of the group that reaches the least.
    basis
        What the verdict rests on.
    """

    model: Registered
    holds: bool
    achieved: Mapping[str, float | None]
    violating: int = 0
    worst: Mapping[str, object] = field(factory=dict)
    basis: Basis = Basis.COUNTED

    def to_json(self) -> dict[str, object]:
        """Give the verdict as it is printed with ``--json``."""
        return {
            "model": str(self.model),
            "holds": self.holds,
            "basis": self.basis.value,
            "achieved": dict(self.achieved),
            "violating_groups": self.violating,
            "worst": dict(self.worst),
        }


@define(frozen=True)
class SimpleFinding(Finding):
    """Verdicts on promises that were judged one by one."""

    verdicts: tuple[SimpleVerdict, ...]
    n_records: int
    n_groups: int

    @property
    def holds(self) -> bool:
        return all(verdict.holds for verdict in self.verdicts)

    @property
    def broken(self) -> list[str]:
        return [str(verdict.model) for verdict in self.verdicts if not verdict.holds]

    def to_json(self) -> list[dict[str, object]]:
        return [verdict.to_json() for verdict in self.verdicts]
