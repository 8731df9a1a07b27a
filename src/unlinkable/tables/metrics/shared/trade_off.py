"""Trade-offs: what numbers that weigh information against anonymity have in common."""

from __future__ import annotations

from typing import ClassVar, Self

from attrs import field, frozen

from unlinkable.params import Choice
from unlinkable.tables.data import Schema
from unlinkable.tables.metrics.base.metric import Purpose
from unlinkable.tables.metrics.shared.class_metric import ClassMetric
from unlinkable.typing import Columns, CountArray

__all__ = ["Gain", "TradeOff", "anonymity"]


class Gain(Choice):
    """What counts as information."""

    INFORMATION = "information"
    """What is told of the class, in bits."""
    DISTORTION = "distortion"
    """Steps that values are below the top of their taxonomies: for tables without a class."""


@frozen
class TradeOff(ClassMetric):
    """A number that weighs information against anonymity, the size of the smallest group."""

    purpose: ClassVar[Purpose] = Purpose.TRADE_OFF
    bounds: ClassVar[tuple[float, float | None]] = (0.0, None)
    makes_no_sense: ClassVar[str] = "it looks at the sizes of groups of records that look alike"

    gain: Gain = field(default=Gain.INFORMATION, converter=Gain)
    target: str | None = field(default=None, kw_only=True)

    def needs(self, schema: Schema) -> frozenset[Columns]:
        return super().needs(schema) if self.gain is Gain.INFORMATION else frozenset()

    def bind(self, schema: Schema) -> Self:
        return super().bind(schema) if self.gain is Gain.INFORMATION else self


def anonymity(sizes: CountArray, n_records: int) -> int:
    """Give the size of the smallest group.

    If there is no group, nobody can be told from any of all records.
    """
    inhabited = sizes[sizes > 0]
    return int(inhabited.min()) if inhabited.size else n_records
