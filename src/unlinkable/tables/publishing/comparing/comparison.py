"""Comparison: what came of several settings, and which of them no other one beats."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Self, overload

import numpy as np
from attrs import frozen

from unlinkable.errors import ParameterError, unknown
from unlinkable.tables.risk import Exposure
from unlinkable.typing import BoolArray, FloatArray

if TYPE_CHECKING:
    from unlinkable.tables.charts import Chart

__all__ = ["RISKS", "Compared", "Comparison", "dominated"]

_RISKS_IN_WORDS = {
    "highest": "highest risk of a person to be found",
    "average": "average risk of a person to be found",
    "attribute": "greatest share of a sensitive value in a group",
}

RISKS = tuple(_RISKS_IN_WORDS)
"""The numbers by which the exposure of people can be compared."""


@frozen(eq=False)
class Compared:
    """What came of one method under one set of promises.

    Attributes
    ----------
    method, privacy, suppression
        What was run.
    metrics
        What was lost, by each metric that makes sense for it; empty if there is no release.
    risk
        How exposed people are in the release; None if there is none, or if values were replaced by
        others, so that groups of equal ones do not tell.
    n_groups, n_suppressed
        Groups that were published, and records that were left out.
    optimal
        Whether the method proved that nothing of its kind loses less.
    seconds
        How long the search took.
    problem
        Why there is no release, if there is none.
    is_lost
        Whether it was ended before there was an answer: running it again may give one.
    """

    method: str
    privacy: str
    suppression: str
    metrics: Mapping[str, float]
    risk: Exposure | None = None
    n_groups: int = 0
    n_suppressed: int = 0
    optimal: bool | None = None
    seconds: float = 0.0
    problem: str | None = None
    is_lost: bool = False

    @property
    def run(self) -> str:
        """The method and what it promised."""
        return f"{self.method}: {self.privacy}"

    @property
    def setting(self) -> str:
        """What was run, with the share that may be left out, in one line."""
        left_out = f", leaving out up to {self.suppression}" if self.suppression != "0" else ""
        return f"{self.run}{left_out}"

    def to_json(self) -> dict[str, object]:
        """Give the outcome as plain values; a number that is not finite is nothing."""
        risk = self.risk
        return {
            "method": self.method,
            "privacy": self.privacy,
            "suppression": self.suppression,
            "holds": self.problem is None,
            "groups": self.n_groups,
            "suppressed": self.n_suppressed,
            "optimal": self.optimal,
            "metrics": {k: v if math.isfinite(v) else None for k, v in self.metrics.items()},
            "risk": None if risk is None else {name: getattr(risk, name) for name in RISKS},
            "seconds": self.seconds,
            "problem": self.problem,
        }

    @classmethod
    def from_json(cls, told: Mapping[str, object]) -> Self:
        """Read what `to_json` gave.

        Raises
        ------
        ValueError, KeyError, TypeError
            If it gave something else.
        """
        document = dict(told)
        risk, metrics = document["risk"], document["metrics"]
        if not isinstance(metrics, Mapping):
            raise TypeError("metrics are not told by name")
        return cls(
            method=str(document["method"]),
            privacy=str(document["privacy"]),
            suppression=str(document["suppression"]),
            metrics={k: math.inf if v is None else float(v) for k, v in metrics.items()},
            risk=Exposure(**risk) if isinstance(risk, dict) else None,
            n_groups=int(str(document["groups"])),
            n_suppressed=int(str(document["suppressed"])),
            optimal=document["optimal"] if isinstance(document["optimal"], bool) else None,
            seconds=float(str(document["seconds"])),
            problem=None if document["problem"] is None else str(document["problem"]),
        )


@frozen(eq=False)
class Comparison(Sequence[Compared]):
    """The outcomes of several settings, in the order in which they were asked for.

    Attributes
    ----------
    outcomes
        One for every setting.
    metrics
        What was measured; the first metric guided the searches.
    gains
        Those of the metrics of which more is better.
    """

    outcomes: tuple[Compared, ...]
    metrics: tuple[str, ...]
    gains: tuple[str, ...] = ()

    @overload
    def __getitem__(self, place: int) -> Compared: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Compared]: ...
    def __getitem__(self, place: int | slice) -> Compared | Sequence[Compared]:
        return self.outcomes[place]

    def __len__(self) -> int:
        return len(self.outcomes)

    def __iter__(self) -> Iterator[Compared]:
        return iter(self.outcomes)

    def dominated(self, metric: str | None = None, risk: str = "highest") -> list[bool]:
        """Tell which settings are beaten: another one is no worse on both counts, better on one.

        Settings that have no release are beaten by all others; those whose risk or loss is not
        known count as the worst.

        Raises
        ------
        ParameterError
            If this metric was not measured, or there is no such risk.
        """
        name = self.metrics[0] if metric is None else metric
        if name not in self.metrics:
            raise ParameterError(unknown("measured metric", name, self.metrics))
        if risk not in RISKS:
            raise ParameterError(unknown("risk", risk, RISKS))
        risks = [math.inf if x.risk is None else getattr(x.risk, risk) for x in self]
        losses = self._losses(name)
        beaten = dominated(np.array(risks), np.array(losses))
        return [bool(b) or x.problem is not None for b, x in zip(beaten, self, strict=True)]

    def frontier(self, metric: str | None = None, risk: str = "highest") -> list[Compared]:
        """Give the settings that no other one beats, from the safest to the most useful."""
        beaten = self.dominated(metric, risk)
        best = [x for x, is_beaten in zip(self, beaten, strict=True) if not is_beaten]
        return sorted((x for x in best if x.risk is not None), key=lambda x: getattr(x.risk, risk))

    def chart(self, metric: str | None = None, risk: str = "highest") -> Chart:
        """Draw risk against loss, with the settings that no other one beats on a line."""
        from unlinkable.tables.charts import Setting, draw_frontier

        name = self.metrics[0] if metric is None else metric
        beaten = self.dominated(name, risk)
        differs = len({x.suppression for x in self}) > 1
        points = [
            Setting(x.setting if differs else x.run, getattr(x.risk, risk), loss, is_beaten)
            for x, loss, is_beaten in zip(self, self._losses(name), beaten, strict=True)
            if x.risk is not None and math.isfinite(loss)
        ]
        axis = f"minus {name}" if name in self.gains else name
        return draw_frontier(points, risk=_RISKS_IN_WORDS[risk], loss=axis)

    def _losses(self, name: str) -> list[float]:
        """Give what every setting loses, as less is better; nothing is worse than no release."""
        sign = -1 if name in self.gains else 1
        return [sign * x.metrics[name] if name in x.metrics else math.inf for x in self]

    def to_json(self, metric: str | None = None, risk: str = "highest") -> dict[str, object]:
        """Give all outcomes as plain values, with whether each is dominated."""
        beaten = self.dominated(metric, risk)
        rows = [{**x.to_json(), "dominated": b} for x, b in zip(self, beaten, strict=True)]
        return {"weighed": {"risk": risk, "metric": metric or self.metrics[0]}, "outcomes": rows}


def dominated(risks: FloatArray, losses: FloatArray) -> BoolArray:
    """Tell which points are beaten: another is no higher on both counts, and lower on one.

    Examples
    --------
    >>> dominated(np.array([0.5, 0.2, 0.5]), np.array([0.1, 0.3, 0.2])).tolist()
    [False, False, True]
    """
    no_worse = (risks[:, None] <= risks) & (losses[:, None] <= losses)
    better = (risks[:, None] < risks) | (losses[:, None] < losses)
    beaten: BoolArray = np.any(no_worse & better, axis=0)
    return beaten
