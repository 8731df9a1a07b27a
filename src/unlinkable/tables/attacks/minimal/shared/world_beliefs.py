"""World beliefs: what people have in the tables that are left as possible.

A belief is a share of tables. It is kept as whole numbers, so that it is compared with a limit
exactly as long as all tables were looked at.

Means of what lies between 0 and 1, and where the true mean is.

References
----------
.. [1] W. Hoeffding. "Probability inequalities for sums of bounded random variables." JASA 58(301),
   1963. Theorem 1, inequality (2.1).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from attrs import define
from numpy.typing import NDArray

from unlinkable.errors import UnsupportedError
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.minimal.shared.possible_tables import PossibleTables
from unlinkable.tables.models import is_within
from unlinkable.typing import BoolArray, CodeArray, Columns, CountArray, FloatArray

__all__ = ["WorldBeliefs", "WorldShares", "mean_bounds"]

_MOST = 1 << 24
"""So many beliefs are kept at once at most."""

_TINY = 1e-300
"""Less than any share of tables that are kept."""

_LARGE = 1 << 40
"""Beyond so many tables, counts are Python's own integers."""


@define(eq=False, frozen=True)
class WorldShares:
    """The adversary's confidence that people of each kind have each value.

    Attributes
    ----------
    parts, wholes
        ``parts[kind, value] / wholes[kind]`` is the belief.
    """

    parts: NDArray[Any]
    wholes: NDArray[Any]

    @property
    def values(self) -> CountArray:
        """The value that is believed most of each kind; the first of several."""
        values: CountArray = np.argmax(self.parts, axis=1)
        return values

    @property
    def means(self) -> FloatArray:
        """All beliefs as floats."""
        return np.asarray(self.parts / self.wholes[:, None], float)

    @property
    def sure(self) -> FloatArray:
        """The confidence in that value."""
        return np.asarray(self._most / self.wholes, float)

    def falls(self, limit: Fraction) -> BoolArray:
        """Whether that is more than a limit."""
        return ~is_within(self._most, limit, self.wholes)

    @property
    def _most(self) -> NDArray[Any]:
        most: NDArray[Any] = self.parts.max(axis=1, initial=0)
        return most


class WorldBeliefs:
    """Adds up what people have on one column, in one table after the other.

    Of people of whom it is not open what they have, the release itself tells as much as can be
    known: the shares of values in their pool.

    Parameters
    ----------
    tables
        The tables.
    target
        The release.
    column
        What is looked at.
    values
        Only these values are believed in; all if not given.

    Raises
    ------
    UnsupportedError
        If there are too many kinds of people, and too many values.
    """

    def __init__(
        self, tables: PossibleTables, target: Target, column: str, values: Columns | None = None
    ) -> None:
        told = target.table(target.alike, (column,))
        self.column, self.domain = column, told.taxonomy(column).domain
        self._tables, self._codes = tables, told.codes(column)
        shape = tables.first.size, self.domain.n
        if shape[0] * shape[1] > _MOST:
            raise UnsupportedError(
                f"{shape[0]:,} kinds of people and {shape[1]:,} values of {column!r} are more than "
                "can be told apart: attack a part of the release"
            )
        self._n_each = np.bincount(tables.kinds, minlength=shape[0])
        self._kept, self._dropped = _Sum(shape), _Sum(shape)
        self._counts_as = np.ones(shape[1], bool)
        if values is not None:
            named = [self.domain.code_of(value) for value in values]
            self._counts_as = np.isin(np.arange(shape[1]), named)

    def add(self, records: CountArray, weight: int = 1, *, is_kept: bool = True) -> None:
        """Add a table that was kept or dropped, and others like it so that there are ``weight``."""
        n_kinds, n_values = self._n_each.size, self.domain.n
        cells = self._tables.kinds.astype(np.int64) * n_values + self._codes[records]
        counts = np.bincount(cells, minlength=n_kinds * n_values).reshape(n_kinds, n_values)
        (self._kept if is_kept else self._dropped).add(counts, weight)

    def believed(self) -> WorldShares:
        """Give what is believed if all tables were added, and at least one of them was kept."""
        n_each = self._n_each.astype(self._kept.counts.dtype)
        return self._where_open(self._kept.counts, n_each * self._kept.n)

    def estimated(
        self, error: float, *, is_mostly_kept: bool
    ) -> tuple[WorldShares, FloatArray, FloatArray]:
        """Give what is believed if tables were drawn, and bounds of each belief.

        Beliefs are means over the tables that were kept. If that is most of them, it is better
        known what is missing: the mean over all tables is the share of a value in the pool, and
        what those dropped add to it is small. Which of the two is taken depends on what was drawn,
        so that half of the error is left to each.

        Parameters
        ----------
        error
            How likely each belief may lie outside of its bounds.
        is_mostly_kept
            Whether most tables were kept, out of a number that was fixed beforehand.
        """
        if is_mostly_kept:
            found, low, high = self._by_what_is_missing(error / 2)
        else:
            found = self.believed()
            low, high = mean_bounds(found.means, self._kept.n, error / 2)
        is_open = self._is_open_cell
        return found, np.where(is_open, low, found.means), np.where(is_open, high, found.means)

    def _by_what_is_missing(self, error: float) -> tuple[WorldShares, FloatArray, FloatArray]:
        """Take what those dropped have from what all have, of people of whom it is open."""
        shares, n_each = self._in_pools(), self._n_each.astype(object)
        kept, dropped, n = self._kept.n, self._dropped.n, self._kept.n + self._dropped.n
        whole = shares.wholes * n_each
        parts = shares.parts * (n_each * n)[:, None] - self._dropped.counts * shares.wholes[:, None]
        # By chance those dropped may seem to have more than all together.
        parts = np.minimum(np.maximum(parts, 0), (whole * kept)[:, None])
        missing = np.asarray(self._dropped.counts / (self._n_each * n)[:, None], float)
        low, high = mean_bounds(missing, n, error / 2)
        lost = mean_bounds(np.array([dropped / n]), n, error / 2)
        least = (shares.means - high) / (1 - lost[0])
        most = (shares.means - low) / np.maximum(1 - lost[1], _TINY)
        found = self._where_open(parts, whole * kept)
        return found, np.clip(least, 0.0, 1.0), np.clip(most, 0.0, 1.0)

    def _where_open(self, parts: NDArray[Any], wholes: NDArray[Any]) -> WorldShares:
        shares, is_open = self._in_pools(), self._tables.is_open
        found = np.where(is_open[:, None], parts, shares.parts)
        return WorldShares(found * self._counts_as, np.where(is_open, wholes, shares.wholes))

    def has(self, value: str) -> bool:
        """Whether any record has a value."""
        return bool((self._codes == self.domain.code_of(value)).any())

    @property
    def n_open(self) -> int:
        """How many beliefs are open."""
        return int(np.count_nonzero(self._is_open_cell))

    @property
    def _is_open_cell(self) -> BoolArray:
        can_be = (self._in_pools().parts > 0) & self._counts_as
        is_open: BoolArray = self._tables.is_open[:, None] & can_be
        return is_open

    def naive(self) -> WorldShares:
        """Give the beliefs without any knowledge of how the release was made.

        It is the mean of the shares of a value in the groups of all records that a person may have.
        """
        fits, groups = self._tables.fits, self._tables.groups
        n_kinds, n_values = self._n_each.size, self.domain.n
        counts = _tallied(groups, self._codes, int(groups.max(initial=-1)) + 1, n_values)
        shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
        fitting = np.bincount(fits.kinds, fits.n_records, n_kinds)
        parts = np.empty((n_kinds, n_values))
        for value in range(n_values):
            weights = fits.n_records * shares[fits.groups, value]
            parts[:, value] = np.bincount(fits.kinds, weights, n_kinds)
        whole = np.bincount(self._codes, minlength=n_values)
        parts[fitting == 0], fitting[fitting == 0] = whole, whole.sum()
        return WorldShares(parts * self._counts_as, fitting)

    def _in_pools(self) -> WorldShares:
        """Give the shares of values in the pool of each kind, or in all records."""
        tables, n_values = self._tables, self.domain.n
        pools = tables.record_pools
        counts = _tallied(pools, self._codes, int(pools.max(initial=-1)) + 1, n_values)
        counts = np.vstack([counts, counts.sum(axis=0)])
        of_kind = counts[tables.pools[tables.first]]
        return WorldShares(of_kind, of_kind.sum(axis=1))


class _Sum:
    """Counts that are added up, each as often as it is told to be."""

    def __init__(self, shape: tuple[int, int]) -> None:
        self.counts: NDArray[Any] = np.zeros(shape, np.int64)
        self.n = 0

    def add(self, counts: CountArray, weight: int) -> None:
        """Add some counts so many times."""
        self.n += weight
        if self.n > _LARGE and self.counts.dtype != object:
            self.counts = self.counts.astype(object)
        self.counts += counts.astype(self.counts.dtype) * weight


def _tallied(labels: CodeArray, codes: CodeArray, n_labels: int, n_values: int) -> CountArray:
    cells = labels.astype(np.int64) * n_values + codes
    return np.bincount(cells, minlength=n_labels * n_values).reshape(n_labels, n_values)


_STEPS = 60
"""Halvings of an interval until a float has no more digits to tell."""


def mean_bounds(means: FloatArray, n: int, error: float) -> tuple[FloatArray, FloatArray]:
    r"""Say where true means lie if these were seen.

    For independent numbers between 0 and 1 with mean :math:`\mu`, a mean of n of them beyond x is
    seen with a chance of at most :math:`e^{-n\,KL(x, \mu)}`, where KL is the divergence of two
    coins [1]_. The bounds are the outermost :math:`\mu` for which this is at least the error that
    is allowed for one side of one mean. They hold whatever the numbers, and for any n.

    Parameters
    ----------
    means
        What was seen.
    n
        In how many independent trials.
    error
        How likely each of the means may lie outside of its bounds.

    Examples
    --------
    >>> low, high = mean_bounds(np.array([0.5, 1.0]), 100, 0.05)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.367, 0.964], [0.633, 1.0])
    """
    if n == 0:
        return np.zeros(means.shape), np.ones(means.shape)
    allowed = float(np.log(2 / error)) / n
    return _last_within(means, 0.0, allowed), _last_within(means, 1.0, allowed)


def _last_within(means: FloatArray, end: float, allowed: float) -> FloatArray:
    """Find how far towards an end the divergence from each mean stays within what is allowed."""
    inside, outside = means.copy(), np.full(means.shape, end)
    for _ in range(_STEPS):
        middle = (inside + outside) / 2
        is_within = _divergence(means, middle) <= allowed
        inside, outside = np.where(is_within, middle, inside), np.where(is_within, outside, middle)
    # At the far end of the last step the divergence is too large, or there is nothing beyond.
    return outside


def _divergence(p: FloatArray, q: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore", invalid="ignore"):
        ones = np.where(p > 0, p * np.log(p / q), 0.0)
        zeros = np.where(p < 1, (1 - p) * np.log((1 - p) / (1 - q)), 0.0)
    total: FloatArray = ones + zeros
    return total
