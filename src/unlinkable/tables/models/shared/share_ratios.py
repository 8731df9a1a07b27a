"""Share ratios: how many times as frequent as in the whole table a value is in a group.

A group of n records has a value c times, and a table of N records w times: the ratio of the two
shares is c N to w n, whole numbers that are compared exactly.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from typing import Any, Self

import numpy as np
from attrs import define
from numpy.typing import NDArray

from unlinkable.kernels.distributions import extremes, extremes_of_any_size
from unlinkable.tables.groups import Histogram
from unlinkable.tables.models.shared.exact_powers import is_at_least_exp
from unlinkable.typing import BoolArray, CountArray, FloatArray

__all__ = ["ShareRatios", "is_below_exp", "reaches_exp", "rounded_up"]

_WIDEST = 1 << 62
"""Products below this are 64-bit integers."""

_CLOSE = 1e-9
"""Floats decide what is further than this from the bound."""


@define(eq=False, frozen=True)
class ShareRatios:
    """The ratios of shares of some entries of a histogram, as quotients of whole numbers.

    Attributes
    ----------
    entries
        Which entries; -1 for a group that has none, whose ratio is 1.
    here, there
        For each of them c N and w n.
    """

    entries: CountArray
    here: NDArray[Any]
    there: NDArray[Any]

    @classmethod
    def of(
        cls, hidden: Histogram, sizes: CountArray, whole: CountArray, entries: CountArray
    ) -> Self:
        """Compare entries, of which each belongs to a group of one of these sizes."""
        total = int(whole.sum())
        is_large = int(sizes.max(initial=1)) * total >= _WIDEST
        kind = object if is_large else np.int64
        if not hidden.values.size:
            ones = np.ones(entries.size, np.int64)
            return cls(entries, ones, ones)
        here = hidden.counts[entries].astype(kind) * total
        there = whole[hidden.values[entries]].astype(kind) * sizes
        is_there = entries >= 0
        return cls(entries, np.where(is_there, here, 1), np.where(is_there, there, 1))

    @classmethod
    def extreme(cls, hidden: Histogram, sizes: CountArray, whole: CountArray) -> tuple[Self, Self]:
        """Give the least and the greatest ratio of each group.

        Examples
        --------
        >>> hidden = Histogram(np.array([0, 2]), np.array([0, 1]), np.array([3, 1]), 2)
        >>> low, high = ShareRatios.extreme(hidden, np.array([4]), np.array([5, 5]))
        >>> low.ratios.tolist(), high.ratios.tolist()
        ([0.5], [1.5])
        """
        rows = hidden.indptr, hidden.values, hidden.counts
        if int(hidden.counts.max(initial=1)) * int(whole.max(initial=1)) < _WIDEST:
            low, high = extremes(*rows, whole)
        else:
            indptr, values, counts = rows
            large = counts.astype(object), whole.astype(object)
            low, high = extremes_of_any_size(indptr, values, *large)
        return cls.of(hidden, sizes, whole, low), cls.of(hidden, sizes, whole, high)

    @property
    def ratios(self) -> FloatArray:
        """The ratios; infinite for a value that the table lacks."""
        with np.errstate(divide="ignore"):
            ratios: FloatArray = self.here.astype(float) / self.there.astype(float)
        return ratios


def is_below_exp(over: NDArray[Any], under: NDArray[Any], exponent: Fraction) -> BoolArray:
    """Decide ``over / under < e ** exponent``, which are never equal unless the exponent is 0.

    Examples
    --------
    >>> is_below_exp(np.array([2, 3]), np.array([1, 1]), Fraction(1)).tolist()
    [True, False]
    """
    with np.errstate(divide="ignore"):
        gap = np.log(over.astype(float) / under.astype(float)) - float(exponent)
    below: BoolArray = gap < 0
    for i in np.flatnonzero(np.abs(gap) <= _CLOSE * max(abs(float(exponent)), 1.0)):
        below[i] = not reaches_exp(Fraction(int(over[i]), int(under[i])), exponent)
    return below


@lru_cache(maxsize=1 << 14)
def reaches_exp(ratio: Fraction, exponent: Fraction) -> bool:
    """Decide ``ratio >= e ** exponent`` by as many digits as that takes.

    Examples
    --------
    >>> reaches_exp(Fraction("2.718281828459045"), Fraction(1))
    False
    """
    p, q = ratio.as_integer_ratio()
    return is_at_least_exp({p: 1, q: -1} if p != q else {}, exponent)


def rounded_up(number: float) -> Fraction:
    """Give a number to nine decimal places, not less than it was before it became a float.

    Examples
    --------
    >>> rounded_up(1 / 3)
    Fraction(166666667, 500000000)
    """
    return Fraction(math.ceil(number * (1 + 1e-12) * 10**9), 10**9)
