"""Explanation: where the loss of a release comes from, and what would reduce it."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define

from unlinkable.release import Explanation as AnyExplanation
from unlinkable.release import Listing
from unlinkable.typing import CodeArray

__all__ = ["AttributeCost", "CostlyRecords", "Explanation", "WhatIf"]

_MOST_COLUMNS = 3
"""How many columns are named in words."""


@define(frozen=True)
class AttributeCost:
    """What a column lost: ``share`` of its own information, ``part`` of the loss of the release."""

    name: str
    share: float
    part: float
    level: int | None
    height: int


@define(eq=False, frozen=True)
class CostlyRecords:
    """Records that stand in the way: without these few, the others could say more.

    ``rows`` are positions in the original table, for the holder's eyes only; ``saves`` is how
    much less would be lost without them. There may be none.
    """

    rows: CodeArray
    saves: float


@define(frozen=True)
class WhatIf:
    """What a change would save: the loss after it, and how much less that is."""

    change: str
    loss: float
    saves: float


@define(eq=False, frozen=True)
class Explanation(AnyExplanation):
    """Where the loss of a release comes from, and what would reduce it.

    Attributes
    ----------
    metric, loss
        The measure, and what the release loses by it: less than 0 if more of it is better.
    attributes
        What each column lost, the costliest first.
    records
        The few records that cost the most.
    what_if
        Changes that were tried, the most helpful first.
    """

    metric: str
    loss: float
    attributes: tuple[AttributeCost, ...]
    records: CostlyRecords
    what_if: tuple[WhatIf, ...]

    def sentences(self) -> list[str]:
        return list(self._sentences())

    def listings(self) -> list[Listing]:
        rows = [
            (
                c.name,
                "" if c.level is None else f"{c.level} of {c.height}",
                f"{c.share:.1%}",
                f"{c.part:.1%}",
            )
            for c in self.attributes
        ]
        header = ("column", "level", "lost", "part")
        return [Listing("By column", header, rows, right=("lost", "part"))]

    def _sentences(self) -> Iterator[str]:
        if self.loss < 0:
            yield f"The release has {-self.loss:.4g} by {self.metric}, of which more is better."
        else:
            yield f"The release loses {self.loss:.4g} by {self.metric}."
        for cost in self.attributes[:_MOST_COLUMNS]:
            at = "" if cost.level is None else f" (level {cost.level} of {cost.height})"
            yield (
                f"{cost.name}{at} lost {cost.share:.0%} of its precision, "
                f"which is {cost.part:.0%} of the whole loss."
            )
        if self.records.rows.size:
            yield (
                f"{self.records.rows.size} records stand in the way: they combine rare values, and "
                f"without them the loss would be {self.loss - self.records.saves:.4g}."
            )
        for change in self.what_if:
            if change.saves > 0:
                yield f"{change.change} would bring the loss to {change.loss:.4g}."
        if not any(change.saves > 0 for change in self.what_if):
            yield "None of the changes that were tried would reduce the loss."

    def to_json(self) -> dict[str, object]:
        return {
            "metric": self.metric,
            "loss": self.loss,
            "attributes": [
                {"name": c.name, "share": c.share, "part": c.part, "level": c.level}
                for c in self.attributes
            ],
            "costly_records": {
                "rows": self.records.rows.tolist(),
                "saves": self.records.saves,
            },
            "what_if": [
                {"change": w.change, "loss": w.loss, "saves": w.saves} for w in self.what_if
            ],
        }

    def __str__(self) -> str:
        return "\n".join(self.sentences())
