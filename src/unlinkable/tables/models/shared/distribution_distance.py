"""Distances between the distribution of a group and that of the table, or of others."""

from __future__ import annotations

import abc
from fractions import Fraction
from functools import cached_property
from typing import Any, Self

import numpy as np
from attrs import define
from numpy.typing import DTypeLike, NDArray

from unlinkable.kernels.distributions import emd
from unlinkable.tables.groups import Histogram
from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["WIDEST", "DistributionDistance", "Reference", "are_same", "as_numbers"]

WIDEST = 1 << 62
"""Amounts below this are added up as 64-bit integers."""


@define(eq=False, frozen=True, slots=False)
class Reference:
    """What groups are compared with: the whole table, or every group with a set of its own.

    Attributes
    ----------
    counts
        One row for every set, one column for every value.
    which
        For every group the row that it is compared with.
    """

    counts: CountArray
    which: CodeArray

    @classmethod
    def whole(cls, counts: CountArray, n_groups: int) -> Self:
        """Compare all groups with one table.

        Examples
        --------
        >>> Reference.whole(np.array([3, 1]), n_groups=2).sizes.tolist()
        [4, 4]
        """
        return cls(counts.reshape(1, -1), np.zeros(n_groups, np.int32))

    @cached_property
    def totals(self) -> CountArray:
        """Number of records in each set."""
        return np.asarray(self.counts.sum(axis=1), np.int64)

    @property
    def sizes(self) -> CountArray:
        """For every group the number of records that it is compared with."""
        return self.totals[self.which]

    def most(self, sizes: CountArray) -> int:
        """The largest product of the size of a group and that of what it is compared with."""
        return int(sizes.max(initial=1)) * int(self.totals.max(initial=1))

    def select(self, mask: BoolArray) -> Self:
        """Keep the marked groups."""
        return type(self)(self.counts, self.which[mask])


class DistributionDistance(abc.ABC):
    """A distance between distributions, made ready for one column of one table."""

    @abc.abstractmethod
    def distances(self, hidden: Histogram, sizes: CountArray, others: Reference) -> FloatArray:
        """Measure how far each group of these sizes is from what it is compared with."""

    @abc.abstractmethod
    def are_within(
        self, hidden: Histogram, sizes: CountArray, others: Reference, bound: Fraction
    ) -> BoolArray:
        """Decide exactly which groups are at most ``bound`` from what they are compared with."""


def are_same(hidden: Histogram, sizes: CountArray, others: Reference) -> BoolArray:
    """Tell the groups whose values have the same shares as in what they are compared with.

    Examples
    --------
    >>> hidden = Histogram(np.array([0, 2, 3]), np.array([0, 1, 0]), np.array([2, 1, 2]), 2)
    >>> are_same(hidden, np.array([3, 2]), Reference.whole(np.array([4, 2]), 2)).tolist()
    [True, False]
    """
    dtype = np.int64 if others.most(sizes) < WIDEST else object
    run = emd.surplus if dtype is np.int64 else emd.surplus_of_any_size
    rows, counts, totals = as_numbers(dtype, hidden, sizes, others)
    same: BoolArray = run(*rows, counts, totals, others.which) == 0
    return same


Amounts = NDArray[Any]
Rows = tuple[CountArray, CodeArray, Amounts, Amounts]


def as_numbers(
    dtype: DTypeLike, hidden: Histogram, sizes: CountArray, others: Reference
) -> tuple[Rows, Amounts, Amounts]:
    """Give kernels their groups, and the counts and sizes of what these are compared with.

    All are numbers of one kind: 64-bit integers, floats, or Python's own integers.
    """
    rows = (
        hidden.indptr,
        hidden.values,
        hidden.counts.astype(dtype, copy=False),
        sizes.astype(dtype, copy=False),
    )
    whole = others.counts.astype(dtype, copy=False)
    return rows, whole, others.totals.astype(dtype, copy=False)
