"""Bins: where cells of numbers and dates begin and end, and numbers within them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil

import numpy as np

from unlinkable.errors import ParameterError, UnsupportedError
from unlinkable.params import exact
from unlinkable.tables.taxonomies import Kind
from unlinkable.tables.taxonomies.builders import Intervals
from unlinkable.typing import FloatArray

__all__ = ["draw_within", "interval_edges", "read_edges"]

_MOST_BINS = 100_000
"""Intervals of a taxonomy that cut more finely than this are refused."""


def interval_edges(name: str, intervals: Intervals, level: int | None) -> list[str | float]:
    """Give where the intervals of a level begin, from its lowest number to its highest.

    Raises
    ------
    UnsupportedError
        If the lowest and the highest number are not told.
    ParameterError
        If there is no such level, or it has far too many intervals.

    Examples
    --------
    >>> interval_edges("age", Intervals(5, 20, start=10, low=18, high=60), 2)
    [18, 30, 50, 60]
    """
    low, high = intervals.low, intervals.high
    if low is None or high is None:
        raise UnsupportedError(
            f"the range of {name!r} is not known without looking at the records: give low and high "
            f'to its Intervals, or bins=[["{name}", ...]]'
        )
    chosen = 1 if level is None else level
    if not 1 <= chosen <= len(intervals.widths):
        raise ParameterError(
            f"the intervals of {name!r} have levels 1 to {len(intervals.widths)}, and no level "
            f"{chosen}"
        )
    width = intervals.widths[chosen - 1]
    start = low if intervals.start is None else intervals.start
    first, last = ceil((low - start) / width), ceil((high - start) / width)
    if last - first > _MOST_BINS:
        raise ParameterError(f"{name!r} has more than {_MOST_BINS} intervals: take a coarser level")
    inside = [start + i * width for i in range(first, last)]
    cuts = [low, *(cut for cut in inside if cut > low), high]
    return [float(cut) if cut.denominator > 1 else int(cut) for cut in cuts]


def read_edges(name: str, bins: Sequence[str | float], kind: Kind) -> tuple[FloatArray, list[str]]:
    """Read where bins begin and end, as numbers and as texts; days count from 1970.

    Raises
    ------
    ParameterError
        If there is none, they do not rise, or one is no number or day.

    Examples
    --------
    >>> edges, texts = read_edges("age", [20, 40.5], Kind.NUMBER)
    >>> edges.tolist(), texts
    ([20.0, 40.5], ['20', '40.5'])
    """
    if not bins:
        raise ParameterError(f"bins of {name!r} need at least one number where they begin")
    if kind is Kind.DATE:
        try:
            days = np.array([np.datetime64(str(edge), "D") for edge in bins])
        except ValueError:
            raise ParameterError(f"bins of {name!r} must be days like 2024-01-31") from None
        edges, words = days.astype(np.int64).astype(np.float64), [str(day) for day in days]
    else:
        numbers = [exact(edge) for edge in bins]
        edges, words = np.array([float(x) for x in numbers]), [_decimal(x) for x in numbers]
    if not (np.diff(edges) > 0).all():
        raise ParameterError(f"bins of {name!r} must rise")
    return edges, words


def _decimal(number: Fraction) -> str:
    if number.denominator == 1:
        return str(number.numerator)
    return np.format_float_positional(float(number), trim="-")


def draw_within(
    lower: FloatArray, upper: FloatArray, rng: np.random.Generator, *, is_whole: bool
) -> FloatArray:
    """Draw a number from each interval ``[lower, upper)``, all equally likely.

    In an interval with an open end it is the end that is known, or the first number below it.

    Examples
    --------
    >>> ends = np.array([-np.inf, 3.0, 7.5]), np.array([3.0, 3.5, np.inf])
    >>> draw_within(*ends, np.random.default_rng(0), is_whole=True).tolist()
    [2.0, 3.0, 8.0]
    """
    below = np.where(is_whole, np.ceil(upper) - 1, np.nextafter(upper, -np.inf))
    low = np.where(np.isinf(lower), below, np.ceil(lower) if is_whole else lower)
    high = np.where(np.isinf(lower), low, np.where(np.isinf(upper), low, below))
    # An interval without a whole number in it tells its lower end.
    width = np.maximum(high - low, 0)
    place = rng.random(len(low))
    drawn = low + (np.floor(place * (width + 1)) if is_whole else place * width)
    return np.asarray(np.minimum(drawn, low + width), np.float64)
