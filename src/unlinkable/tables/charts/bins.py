"""Bins: ranges of numbers or dates that a chart has room for, with ends that people like."""

from __future__ import annotations

from math import floor, log10, ulp

import numpy as np
from attrs import define
from numpy.typing import NDArray

from unlinkable.tables.taxonomies import Domain, Kind
from unlinkable.typing import CountArray, FloatArray

__all__ = ["MOST_BINS", "Bins", "bins_of", "nice_step"]

MOST_BINS = 30
"""How many ranges a chart has room for."""

_CALENDAR = [
    *((1, "h"), (6, "h"), (1, "D"), (7, "D"), (1, "M"), (3, "M"), (1, "Y")),
    *((2, "Y"), (5, "Y"), (10, "Y"), (20, "Y"), (50, "Y"), (100, "Y"), (1000, "Y")),
]
_OFFSETS = {"Y": 1970, "D": 3}
"""What to add to numpy's years and days so that decades end in 0 and weeks begin on Mondays."""


@define(eq=False, frozen=True)
class Bins:
    """Neighbouring ranges of numbers; dates are days since 1970.

    Attributes
    ----------
    edges
        Bin ``i`` holds the numbers in ``[edges[i], edges[i + 1])``.
    labels
        What each bin is called.
    below, above
        What the numbers before the first and after the last bin are called.
    """

    edges: FloatArray
    labels: tuple[str, ...]
    below: str
    above: str

    def locate(self, numbers: FloatArray) -> CountArray:
        """Find the bin of each number; -1 for those before the first, n for those after the last.

        Examples
        --------
        >>> bins = Bins(np.array([0.0, 5.0, 10.0]), ("0 to 4", "5 to 9"), "under 0", "10 and over")
        >>> bins.locate(np.array([-1.0, 0.0, 4.9, 5.0, 10.0])).tolist()
        [-1, 0, 0, 1, 2]
        """
        return np.searchsorted(self.edges, numbers, "right") - 1


def bins_of(domain: Domain, *, whole: bool, most: int = MOST_BINS) -> Bins:
    """Cut the numbers or dates of a domain into at most this many ranges.

    ``whole`` tells that there is nothing between a whole number and the next: a range of such is
    named by its first and its last number.

    Examples
    --------
    >>> ages = Domain(Kind.NUMBER, np.arange(17, 91))
    >>> bins_of(ages, whole=True).labels[:2], bins_of(ages, whole=False).labels[:2]
    (('15 to 19', '20 to 24'), ('15 to under 20', '20 to under 25'))
    >>> days = np.array(["2019-12-31", "2021-05-03"], "datetime64[D]")
    >>> bins_of(Domain(Kind.DATE, days), whole=True).labels[:2]
    ('2019-12', '2020-01')
    """
    if domain.kind is Kind.DATE:
        return _calendar_bins(domain.values, most)
    return _number_bins(domain.as_numbers(), whole=whole, most_bins=most)


def nice_step(least: float) -> float:
    """Find the least of 1, 2, 5, 10, 20, 50, ... (and 0.5, 0.2, 0.1, ...) that is no smaller.

    Examples
    --------
    >>> nice_step(2.4), nice_step(70), nice_step(0.03)
    (5.0, 100.0, 0.05)
    """
    power = floor(log10(least))
    return next(
        step for factor in (1, 2, 5, 10, 20) if (step := float(f"{factor}e{power}")) >= least
    )


def _number_bins(numbers: FloatArray, *, whole: bool, most_bins: int) -> Bins:
    finite = numbers[np.isfinite(numbers)]
    least, most = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
    # Divided before it is subtracted: the length of the whole range may be no float.
    room = most / most_bins - least / most_bins
    # Beside a very large number a small step vanishes.
    room = max(room or 1.0, 16 * ulp(max(abs(least), abs(most))))
    step = nice_step(max(room, 1.0) if whole else room)
    while len(edges := _edges(least, most, step)) > most_bins + 1:
        step = nice_step(1.5 * step)
    ends = [_write(edge, step) for edge in edges]
    labels = tuple(
        _range(low, step) if whole else f"{a} to under {b}"
        for low, a, b in zip(edges, ends, ends[1:], strict=False)
    )
    return Bins(np.array(edges), labels, f"under {ends[0]}", f"{ends[-1]} and over")


def _edges(least: float, most: float, step: float) -> list[float]:
    """Give the multiples of a step, as people write them, from one before to one after a range."""
    n = round(least / step)
    first = n if _multiple(n, step) <= least else n - 1
    n = round(most / step)
    last = n if _multiple(n, step) > most else n + 1
    return [_multiple(n, step) for n in range(first, last + 1)]


def _multiple(n: int, step: float) -> float:
    return round(n * step, max(0, -floor(log10(step))))


def _range(low: float, step: float) -> str:
    first, last = int(low), int(low) + int(step) - 1
    return f"{first:,}" if first == last else f"{first:,} to {last:,}"


def _write(number: float, step: float) -> str:
    places = max(0, -floor(log10(step)))
    is_readable = abs(number) < 1e15 and places < 7
    return f"{number:,.{places}f}" if is_readable else f"{number:.15g}"


def _calendar_bins(dates: NDArray[np.datetime64], most_bins: int) -> Bins:
    for step, unit in _CALENDAR:
        offset = _OFFSETS.get(unit, 0)
        ends = dates[[0, -1]].astype(f"datetime64[{unit}]").astype(np.int64) + offset
        first, last = (ends // step).tolist()
        if last - first < most_bins:
            break
    starts = np.arange(first, last + 2) * step - offset
    at = starts.astype(f"datetime64[{unit}]")
    edges = Domain(Kind.DATE, at.astype("datetime64[us]")).as_numbers()
    ends_at = (starts + step - 1).astype(f"datetime64[{unit}]")
    labels = tuple(
        f"{a}" if step == 1 else f"{a} to {b}" for a, b in zip(at[:-1], ends_at, strict=False)
    )
    return Bins(edges, labels, f"before {at[0]}", f"from {at[-1]}")
