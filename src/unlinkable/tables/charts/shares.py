"""Shares: how often each value occurs in the original, and by what the release says.

A group that shows a range counts evenly for every value of the range, since nobody who has nothing
but the release knows better.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from math import floor, log10, ulp

import numpy as np
from attrs import define
from numpy.typing import NDArray

from unlinkable.kernels.counting import sum_floats_by_label
from unlinkable.tables.charts.chart import as_labels
from unlinkable.tables.data import Table, codes_of, numbers_of
from unlinkable.tables.metrics.base import Generalized, Perturbed
from unlinkable.tables.taxonomies import Domain, Kind
from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = [
    "MISSING",
    "MOST_BINS",
    "MOST_CATEGORIES",
    "Bins",
    "Shares",
    "bins_of",
    "nice_step",
    "shares_of",
    "spread",
]

MOST_CATEGORIES = 20
"""How many categories a chart has room for; the others are added up."""

MISSING = "(missing)"
"""What records without a value are called."""

_NOISE = 1e-12
"""A share below this is what additions leave behind where there is nothing."""


@define(eq=False, frozen=True)
class Shares:
    """How often the values of an attribute occur, before and after.

    Attributes
    ----------
    labels
        What each value, or each range of values, is called.
    before, after
        The share of the records that have it: in the original, and by what the release says.
        Both add up to 1, unless the release has no records.
    """

    labels: tuple[str, ...]
    before: FloatArray
    after: FloatArray


def shares_of(published: Generalized | Perturbed, name: str) -> Shares:
    """Compare how often the values of an attribute occur in the original and in a release.

    At most 30 numbers or dates are told one by one, more of them by ranges; so are numbers that the
    original does not have. Of categories the 20 most frequent ones of the original are told one by
    one, and the others together.

    Examples
    --------
    >>> from unlinkable.tables.data import as_table
    >>> people = as_table({"blood": ["0", "0", "A", "B"]}, quasi="blood")
    >>> swapped = as_table({"blood": ["0", "A", "A", "A"]}, quasi="blood").frame
    >>> shares = shares_of(Perturbed(people, swapped, None), "blood")
    >>> shares.labels, shares.before.tolist(), shares.after.tolist()
    (('0', 'A', 'B'), [0.5, 0.25, 0.25], [0.25, 0.75, 0.0])
    """
    domain = published.original.taxonomy(name).domain
    before = _before(published, name)
    if isinstance(published, Generalized):
        after, strange = _generalized(published, name), 0.0
    else:
        codes, weights = codes_of(published.frame, name, domain), _weights(published)
        is_strange = codes < 0
        if domain.kind is not Kind.CATEGORY and is_strange.any():
            return _measured(domain, before, numbers_of(published.frame, name), weights)
        after = sum_floats_by_label(weights, codes, domain.n)
        strange = float(weights[is_strange].sum())
    if domain.kind is Kind.CATEGORY:
        return _categories(domain, before, after, strange)
    if domain.n_present > MOST_BINS:
        return _measured(domain, before, _numbers(domain), after)
    labels = [domain.text(code) for code in range(domain.n_present)]
    return _shares([*labels, *[MISSING] * domain.has_missing], before, after)


def spread(lo: CodeArray, hi: CodeArray, weights: FloatArray, n: int) -> FloatArray:
    """Spread the weight of every range ``[lo, hi)`` evenly over its codes. O(ranges + codes).

    Examples
    --------
    >>> spread(np.array([0, 1]), np.array([4, 2]), np.array([4.0, 3.0]), 4).tolist()
    [1.0, 4.0, 1.0, 1.0]
    """
    is_single = hi - lo == 1
    exact = sum_floats_by_label(weights[is_single], lo[is_single], n)
    first, end, height = lo[~is_single], hi[~is_single], (weights / (hi - lo))[~is_single]
    rises = sum_floats_by_label(height, first, n + 1)
    falls = sum_floats_by_label(height, end, n + 1)
    level = np.cumsum((rises - falls)[:n])
    level[level < _NOISE * weights.sum()] = 0.0
    return exact + level


def _before(published: Generalized | Perturbed, name: str) -> FloatArray:
    """Weigh the records of the original by their codes."""
    table = published.original
    return sum_floats_by_label(_weights(table), table.codes(name), table.taxonomy(name).n)


def _generalized(published: Generalized, name: str) -> FloatArray:
    """Weigh the codes by what a generalized release says."""
    table = published.original
    n = table.taxonomy(name).n
    if name in published.quasi:
        shown, j = published.shown, published.quasi.index(name)
        return spread(shown.lo[:, j], shown.hi[:, j], shown.weights, n)
    codes, rows = published.codes(name), published.rows
    # Without knowing which record is which, every one counts once.
    weights = np.ones(codes.size) if rows is None else _weights(table)[rows]
    return sum_floats_by_label(weights, codes, n)


def _weights(records: Table | Perturbed) -> FloatArray:
    n = len(records) if isinstance(records, Table) else records.n_records
    return np.ones(n) if records.weights is None else records.weights


def _categories(domain: Domain, before: FloatArray, after: FloatArray, strange: float) -> Shares:
    """Tell the most frequent categories, the others together, and what the original lacks."""
    n = domain.n_present
    codes = np.lexsort((-after[:n], -before[:n]))
    codes = codes[(before[codes] != 0) | (after[codes] != 0)]
    told, others = codes[:MOST_CATEGORIES], codes[MOST_CATEGORIES:]
    labels = [domain.text(code) for code in told.tolist()]
    return _shares(
        [*labels, f"({len(others):,} other values)", MISSING, "(not in the original)"],
        np.array([*before[told], before[others].sum(), before[n:].sum(), 0.0]),
        np.array([*after[told], after[others].sum(), after[n:].sum(), strange]),
        optional=slice(len(told), None),
    )


def _measured(
    domain: Domain, before: FloatArray, numbers: FloatArray, weights: FloatArray
) -> Shares:
    """Tell numbers or dates by ranges of those of the original."""
    is_whole = np.issubdtype(domain.values.dtype, np.integer)
    present = numbers[~np.isnan(numbers)]
    bins = bins_of(domain, whole=bool(is_whole and (present == np.floor(present)).all()))
    n = len(bins.labels)
    counted = []
    for values, amounts in ((_numbers(domain), before), (numbers, weights)):
        at = np.where(np.isnan(values), n + 1, bins.locate(values)) + 1
        counted.append(sum_floats_by_label(amounts, at.astype(np.int32), n + 3))
    labels = [*bins.labels, bins.below, bins.above, MISSING]
    order = np.r_[1 : n + 1, 0, n + 1, n + 2]
    return _shares(labels, counted[0][order], counted[1][order], optional=slice(n, None))


def _numbers(domain: Domain) -> FloatArray:
    """Give the number of every code; the missing value is not a number."""
    return np.append(domain.as_numbers(), [np.nan] * domain.has_missing)


def _shares(
    labels: Sequence[str], before: FloatArray, after: FloatArray, optional: slice = slice(0)
) -> Shares:
    """Make shares of weights, leaving out what is optional and has none."""
    is_told = np.ones(len(labels), bool)
    is_told[optional] = (before[optional] != 0) | (after[optional] != 0)
    told = tuple(as_labels(compress(labels, is_told.tolist())))
    return Shares(told, _normalized(before[is_told]), _normalized(after[is_told]))


def _normalized(weights: FloatArray) -> FloatArray:
    total = float(weights.sum())
    return weights / total if total > 0 else np.zeros_like(weights)


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
