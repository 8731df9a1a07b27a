"""Scale: numbers and dates as whole steps, so that sums and distances of them are exact.

A float is taken as the decimal that was written: 0.1 is one tenth. With at most p decimal places, a
column is a column of whole numbers of 10^-p. Dates are counted in days, times in microseconds.
"""

from __future__ import annotations

import math
from decimal import ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from attrs import define
from numpy.typing import NDArray

from unlinkable.errors import DataError
from unlinkable.tables.taxonomies.domain import Domain, Kind
from unlinkable.typing import FloatArray

__all__ = ["Scale", "as_steps", "rounded_down", "scale_of"]

_WIDEST = 1 << 62
"""The difference of two steps below this fits into 64 bits."""

_DAY = 86_400_000_000
"""Microseconds."""

_FIFTEEN_DIGITS = 1e15
"""Decimals below this many steps have at most 15 digits."""

_MOST_PLACES = 15
"""So many decimal places are tried on all values at once."""


@define(eq=False, frozen=True)
class Scale:
    """The values of a column as whole numbers of steps.

    Attributes
    ----------
    steps
        One for every value, in the order of the codes: 64-bit integers, or Python's own where those
        are not enough.
    parts
        How many steps make one unit: the number 1, or a day.

    Examples
    --------
    >>> from unlinkable.tables.taxonomies import observe
    >>> scale = scale_of("salary", observe("salary", [0.3, 12.25]).domain)
    >>> scale.steps.tolist(), scale.parts
    ([30, 1225], 100)
    """

    steps: NDArray[Any]
    parts: int

    @property
    def is_wide(self) -> bool:
        """Whether 64-bit integers are not enough."""
        return self.steps.dtype == object

    def floats(self, amounts: NDArray[Any], power: int = 1) -> FloatArray:
        """Give amounts of steps, or of squared steps, in units; what is too large is infinite."""
        unit = self.parts**power
        if amounts.dtype != object:
            return np.asarray(amounts / float(unit))
        return np.array([_float(Fraction(amount) / unit) for amount in amounts], float)


@lru_cache(maxsize=8)
def scale_of(column: str, domain: Domain) -> Scale:
    """Take the numbers or dates of a column as steps.

    Raises
    ------
    DataError
        If a number is infinite.
    """
    values = domain.values
    if domain.kind is Kind.DATE:
        is_time = np.datetime_data(values.dtype)[0] == "us"
        return Scale(values.astype(np.int64), _DAY if is_time else 1)
    if values.dtype.kind in "iu":
        ends = [int(values[0]), int(values[-1])] if values.size else []
        return Scale(values.astype(as_steps(ends).dtype), 1)
    if not np.isfinite(values).all():
        raise DataError(
            f"column {column!r} holds infinite numbers, which have no distance from others: "
            "leave these records out, or mark the values as missing"
        )
    found = _short_decimals(values)
    return _decimals(values) if found is None else found


def _short_decimals(values: FloatArray) -> Scale | None:
    """Take floats as steps if all of them are decimals of at most 15 digits.

    No two such decimals are the same float. So if a float is the nearest one to such a decimal,
    then that is how it is written.
    """
    for places in range(_MOST_PLACES + 1):
        steps = np.rint(values * 10.0**places)
        if np.abs(steps).max(initial=0) >= _FIFTEEN_DIGITS:
            return None
        if (steps / 10.0**places == values).all():
            return Scale(steps.astype(np.int64), 10**places)
    return None


def _decimals(values: FloatArray) -> Scale:
    """Take floats as the decimals that they are written as, one by one."""
    decimals = [Decimal(repr(value)) for value in values.tolist()]
    places = max(0, *(-int(d.as_tuple().exponent) for d in decimals))
    return Scale(as_steps([int(d.scaleb(places)) for d in decimals], 10**places), 10**places)


def as_steps(numbers: list[int], parts: int = 1) -> NDArray[Any]:
    """Keep whole numbers as 64-bit integers if they and the parts of a unit fit."""
    fits = all(-_WIDEST < number < _WIDEST for number in numbers) and parts < _WIDEST
    steps = np.empty(len(numbers), np.int64 if fits else object)
    steps[:] = numbers
    return steps


def rounded_down(number: float) -> str:
    """Write a bound with a few digits, so that what keeps the number keeps the bound.

    Examples
    --------
    >>> rounded_down(1234.56789), rounded_down(8.5), rounded_down(2 / 3)
    ('1234.56', '8.5', '0.666666')
    """
    few = Context(prec=6, rounding=ROUND_FLOOR).create_decimal(repr(number))
    return format(few.normalize(), "f") if few else "0"


def _float(number: Fraction) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf
