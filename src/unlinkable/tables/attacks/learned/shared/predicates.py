"""Predicates: descriptions that are made of a release, and how many records each fits.

A predicate says of some columns in which range of codes a value lies. A person is singled out if it
fits their record and no other.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import evolve, frozen

from unlinkable.kernels.counting import count, count_covered
from unlinkable.tables.attacks.learned.shared.column_axes import Axis
from unlinkable.tables.groups import number_rows
from unlinkable.tables.taxonomies import ANY, write_interval, write_set
from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["Predicates", "extreme_and_rare", "from_records", "isolation_chance"]

_AT_ONCE = 512
"""Predicates are held against all records in portions of so many."""


@frozen(eq=False)
class Predicates:
    """Boxes ``[lo, hi)`` of codes, a row for each predicate and a column for each axis.

    Examples
    --------
    >>> codes = np.array([[0, 3], [1, 3], [1, 2]], np.int32)
    >>> lo, hi = np.array([[1, 0], [0, 2]], np.int32), np.array([[2, 3], [2, 4]], np.int32)
    >>> counts, rows = Predicates(lo, hi).matches(codes)
    >>> counts.tolist(), rows.tolist()
    ([1, 3], [2, -1])
    """

    lo: CodeArray
    hi: CodeArray

    def __len__(self) -> int:
        return len(self.lo)

    def at(self, which: CountArray | BoolArray) -> Predicates:
        """Keep some of them."""
        return evolve(self, lo=self.lo[which], hi=self.hi[which])

    def distinct(self) -> Predicates:
        """Keep the first of those that say the same."""
        _, first = number_rows(np.concatenate([self.lo, self.hi], axis=1))
        return self.at(np.sort(first))

    def matches(self, codes: CodeArray) -> tuple[CountArray, CountArray]:
        """Count the records that each fits; where it fits one alone, say which, and else -1.

        O(n p d / 64) for n records and p predicates.
        """
        counts = self._sums(codes, np.ones(len(codes), np.int64))
        # The sum of the rows of a single record is its row.
        alone = np.flatnonzero(counts == 1)
        rows = np.full(len(self), -1, np.int64)
        rows[alone] = self.at(alone)._sums(codes, np.arange(len(codes)))
        return counts, rows

    def published(self, lo: CodeArray, hi: CodeArray) -> CountArray:
        """Count the records of a release that each surely fits: what they show lies within."""
        # Where all records show single codes, these lie within if they do not lie before or after.
        wide = np.flatnonzero((hi - lo != 1).any(axis=0))
        ends = self.hi.copy()
        ends[:, wide] = np.iinfo(np.int32).max
        inside = Predicates(
            np.concatenate([self.lo, np.zeros_like(self.lo[:, wide])], axis=1),
            np.concatenate([ends, self.hi[:, wide] + np.int32(1)], axis=1),
        )
        spans = np.concatenate([lo, hi[:, wide]], axis=1)
        return inside._sums(spans, np.ones(len(spans), np.int64))

    def _sums(self, codes: CodeArray, weights: CountArray) -> CountArray:
        """Add up the weights of the records that each fits."""
        sums = np.zeros(len(self), np.int64)
        for first in range(0, len(self), _AT_ONCE):
            some = slice(first, first + _AT_ONCE)
            points, lo, hi = _between_ends(codes, self.lo[some], self.hi[some])
            sums[some], _ = count_covered(lo, hi, points, weights)
        return sums

    def describe(self, axes: Sequence[Axis], at: int) -> dict[str, str]:
        """Write one of them down, leaving out the columns of which it says nothing."""
        told = {}
        for axis, lo, hi in zip(axes, self.lo[at].tolist(), self.hi[at].tolist(), strict=True):
            domain = axis.attribute.taxonomy.domain
            if lo == 0 and hi == domain.n:
                continue
            if hi - lo == 1:
                text = domain.text(lo)
            elif axis.is_ordered:
                upper = domain.text(hi) if hi < domain.n_present else None
                text = write_interval(domain.text(lo) if lo or upper is None else None, upper)
            else:
                text = write_set(domain.text(code) for code in range(lo, hi))
            told[axis.attribute.name] = text
        return told or {axes[0].attribute.name: ANY}


def extreme_and_rare(axes: Sequence[Axis], most: int, rng: np.random.Generator) -> Predicates:
    """Make the predicates on one column that a release suggests.

    These are for numbers the range up to the least that is shown and that from the greatest on, and
    for every column what a single published record shows, at most ``most`` of these.
    """
    lows, highs = [], []
    for j, axis in enumerate(axes):
        n, present = axis.attribute.taxonomy.n, axis.attribute.taxonomy.domain.n_present
        shown = np.column_stack([axis.lo[0], axis.hi[0]])
        labels, first = number_rows(shown)
        made = shown[rng.permutation(first[count(labels, first.size) == 1])[:most]]
        told = shown[(shown[:, 0] < present) & (shown[:, 1] - shown[:, 0] < n)]
        if axis.is_ordered and len(told):
            ends = [[0, told[:, 1].min()], [told[:, 0].max(), present]]
            made = np.concatenate([made, np.array(ends, np.int32)])
        made = made[(made[:, 1] > made[:, 0]) & (made[:, 1] - made[:, 0] < n)]
        lo, hi = _everything(axes, len(made))
        lo[:, j], hi[:, j] = made.T
        lows.append(lo)
        highs.append(hi)
    return Predicates(np.concatenate(lows), np.concatenate(highs)).distinct()


def from_records(
    axes: Sequence[Axis], n: int, width: int, exact: bool, rng: np.random.Generator
) -> Predicates:
    """Make predicates of what random published records show on ``width`` random columns.

    If what is shown is not exact, a number stands for the numbers on its side of the middle of all
    that are shown: those up to it, or from it on.
    """
    rows = rng.integers(len(axes[0].lo[0]), size=n)
    # A random order of the columns for every predicate, of which the first are used.
    order = np.argsort(rng.random((n, len(axes))), axis=1)
    is_used = np.zeros((n, len(axes)), bool)
    np.put_along_axis(is_used, order[:, :width], True, axis=1)
    lo, hi = _everything(axes, n)
    for j, axis in enumerate(axes):
        low, high = axis.lo[0][rows], axis.hi[0][rows]
        if axis.is_ordered and not exact:
            low, high = _one_sided(axis, low, high)
        used = is_used[:, j]
        lo[used, j], hi[used, j] = low[used], high[used]
    return Predicates(lo, hi).distinct()


def isolation_chance(counts: CountArray, n: int, size: int) -> FloatArray:
    r"""Give the chance that a predicate fits exactly one of ``size`` records out of ``n``.

    It fits ``counts`` of the n; the chance is that of the hypergeometric distribution for one:

    .. math:: \binom{c}{1} \binom{n - c}{m - 1} \Big/ \binom{n}{m}

    Examples
    --------
    >>> isolation_chance(np.array([0, 1, 2]), 4, 4).tolist()
    [0.0, 1.0, 0.0]
    >>> isolation_chance(np.array([1, 2]), 4, 2).round(4).tolist()
    [0.5, 0.6667]
    """
    if size == n:
        return np.where(counts == 1, 1.0, 0.0)
    distinct, which = np.unique(counts, return_inverse=True)
    chances = [_one_of(int(c), n, size) for c in distinct]
    found: FloatArray = np.array(chances, float)[which]
    return found


def _one_of(count: int, n: int, size: int) -> float:
    """Multiply the chances that one of the fitting records is drawn and all others are not."""
    if not count or n - count < size - 1:
        return 0.0
    left = n - size
    others = left - np.arange(count - 1)
    return float(count * size / n * np.prod(others / (n - 1 - np.arange(count - 1))))


def _everything(axes: Sequence[Axis], n: int) -> tuple[CodeArray, CodeArray]:
    sizes = np.array([axis.attribute.taxonomy.n for axis in axes], np.int32)
    return np.zeros((n, len(axes)), np.int32), np.tile(sizes, (n, 1))


def _one_sided(axis: Axis, lo: CodeArray, hi: CodeArray) -> tuple[CodeArray, CodeArray]:
    """Turn what is shown into all up to it, or all from it on; a missing value stays alone."""
    present = axis.attribute.taxonomy.domain.n_present
    middle = np.median(axis.lo[0])
    is_low = lo <= middle
    is_missing = lo >= present
    low = np.where(is_low & ~is_missing, 0, lo).astype(np.int32)
    high = np.where(is_low | is_missing, hi, present).astype(np.int32)
    return low, high


def _between_ends(
    codes: CodeArray, lo: CodeArray, hi: CodeArray
) -> tuple[CodeArray, CodeArray, CodeArray]:
    """Number the stretches of codes between the ends of boxes, and put all in their terms."""
    points = np.empty_like(codes)
    low, high = np.empty_like(lo), np.empty_like(hi)
    for j in range(codes.shape[1]):
        ends = np.unique(np.concatenate([lo[:, j], hi[:, j]]))
        low[:, j] = np.searchsorted(ends, lo[:, j]) + 1
        high[:, j] = np.searchsorted(ends, hi[:, j]) + 1
        n_codes = int(codes[:, j].max(initial=-1)) + 1
        stretch = np.searchsorted(ends, np.arange(n_codes), side="right").astype(np.int32)
        points[:, j] = stretch[codes[:, j]]
    return points, low, high
