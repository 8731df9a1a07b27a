"""Density: how values are distributed, interval by interval."""

from __future__ import annotations

import numpy as np
from attrs import define

from unlinkable.typing import FloatArray

__all__ = ["Density"]


@define(eq=False, frozen=True)
class Density:
    """A reconstructed distribution: a share for every interval, spread evenly within it.

    Attributes
    ----------
    edges
        The ends of the k intervals, k + 1 numbers that rise.
    probabilities
        The share of each interval; they are 1 together.
    low, high
        Intervals for the shares, each by itself; None if none were asked for. They tell the chance
        of the people who were asked and of their noise. That a smooth shape is preferred, by
        stopping early or by smoothing, is not in them.
    level
        How sure the intervals are.
    n
        Number of values that were collected.
    rounds
        How many rounds or steps it took.
    converged
        Whether it came to its end by its own rule. If not, more rounds would go on changing it; or,
        after a deconvolution, no distribution explains the values with this noise.
    gap
        By how much the logarithm of the likelihood is at most below its maximum; None where it was
        not the aim.
    widened
        Number of intervals that were added below and above, because the noise could not explain
        values that far out.

    Examples
    --------
    >>> ages = Density(np.array([0.0, 10, 20]), np.array([0.25, 0.75]), n=8, rounds=3)
    >>> ages.mean, ages.quantile(0.5), ages.share(5, 20)
    (12.5, 13.333333333333334, 0.875)
    """

    edges: FloatArray
    probabilities: FloatArray
    n: int
    rounds: int
    converged: bool = True
    gap: float | None = None
    widened: tuple[int, int] = (0, 0)
    low: FloatArray | None = None
    high: FloatArray | None = None
    level: float = 0.95

    @property
    def midpoints(self) -> FloatArray:
        """The middle of each interval."""
        middle: FloatArray = (self.edges[1:] + self.edges[:-1]) / 2
        return middle

    @property
    def heights(self) -> FloatArray:
        """The density in each interval: its share by its width."""
        heights: FloatArray = self.probabilities / np.diff(self.edges)
        return heights

    @property
    def mean(self) -> float:
        """The mean value."""
        return float(self.probabilities @ self.midpoints)

    def share(self, low: float, high: float) -> float:
        """Give the share of values from low to high."""
        below = np.concatenate([[0.0], np.cumsum(self.probabilities)])
        first, last = np.interp([low, high], self.edges, below)
        return float(last - first)

    def quantile(self, share: float) -> float:
        """Give the value below which so large a share lies."""
        below = np.concatenate([[0.0], np.cumsum(self.probabilities)])
        return float(np.interp(share, below, self.edges))

    def to_json(self) -> dict[str, object]:
        """Give the distribution as a JSON object."""
        k = self.probabilities.size
        low, high = (
            [None] * k if ends is None else ends.tolist() for ends in (self.low, self.high)
        )
        rows = zip(
            self.edges[:-1].tolist(),
            self.edges[1:].tolist(),
            self.probabilities.tolist(),
            low,
            high,
            strict=True,
        )
        names = ("from", "to", "share", "low", "high")
        return {
            "records": self.n,
            "rounds": self.rounds,
            "converged": self.converged,
            "gap": self.gap,
            "widened": list(self.widened),
            "mean": self.mean,
            "level": self.level,
            "intervals": [dict(zip(names, row, strict=True)) for row in rows],
        }
