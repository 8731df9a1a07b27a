"""Intervals: numbers generalized to intervals of equal width, wider on every level."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import Any

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from unlinkable.errors import ParameterError, TaxonomyError
from unlinkable.params import exact
from unlinkable.tables.taxonomies.builders.base import (
    Observed,
    Step,
    TaxonomyBuilder,
    number_runs,
    refuse_infinite,
    stack,
)
from unlinkable.tables.taxonomies.domain import Kind
from unlinkable.tables.taxonomies.notation import first_at
from unlinkable.tables.taxonomies.taxonomy import Edges, Taxonomy
from unlinkable.typing import CountArray

__all__ = ["Intervals"]

Number = int | float | str | Decimal | Fraction
"""What may be given as a number."""

_LARGEST = 1 << 62
"""Sums of two whole numbers up to here are 64-bit numbers."""
_LARGEST_FLOAT = 1 << 53
"""Whole numbers up to here are floats without loss."""


def _decimal(value: Number | None) -> Fraction | None:
    """Read a number that can be written as a decimal."""
    if value is None:
        return None
    number, rest = exact(value), exact(value).denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest != 1:
        raise ParameterError(
            f"{value} cannot be written as a decimal, and so cannot bound an interval"
        )
    return number


def _decimals(values: tuple[Number, ...]) -> tuple[Fraction, ...]:
    return tuple(number for v in values if (number := _decimal(v)) is not None)


@frozen(init=False)
class Intervals(TaxonomyBuilder):
    r"""Tell numbers by intervals ``[30-35)``, with a width for every level.

    Level :math:`i` cuts the line at :math:`s + j w_i` for all whole :math:`j`. All
    arithmetic is exact: a width of 0.1 cuts at 0.3 and not at 0.30000000000000004.

    Parameters
    ----------
    widths
        Width of the intervals of each level, each a multiple of the one before. Whole numbers or
        decimals.
    start
        A number where an interval begins on every level; ``low`` or 0 if not given.
    low, high
        Open ends: numbers below ``low`` are ``<20`` and numbers from ``high`` on are ``>=80``
        on every level. Intervals that reach beyond are cut off there.

    Raises
    ------
    ParameterError
        If the widths are no multiples, or the ends cross.
    TaxonomyError
        If the column does not hold numbers.

    Examples
    --------
    >>> from unlinkable.tables.taxonomies import observe
    >>> from unlinkable.tables.taxonomies.published_values import write_level
    >>> ages = Intervals(5, 10, low=20, high=80).build(observe("age", [17, 23, 28, 81]))
    >>> write_level(ages, 1, np.arange(4)).tolist()
    ['<20', '[20-25)', '[25-30)', '>=80']
    >>> write_level(ages, 2, np.arange(4)).tolist()
    ['<20', '[20-30)', '[20-30)', '>=80']
    """

    widths: tuple[Fraction, ...] = field(converter=_decimals)
    start: Fraction | None = field(default=None, converter=_decimal)
    low: Fraction | None = field(default=None, converter=_decimal)
    high: Fraction | None = field(default=None, converter=_decimal)

    def __init__(
        self,
        *widths: Number,
        start: Number | None = None,
        low: Number | None = None,
        high: Number | None = None,
    ) -> None:
        self.__attrs_init__(widths, start, low, high)

    def __attrs_post_init__(self) -> None:
        if not self.widths:
            raise ParameterError("Intervals needs the width of at least one level")
        if self.widths[0] <= 0:
            raise ParameterError(f"widths must be greater than 0, got {_shown(self.widths[0])}")
        for below, above in pairwise(self.widths):
            if above <= below or above % below:
                raise ParameterError(
                    "the width of each level must be a multiple of the one before: "
                    f"{_shown(above)} is none of {_shown(below)}, and intervals would not nest"
                )
        if self.low is not None and self.high is not None and self.low >= self.high:
            raise ParameterError(
                f"low must be less than high, got {_shown(self.low)} and {_shown(self.high)}"
            )

    def build(self, observed: Observed) -> Taxonomy:
        domain = observed.domain
        if not domain.n_present:
            empty = Step(np.empty(0, np.int32))
            return stack(observed.name, domain, [empty] * len(self.widths))
        if domain.kind is not Kind.NUMBER:
            is_text = domain.kind is Kind.CATEGORY
            what, advice = (
                ("text", "turn it into numbers first") if is_text else ("dates", "use Dates")
            )
            raise TaxonomyError(f"column {observed.name!r} holds {what}, not numbers: {advice}")
        refuse_infinite(observed.name, domain)
        finest = self._places(observed)
        side = np.zeros(domain.n_present, np.int8)
        if self.low is not None:
            side[: first_at(domain, _number(self.low))] = -1
        if self.high is not None:
            side[first_at(domain, _number(self.high)) :] = 1
        steps = []
        for width in self.widths:
            place = np.where(side == 0, finest // int(width / self.widths[0]), 0)
            blocks = number_runs(place, side)
            first = np.flatnonzero(np.diff(blocks, prepend=-1))
            steps.append(Step(blocks, None, self._edges(width, place[first], side[first])))
        return stack(observed.name, domain, steps)

    @property
    def _origin(self) -> Fraction:
        if self.start is not None:
            return self.start
        return Fraction(0) if self.low is None else self.low

    def _places(self, observed: Observed) -> CountArray:
        """Give for every number the interval of the finest level that it lies in."""
        values, start, width = observed.domain.values, self._origin, self.widths[0]
        scale = lcm(start.denominator, width.denominator)
        largest = max(abs(int(values[0])), abs(int(values[-1]))) + abs(start) + self.widths[-1] + 1
        if largest * scale >= (_LARGEST_FLOAT if scale > 1 else _LARGEST):
            raise TaxonomyError(
                f"column {observed.name!r} holds numbers too large for exact intervals of width "
                f"{_shown(width)}: choose whole numbers as widths, or leave out such numbers"
            )
        if np.issubdtype(values.dtype, np.integer):
            places: CountArray = (values * scale - int(start * scale)) // int(width * scale)
            return places
        places = np.floor((values - float(start)) / float(width)).astype(np.int64)
        # The quotient may be off by one; the cuts, as they will be written, decide.
        while (too_high := values < _cuts(start, width, places)).any():
            places -= too_high
        while (too_low := values >= _cuts(start, width, places + 1)).any():
            places += too_low
        return places

    def _edges(self, width: Fraction, place: CountArray, side: NDArray[np.int8]) -> Edges:
        lower, upper = (_cuts(self._origin, width, place + i) for i in (0, 1))
        if self.low is not None:
            low = _number(self.low)
            lower, upper = np.maximum(lower, low), np.where(side < 0, low, upper)
        if self.high is not None:
            high = _number(self.high)
            lower, upper = np.where(side > 0, high, lower), np.minimum(upper, high)
        return Edges(lower, upper, bool(side[0] < 0), bool(side[-1] > 0))


def _cuts(start: Fraction, width: Fraction, places: CountArray) -> NDArray[Any]:
    """Give ``start + places * width``: whole numbers, or the floats nearest to the decimals."""
    scale = lcm(start.denominator, width.denominator)
    numerators: CountArray = int(start * scale) + places * int(width * scale)
    # Both are exact floats (checked in `_places`), so the quotient is correctly rounded.
    return numerators if scale == 1 else numerators / scale


def _number(value: Fraction) -> int | float:
    return value.numerator if value.denominator == 1 else float(value)


def _shown(value: Fraction) -> str:
    return str(_number(value))
