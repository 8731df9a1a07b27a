"""Values that a model may publish: common ones as they are, numbers between rare ones.

A model that hands on values of single people as they are gives these people away. Here a category
is published only if enough records have it; a number that few have is replaced by one that is drawn
between neighbours.
"""

from __future__ import annotations

from typing import Self

import numpy as np
from attrs import define
from numpy.typing import NDArray

from unlinkable.errors import DataError
from unlinkable.tables.data import Table, numbers_of, rounded
from unlinkable.tables.taxonomies import Domain, Kind
from unlinkable.typing import BoolArray, CountArray, FloatArray

__all__ = ["MadeUpValues"]

_MOST_BINS = 255
"""As many bins can be told apart beside missing values."""

_DAY = 86_400_000_000
"""Microseconds of a day."""


@define(eq=False, frozen=True)
class MadeUpValues:
    """One column of a table, as a model learns it and publishes it.

    Attributes
    ----------
    name, domain
        The column, and the values that it has.
    values
        What the records have: numbers (days for dates; not a number if missing), or the codes of
        categories, of which a missing value is one.
    donors
        Which records may hand on their value: none with a category that is rare, or with a rare
        number where all rare numbers together belong to too few.
    starts
        Where the bins begin in which values are told apart.
    rare
        The numbers that few records have, in their order; empty for categories.
    runs
        For each of them, where the neighbours begin and end between which numbers are drawn.
    """

    name: str
    domain: Domain
    values: FloatArray
    donors: BoolArray
    starts: FloatArray
    rare: FloatArray
    runs: NDArray[np.int64]

    @classmethod
    def of(cls, table: Table, name: str, common: int) -> Self:
        """Look at a column; what fewer than ``common`` records have is rare.

        Raises
        ------
        DataError
            If no record may hand on its value.
        """
        numbered = table.numbered(name)
        domain = numbered.observed.domain
        if domain.kind is Kind.CATEGORY:
            codes = numbered.codes[numbered.numbers]
            is_common = np.bincount(codes, minlength=domain.n) >= common
            if domain.has_missing:
                is_common[domain.missing] = True
            donors = is_common[codes]
            _refuse_none(name, donors, common)
            values, none = codes.astype(float), np.empty(0)
            return cls(name, domain, values, donors, _bins(values), none, np.empty((0, 2), int))
        values = numbers_of(table.frame, name)
        present = values[np.isfinite(values)]
        rare, runs = _runs(present, common)
        donors = np.ones(len(values), bool) if runs.any() else ~np.isin(values, rare)
        _refuse_none(name, donors, common)
        return cls(name, domain, values, donors, _bins(present), rare, runs)

    @property
    def is_category(self) -> bool:
        """Whether values are categories, and not numbers or dates."""
        return self.domain.kind is Kind.CATEGORY

    @property
    def n_distinct(self) -> int:
        """Number of different values."""
        return self.domain.n

    def bins(self, values: FloatArray) -> NDArray[np.uint8]:
        """Give the bin of every value; missing ones have a bin of their own, the last."""
        found = np.searchsorted(self.starts, values, side="right") - 1
        found = np.where(np.isnan(values), self.starts.size, np.maximum(found, 0))
        return found.astype(np.uint8)

    def scores(self) -> FloatArray:
        """Give numbers by their ranks from 0 to 1, and missing ones apart from them at -1."""
        is_there = np.isfinite(self.values)
        order = np.sort(self.values[is_there])
        low = np.searchsorted(order, self.values, side="left")
        high = np.searchsorted(order, self.values, side="right")
        return np.where(is_there, (low + high) / max(2 * order.size, 1), -1.0)

    def published(self, drawn: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Replace rare numbers by others, drawn between two neighbours of them."""
        if not self.rare.size:
            return drawn
        values = drawn.copy()
        at = np.minimum(np.searchsorted(self.rare, drawn), self.rare.size - 1)
        is_rare = self.rare[at] == drawn
        first, end = self.runs[at[is_rare]].T
        # Any two that follow each other, as likely as any other two, and any number between them.
        lower = first + (rng.random(first.size) * (end - first - 1)).astype(np.int64)
        share = rng.random(first.size)
        values[is_rare] = self.rare[lower] * (1 - share) + self.rare[lower + 1] * share
        values[is_rare] = rounded(values[is_rare], self.domain)
        return values

    def comparable(self, values: FloatArray) -> FloatArray:
        """Give numbers that are equal just if the published values are."""
        if self.domain.kind is Kind.DATE:
            values = np.rint(values * _DAY)
        return np.where(np.isnan(values), np.inf, values)


def _refuse_none(name: str, donors: BoolArray, common: int) -> None:
    if not donors.any():
        raise DataError(
            f"no value of column {name!r} is shared by {common} records, and rarer ones are not "
            "published: leave the column out, or ask for fewer in common"
        )


def _bins(present: FloatArray) -> FloatArray:
    """Find where up to 255 bins begin that hold about equally many records."""
    distinct, counts = np.unique(present, return_counts=True)
    if distinct.size <= _MOST_BINS:
        return distinct
    bin_of = (np.cumsum(counts) - counts) * _MOST_BINS // present.size
    return distinct[np.diff(bin_of, prepend=-1) > 0]


def _runs(present: FloatArray, common: int) -> tuple[FloatArray, CountArray]:
    """Find the rare numbers, and for each the stretch of them that enough records share.

    A number with b records before it is in stretch b // (2 common - 2). As no number has more than
    ``common - 1`` records, so many are missing at the lower end of a stretch at most, but one, and
    each has at least ``common``; what is left over at the upper end joins the last.
    """
    distinct, counts = np.unique(present, return_counts=True)
    rare, n_of = distinct[counts < common], counts[counts < common]
    n_records = int(n_of.sum())
    if n_records < common:
        return rare, np.zeros((rare.size, 2), np.int64)
    stretch = (np.cumsum(n_of) - n_of) // (2 * common - 2)
    n_stretches = int(stretch[-1]) + 1
    if n_of[stretch == stretch[-1]].sum() < common:
        stretch = np.minimum(stretch, n_stretches - 2)
    edges = np.append(np.flatnonzero(np.diff(stretch, prepend=-1)), rare.size)
    return rare, np.column_stack([edges[stretch], edges[stretch + 1]])
