"""Prior spread: how far apart the beliefs in a value are before anything is published."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from attrs import define

from unlinkable.errors import ParameterError
from unlinkable.params import exact
from unlinkable.tables.groups import Histogram
from unlinkable.tables.models.shared.prior import Prior
from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["PriorSpread", "delta_ceil"]

_CLOSE = 1e-9
"""Floats decide what is further than this from the bound, out of the bound."""


def delta_ceil(n: int, r: float | Fraction, f_max: float | Fraction) -> float:
    r"""Give how far below the greatest belief the least one may be in a group of ``n``.

    :math:`(n - r) f / (f (r - 1) / (1 - f) + n - 1)`, and 0 where nobody or somebody is certain.

    Raises
    ------
    ParameterError
        If n is no number of people, r is less than 1, or f_max is no chance.

    Examples
    --------
    >>> round(delta_ceil(3, 2, 0.1), 4), delta_ceil(3, 2, 1)
    (0.0474, 0.0)
    """
    asked, highest = exact(r), exact(f_max)
    if n < 1 or asked < 1 or not 0 <= highest <= 1:
        raise ParameterError(
            f"n and r must be at least 1, and f_max must lie in [0, 1], got n={n}, r={r}, "
            f"f_max={f_max}"
        )
    if highest in (0, 1) or n == 1 == asked:
        return 0.0
    return float((n - asked) * highest / (highest * (asked - 1) / (1 - highest) + n - 1))


@define(eq=False, frozen=True)
class PriorSpread:
    """The greatest and the least belief in each value of each group, by one prior.

    Attributes
    ----------
    hidden
        Which values people have; all other arrays have one entry for every entry of it.
    prior
        What is believed.
    sizes
        How many people the group has.
    places
        The column of the prior for the value; -1 if nobody asks about it.
    most, least
        The rows of the prior for those who most and least likely have it.
    """

    hidden: Histogram
    prior: Prior
    sizes: CountArray
    places: CodeArray
    most: CodeArray
    least: CodeArray

    @property
    def levels(self) -> FloatArray:
        """The largest r that the condition holds for, for each value; -inf if for none.

        It is 1 + (N - 1) o_min / o_max for a value that occurs once. If only some people are
        certain to have it, the ratio of odds would be 0, and the condition fails even for r = 1.
        """
        out = np.full(self.places.size, np.inf)
        at = np.flatnonzero(self.places >= 0)
        top, low = (self.most[at], self.places[at]), (self.least[at], self.places[at])
        shares, others = self.prior.shares, self.prior.others
        ratio, apart = np.ones(at.size), ~self._are_even[at]
        inside, outside = shares[low] * others[top], others[low] * shares[top]
        ratio[apart] = inside[apart] / outside[apart]
        out[at] = 1 + (self.sizes[at] - 1) * ratio
        is_certain = apart & (others[top] == 0)
        out[at[is_certain | (self.hidden.counts[at] > 1)]] = -np.inf
        return out

    def reaches(self, r: Fraction) -> BoolArray:
        """Decide for each value whether the condition holds for r; what is close, exactly."""
        levels, even = self.levels, self._are_even
        good: BoolArray = levels >= float(r)
        close = np.abs(levels - float(r)) <= _CLOSE * float(r)
        good[close & even] = self.sizes[close & even] >= math.ceil(r)
        for entry in np.flatnonzero(close & ~even):
            n, (top, low) = int(self.sizes[entry]), self._extremes(int(entry))
            good[entry] = (r - 1) * (1 - low) * top <= (n - 1) * low * (1 - top)
        return good

    def describe(self, r: Fraction) -> str:
        """State what keeps a single group from a larger r."""
        if not (self.places >= 0).any():
            return "nobody has a guarded value"
        entry = int(np.argmin(self.levels))
        value = self.hidden.text(int(self.hidden.values[entry])) or "no value"
        times, n = int(self.hidden.counts[entry]), int(self.sizes[entry])
        if times > 1:
            return f"{times} of {n} records have {value}, and one may"
        top, low = self._extremes(entry)
        if n < r:
            return f"{n} records have {value} among them, and at least {float(r):g} must"
        who, other = (self.prior.describe(int(rows[entry])) for rows in (self.most, self.least))
        return (
            f"one of {n} records has {value}, which was believed with {float(top):.4g} of {who} "
            f"and with {float(low):.4g} of {other}: {float(top - low):.4g} apart, and at most "
            f"{delta_ceil(n, r, top):.4g} is allowed"
        )

    @property
    def _are_even(self) -> BoolArray:
        """Whether everybody of the group is equally likely to have the value."""
        even = np.ones(self.places.size, bool)
        at = np.flatnonzero(self.places >= 0)
        place, shares = self.places[at], self.prior.shares
        even[at] = shares[self.most[at], place] == shares[self.least[at], place]
        return even

    def _extremes(self, entry: int) -> tuple[Fraction, Fraction]:
        place = self.places[entry]
        top, low = (self.prior.shares[rows[entry], place] for rows in (self.most, self.least))
        return exact(float(top)), exact(float(low))
