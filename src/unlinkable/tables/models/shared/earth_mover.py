"""The earth mover's distance: the work of turning one distribution into another.

The work is the mass that is moved times how far. How far apart two values are is the *ground
distance*; with each of the three that are used here, the least work has a closed form [1]_.

References
----------
.. [1] N. Li, T. Li, S. Venkatasubramanian. "t-closeness: privacy beyond k-anonymity and
   l-diversity." ICDE 2007. Section 4.
"""

from __future__ import annotations

import abc
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from attrs import define
from numpy.typing import DTypeLike, NDArray

from unlinkable.kernels.distributions import emd, ordered_emd
from unlinkable.tables.groups import Histogram
from unlinkable.tables.models.shared.distribution_distance import (
    WIDEST,
    DistributionDistance,
    Reference,
    as_numbers,
)
from unlinkable.tables.models.shared.exact_ratios import is_within
from unlinkable.tables.taxonomies import Taxonomy
from unlinkable.typing import BoolArray, CountArray, FloatArray

__all__ = ["EarthMover", "EqualGround", "HierarchicalGround", "OrderedGround"]

_CLOSE = 1e-9
"""Floats decide what is further than this from the bound, where the greatest distance is 1."""

_LARGEST = 1 << 10
"""Where tables overtake groups of at most this many records is looked up and not searched."""

Amounts = NDArray[Any]


class EarthMover(DistributionDistance):
    """The least work of turning the values of a group into others.

    Work is counted in whole numbers: the distance is ``work`` out of ``unit`` for each of n N
    pairs of records, n in the group and N in what it is compared with. Up to 2^62, which a group of
    a billion records with two values in a table of a billion reaches, 64-bit integers will do.
    Above, floats decide what is clear and Python's integers what is close.
    """

    @property
    @abc.abstractmethod
    def unit(self) -> int:
        """How much work it is to carry one record to a value at distance 1."""

    @property
    @abc.abstractmethod
    def most(self) -> int:
        """How large numbers may grow for each pair of records."""

    @property
    def furthest(self) -> float:
        """How far apart two values are at most."""
        return 1.0

    @abc.abstractmethod
    def work(
        self, hidden: Histogram, sizes: CountArray, others: Reference, dtype: DTypeLike
    ) -> Amounts:
        """Add up the work of each group, in numbers of this kind."""

    def distances(self, hidden: Histogram, sizes: CountArray, others: Reference) -> FloatArray:
        work = self.work(hidden, sizes, others, self._kind(sizes, others))
        pairs = sizes.astype(float) * others.sizes * float(self.unit)
        far: FloatArray = work.astype(float) / np.maximum(pairs, 1.0)
        return far

    def are_within(
        self, hidden: Histogram, sizes: CountArray, others: Reference, bound: Fraction
    ) -> BoolArray:
        if self._kind(sizes, others) is np.int64:
            work = self.work(hidden, sizes, others, np.int64)
            return is_within(work, bound * self.unit, sizes * others.sizes)
        far = self.distances(hidden, sizes, others)
        good = far < float(bound)
        close = np.abs(far - float(bound)) <= _CLOSE * max(float(bound), self.furthest)
        if close.any():
            near, n = others.select(close), sizes[close]
            work = self.work(hidden.select(close), n, near, object)
            good[close] = is_within(work, bound * self.unit, n.astype(object) * near.sizes)
        return good

    def _kind(self, sizes: CountArray, others: Reference) -> type[np.int64 | np.float64]:
        return np.int64 if self.most * others.most(sizes) < WIDEST else np.float64


@define(eq=False, frozen=True)
class EqualGround(EarthMover):
    """Any two values are 1 apart: what one distribution has too much of is carried once.

    That is half the sum of all differences of shares, the *variational* distance.
    """

    @property
    def unit(self) -> int:
        return 1

    @property
    def most(self) -> int:
        return 1

    def work(
        self, hidden: Histogram, sizes: CountArray, others: Reference, dtype: DTypeLike
    ) -> Amounts:
        run = emd.surplus_of_any_size if dtype is object else emd.surplus
        rows, whole, totals = as_numbers(dtype, hidden, sizes, others)
        return run(*rows, whole, totals, others.which)


@define(eq=False, frozen=True)
class HierarchicalGround(EarthMover):
    """Two values are as far apart as their least common node is high, out of the root's height.

    Every node but the root is carried its surplus one level up, and from there down. The way
    between two values is as many levels up as down, so half the way is counted: the mean over the
    levels below the root of the distance with equal ground distance.
    """

    taxonomy: Taxonomy

    @property
    def unit(self) -> int:
        return max(self.taxonomy.height, 1)

    @property
    def most(self) -> int:
        return self.unit

    def work(
        self, hidden: Histogram, sizes: CountArray, others: Reference, dtype: DTypeLike
    ) -> Amounts:
        if self.taxonomy.height < 2:
            return EqualGround().work(hidden, sizes, others, dtype)
        run = emd.surplus_by_level_of_any_size if dtype is object else emd.surplus_by_level
        rows, whole, totals = as_numbers(dtype, hidden, sizes, others)
        levels = self.taxonomy.levels[:-1]
        there = np.zeros((len(levels), *whole.shape), dtype)
        for i, level in enumerate(levels):
            there[i, :, : level.n_nodes] = np.add.reduceat(whole, level.starts[:-1], axis=1)
        up = np.zeros((len(levels) - 1, self.taxonomy.n), np.int32)
        for i, (level, above) in enumerate(pairwise(levels)):
            up[i, : level.n_nodes] = above.blocks[level.starts[:-1]]
        return run(*rows, up, there, totals, others.which)


@define(eq=False, frozen=True)
class OrderedGround(EarthMover):
    """Two values are as far apart as their places in a row, out of the length of the row.

    Attributes
    ----------
    occurs
        For every code whether it has a place: whether it occurs in the table.
    missing
        The code that has no place in the row, and is as far from every other as its ends from each
        other; -1 if there is none.
    """

    occurs: BoolArray
    missing: int

    @property
    def unit(self) -> int:
        return max(int(self.occurs.sum()) - 1 - self._is_apart, 1)

    @property
    def most(self) -> int:
        return 2 * self.occurs.size + 2

    @property
    def _is_apart(self) -> bool:
        return self.missing >= 0 and bool(self.occurs[self.missing]) and self.occurs.sum() > 1

    def work(
        self, hidden: Histogram, sizes: CountArray, others: Reference, dtype: DTypeLike
    ) -> Amounts:
        rows, whole, totals = as_numbers(dtype, hidden, sizes, others)
        in_row = self.occurs.copy()
        if self._is_apart:
            in_row[self.missing] = False
        below = np.cumsum(whole[:, in_row], axis=1)
        area = np.cumsum(below, axis=1)
        area = np.append(np.zeros((len(whole), 1), dtype), area, axis=1)
        # Ranks are multiplied with amounts, so they must not be smaller numbers than these.
        ranks = (np.cumsum(self.occurs) - 1).astype(object if dtype is object else np.int64)
        starts = places = np.zeros(0, np.int64)
        if dtype is np.int64 and len(whole) == 1:
            is_there = np.zeros(_LARGEST + 1, bool)
            is_there[sizes[sizes <= _LARGEST]] = True
            starts, places = ordered_emd.meeting_places(is_there, below[0], int(totals[0]))
        arguments = (*rows, ranks, below, area, totals, others.which, starts, places)
        run, plain = ordered_emd.steps, ordered_emd.steps_of_any_size
        if self._is_apart:
            run, plain = (
                ordered_emd.steps_with_missing,
                ordered_emd.steps_with_missing_of_any_size,
            )
        return plain(*arguments) if dtype is object else run(*arguments)
