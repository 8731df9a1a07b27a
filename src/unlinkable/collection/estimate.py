"""Estimate: how often each answer is true, as far as randomized answers tell.

References
----------
.. [1] C. J. Clopper, E. S. Pearson. "The use of confidence or fiducial limits illustrated in the
   case of the binomial." Biometrika 26(4), 1934.
.. [2] J. Duchi, S. Shalev-Shwartz, Y. Singer, T. Chandra. "Efficient projections onto the l1-ball
   for learning in high dimensions." ICML 2008. Figure 1.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from attrs import define

from unlinkable.typing import CountArray, FloatArray

__all__ = ["Estimate", "exact_interval", "nearest_shares"]


@define(eq=False, frozen=True, slots=False)
class Estimate:
    """Shares of answers among all people from whom those who were asked are a sample.

    Attributes
    ----------
    values
        The answers.
    counts
        How often each was given.
    shares
        Of how many people each is true, without bias: as often too high as too low, and therefore
        sometimes less than 0 or more than 1.
    errors
        Standard errors of the shares.
    low, high
        Intervals, each of which covers its true share with probability ``level``. They are about
        one share each: that all of them hold at once is less likely.
    level
        How sure the intervals are.
    """

    values: tuple[str, ...]
    counts: CountArray
    shares: FloatArray
    errors: FloatArray
    low: FloatArray
    high: FloatArray
    level: float

    @property
    def n(self) -> int:
        """Number of people who answered."""
        return int(self.counts.sum())

    @cached_property
    def projected(self) -> FloatArray:
        """The nearest shares that are possible: none less than 0, and 1 together.

        They look better and are never further from the truth, but no longer without bias.
        """
        return nearest_shares(self.shares)

    def to_json(self) -> dict[str, object]:
        """Give the estimate as a JSON object."""
        columns = zip(
            self.values,
            self.counts.tolist(),
            self.shares.tolist(),
            self.errors.tolist(),
            self.low.tolist(),
            self.high.tolist(),
            self.projected.tolist(),
            strict=True,
        )
        names = ("value", "answered", "share", "error", "low", "high", "projected")
        return {
            "records": self.n,
            "level": self.level,
            "shares": [dict(zip(names, row, strict=True)) for row in columns],
        }


def nearest_shares(shares: FloatArray) -> FloatArray:
    """Give the point of the simplex that is nearest to shares, by Euclid. O(k log k) [2]_.

    Examples
    --------
    >>> nearest_shares(np.array([0.8, 0.4, -0.2])).round(3).tolist()
    [0.7, 0.3, 0.0]
    """
    falling = np.sort(shares)[::-1]
    excess = (np.cumsum(falling) - 1) / np.arange(1, shares.size + 1)
    last = int(np.flatnonzero(falling > excess)[-1])
    nearest: FloatArray = np.maximum(shares - excess[last], 0.0)
    return nearest


def exact_interval(counts: CountArray, n: int, level: float) -> tuple[FloatArray, FloatArray]:
    """Give intervals for the chances of events that came true so often in n trials.

    They are those of Clopper and Pearson [1]_: each covers its chance with at least the
    probability ``level``, whatever the chance and however few the trials.

    Examples
    --------
    >>> low, high = exact_interval(np.array([0, 5]), 10, 0.95)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.0, 0.187], [0.308, 0.813])
    """
    from scipy import special

    rest = (1 - level) / 2
    # A parameter of 0 means nothing to the beta distribution: the ends are then 0 and 1.
    low = special.betaincinv(np.maximum(counts, 1), n - counts + 1, rest)
    high = special.betaincinv(counts + 1, np.maximum(n - counts, 1), 1 - rest)
    return np.where(counts == 0, 0.0, low), np.where(counts == n, 1.0, high)
