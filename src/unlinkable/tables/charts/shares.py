"""Shares: how often each value occurs in the original, and by what the release says.

A group that shows a range counts evenly for every value of the range, since nobody who has nothing
but the release knows better.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress

import numpy as np
from attrs import define

from unlinkable.kernels.counting import sum_floats_by_label
from unlinkable.tables.charts.bins import MOST_BINS, bins_of
from unlinkable.tables.charts.style import as_labels
from unlinkable.tables.data import Table, codes_of, numbers_of
from unlinkable.tables.metrics.base import Generalized, Perturbed
from unlinkable.tables.taxonomies import Domain, Kind
from unlinkable.typing import CodeArray, FloatArray

__all__ = ["MISSING", "MOST_CATEGORIES", "Shares", "shares_of", "spread"]

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
