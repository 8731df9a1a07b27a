"""Largest posteriors: how likely the likeliest person of a group has each of its values."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
from attrs import define

from unlinkable.tables.groups import Groups, Histogram
from unlinkable.tables.models.shared.exact_ratios import is_within
from unlinkable.typing import BoolArray, CountArray, FloatArray

__all__ = ["LargestPosterior"]

_CLOSE = 1e-9
"""Floats decide what is further than this from the bound, out of the bound."""

_LOOSE = 1e-6
"""The same for chances that are bounds themselves."""


@define(eq=False, frozen=True)
class LargestPosterior:
    """One chance for every entry of a histogram: a value that a group has.

    Attributes
    ----------
    hidden
        The histogram.
    chance
        How likely the likeliest person of the group has the value; 0 if nobody asks about it.
    who
        Of which kind that person is.
    is_even
        Whether all people of the group have the same chance: as many of them as have the value.
    is_counted
        Whether all worlds were counted. If not, the chance is a bound from above.
    """

    hidden: Histogram
    chance: FloatArray
    who: CountArray
    is_even: BoolArray
    is_counted: BoolArray

    @property
    def greatest(self) -> FloatArray:
        """The greatest chance in each group."""
        out = np.zeros(self.hidden.n_groups)
        filled = self.hidden.distinct > 0
        if self.chance.size:
            starts = self.hidden.indptr[:-1][filled]
            out[filled] = np.maximum.reduceat(self.chance, starts)
        return out

    def within(
        self, groups: Groups, bound: Fraction, exactly: Callable[[int], Fraction | None]
    ) -> BoolArray:
        """Decide for each group whether no chance is greater than the bound.

        What is close to it is decided by ``exactly``, which gives the chance of an entry as a
        fraction, or None if that takes too long: then it is not shown that it is within. Neither is
        it for a bound on a chance that is close.
        """
        if bound >= 1:
            return np.ones(len(groups), bool)
        ratio = self.chance / float(bound)
        slack = np.where(self.is_counted, _CLOSE, _LOOSE)
        good: BoolArray = ratio <= 1 - slack
        close = np.abs(ratio - 1) <= slack
        even = close & self.is_even
        sizes = groups.sizes[self.hidden.row]
        good[even] = is_within(self.hidden.counts[even], bound, sizes[even])
        for entry in np.flatnonzero(close & self.is_counted & ~self.is_even):
            chance = exactly(int(entry))
            good[entry] = chance is not None and chance <= bound
        kept: BoolArray = self.hidden.reduce(np.maximum, (~good).astype(np.int64)) == 0
        return kept
