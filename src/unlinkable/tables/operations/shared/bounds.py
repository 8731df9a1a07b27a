"""Bounds: between which values anybody's value lies, by what is known in general."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from datetime import date
from fractions import Fraction
from typing import Any

from unlinkable.errors import ParameterError
from unlinkable.params import exact

__all__ = ["Bounds", "as_bounds", "bounds_by_column", "width"]

Bounds = tuple[tuple[str, Fraction, Fraction], ...]
"""Columns, each with the least and the largest value."""

_EPOCH = date(1970, 1, 1)


def as_bounds(value: Mapping[str, Iterable[Any]] | Iterable[Iterable[Any]] | None) -> Bounds:
    """Read bounds from a list of a column and two values each, or from columns to two values.

    Dates are read as days since 1970.

    Examples
    --------
    >>> as_bounds({"age": [0, 120]}) == as_bounds([["age", 0, 120]])
    True
    >>> as_bounds([["born", "1970-01-01", "1970-01-03"]])[0][2]
    Fraction(2, 1)
    """
    listed = [(n, *ends) for n, ends in value.items()] if isinstance(value, Mapping) else value
    found = []
    for entry in listed or ():
        parts = () if isinstance(entry, str) else tuple(entry)
        if len(parts) != 3 or not isinstance(parts[0], str):
            raise ParameterError(
                'bounds must list a column, its least and its largest value, like [["age", 0, 120]]'
            )
        name, lower, upper = parts[0], _number(parts[1]), _number(parts[2])
        if lower >= upper:
            raise ParameterError(f"the lower bound of {name!r} must be less than the upper one")
        found.append((name, lower, upper))
    if len({name for name, *_ in found}) < len(found):
        raise ParameterError("bounds are given twice for a column")
    return tuple(found)


def bounds_by_column(bounds: Bounds) -> dict[str, tuple[Fraction, Fraction]]:
    """Give the bounds by column."""
    return {name: (lower, upper) for name, lower, upper in bounds}


def width(lower: Fraction, upper: Fraction) -> float:
    """Give by how much a value within bounds can change at most, rounded up.

    Examples
    --------
    >>> width(Fraction(0), Fraction(120))
    120.0
    """
    apart = float(upper - lower)
    return apart if Fraction(apart) >= upper - lower else math.nextafter(apart, math.inf)


def _number(value: Any) -> Fraction:
    if isinstance(value, str):
        try:
            return Fraction((date.fromisoformat(value) - _EPOCH).days)
        except ValueError:
            pass
    if isinstance(value, date):
        return Fraction((date(value.year, value.month, value.day) - _EPOCH).days)
    return exact(value)
