"""Ranges: how much of what each set of people hides lies in a narrow range of numbers.

Codes of numbers rise with the numbers, so a range of numbers is a range ``[lo, hi)`` of codes, and
the entries of a set that lie in it stand side by side. A sum of their weights is a difference of
two running sums. Ends of ranges are found in whole steps of the scale that the numbers are written
on: what is at most a width apart is at most that many steps, rounded down, apart.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from attrs import define
from numpy.typing import NDArray

from unlinkable.tables.groups import Histogram
from unlinkable.tables.taxonomies import Domain, Scale, scale_of
from unlinkable.typing import CodeArray, CountArray

__all__ = ["Ranges", "tenth"]

_FAR = 1 << 62
"""Added to a 64-bit number of steps, less than this is a 64-bit number."""


@define(eq=False, frozen=True, slots=False)
class Ranges:
    """A range of numbers for each entry of a histogram.

    Attributes
    ----------
    hidden
        The weights of numbers for each set of people.
    lo, hi
        For each code the codes ``[lo, hi)`` of the range that belongs to it.

    Examples
    --------
    >>> from unlinkable.tables.taxonomies.builders import Flat
    >>> from unlinkable.tables.taxonomies import observe
    >>> pay = Flat().build(observe("pay", [30, 33, 35, 80]))
    >>> codes, counts = np.arange(4, dtype=np.int32), np.array([1, 2, 1, 3])
    >>> hidden = Histogram(np.array([0, 4]), codes, counts, 4, pay)
    >>> ranges = Ranges.of_width(hidden, "pay", Fraction(5))
    >>> ranges.fullest().tolist(), ranges.text(0)
    ([4], '30 to 35')
    """

    hidden: Histogram
    lo: CodeArray
    hi: CodeArray

    @classmethod
    def of_width(cls, hidden: Histogram, column: str, width: Fraction) -> Ranges:
        """Take ranges that start with a number and are so wide."""
        scale = _scale(hidden, column)
        steps, reach = scale.steps, math.floor(width * scale.parts)
        ends = (steps if reach < _FAR else steps.astype(object)) + reach
        codes = np.arange(steps.size)
        return cls._with_missing(hidden, codes, np.searchsorted(steps, ends, "right"))

    @classmethod
    def around(cls, hidden: Histogram, column: str, epsilon: Fraction) -> Ranges:
        """Take ranges around a number that reach as far as this share of it."""
        steps, (p, q) = _scale(hidden, column).steps, epsilon.as_integer_ratio()
        reach = abs(steps.astype(object)) * p // q
        if max(reach, default=0) < _FAR:
            reach = reach.astype(steps.dtype)
        lo = np.searchsorted(steps, steps - reach, "left")
        return cls._with_missing(hidden, lo, np.searchsorted(steps, steps + reach, "right"))

    @classmethod
    def between(
        cls, hidden: Histogram, column: str, low: Fraction | None, high: Fraction | None
    ) -> Ranges:
        """Take the same range for all: from low to high, both included."""
        scale = _scale(hidden, column)
        steps = scale.steps.astype(object)
        lo = 0 if low is None else int(np.searchsorted(steps, math.ceil(low * scale.parts)))
        hi = steps.size
        if high is not None:
            hi = int(np.searchsorted(steps, math.floor(high * scale.parts), "right"))
        return cls(hidden, np.full(hidden.n_values, lo), np.full(hidden.n_values, max(lo, hi)))

    @classmethod
    def _with_missing(cls, hidden: Histogram, lo: CountArray, hi: CountArray) -> Ranges:
        """Give the missing value, which has the last code, a range without anything."""
        empty = np.full(hidden.n_values - lo.size, lo.size)
        return cls(hidden, np.append(lo, empty), np.append(hi, empty))

    def fullest(self) -> NDArray[Any]:
        """Give the weight of the fullest range of each set."""
        return self.hidden.reduce(np.maximum, self._inside)

    def text(self, at: int) -> str:
        """Say from where to where the numbers of a set go that lie in its fullest range."""
        start, end = self.hidden.indptr[at : at + 2].tolist()
        best = start + int(np.argmax(self._inside[start:end]))
        inside = self.hidden.values[self._ends[0][best] : self._ends[1][best]]
        texts = [_domain(self.hidden).text(int(code)) for code in (inside[0], inside[-1])]
        return texts[0] if inside.size == 1 else " to ".join(texts)

    @cached_property
    def _ends(self) -> tuple[CountArray, CountArray]:
        """For each entry where the entries of its set begin and end that lie in its range."""
        row = self.hidden.row.astype(np.int64) * (self.hidden.n_values + 1)
        places = row + self.hidden.values
        first = np.searchsorted(places, row + self.lo[self.hidden.values])
        return first, np.searchsorted(places, row + self.hi[self.hidden.values])

    @cached_property
    def _inside(self) -> NDArray[Any]:
        running = np.append(np.zeros(1, self.hidden.counts.dtype), np.cumsum(self.hidden.counts))
        first, end = self._ends
        inside: NDArray[Any] = running[end] - running[first]
        return inside


def tenth(hidden: Histogram, column: str) -> Fraction:
    """Give a tenth of the way from the smallest number that occurs to the largest.

    Examples
    --------
    >>> from unlinkable.tables.taxonomies.builders import Flat
    >>> from unlinkable.tables.taxonomies import observe
    >>> pay = Flat().build(observe("pay", [30, 80]))
    >>> one = Histogram(np.array([0, 2]), np.arange(2, dtype=np.int32), np.array([1, 2]), 2, pay)
    >>> tenth(one, "pay")
    Fraction(5, 1)
    """
    scale = _scale(hidden, column)
    occurring = scale.steps[hidden.total[: scale.steps.size] > 0]
    span = int(occurring[-1]) - int(occurring[0]) if occurring.size else 0
    return Fraction(span, 10 * scale.parts)


def _domain(hidden: Histogram) -> Domain:
    assert hidden.taxonomy is not None
    return hidden.taxonomy.domain


def _scale(hidden: Histogram, column: str) -> Scale:
    return scale_of(column, _domain(hidden))
