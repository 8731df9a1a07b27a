"""The finest groups, laid out so that every region is a stretch of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Self

import numpy as np
from attrs import define, field

from unlinkable.kernels.counting import add_up, merge_stretches
from unlinkable.kernels.splitting import ranges
from unlinkable.tables.groups import Groups, Histogram, Partition
from unlinkable.tables.taxonomies import Attribute
from unlinkable.typing import BoolArray, CodeArray, Columns, CountArray, FloatArray

__all__ = ["RegionLayout", "Regions", "interleave", "unseen"]


class Rows(NamedTuple):
    """Distinct records as kernels take them, see `unlinkable.kernels.splitting.splitting`."""

    keys: CodeArray
    sizes: CountArray
    order: CodeArray


class Axes(NamedTuple):
    """Columns as kernels take them, see `unlinkable.kernels.splitting.axes`."""

    scale: FloatArray
    plan: CountArray
    firsts: CodeArray


@define(eq=False, frozen=True)
class Regions:
    """Stretches of rows.

    Attributes
    ----------
    start, end
        The rows of each region.
    sizes
        Number of records of each.
    lo, hi
        The smallest box around each.
    last
        The last column on which each was cut in vain, -1 if none; cutting moves it on.
    """

    start: CountArray
    end: CountArray
    sizes: CountArray
    lo: CodeArray
    hi: CodeArray
    last: CodeArray

    def __len__(self) -> int:
        return self.start.size

    @property
    def n_rows(self) -> int:
        """Number of rows in all regions."""
        return int((self.end - self.start).sum())

    def select(self, mask: BoolArray | CountArray) -> Self:
        """Keep some of the regions."""
        return type(self)(
            self.start[mask],
            self.end[mask],
            self.sizes[mask],
            self.lo[mask],
            self.hi[mask],
            self.last[mask],
        )

    @classmethod
    def together(cls, parts: Sequence[Regions]) -> Self:
        """Put several collections of regions together."""
        return cls(
            np.concatenate([p.start for p in parts]),
            np.concatenate([p.end for p in parts]),
            np.concatenate([p.sizes for p in parts]),
            np.concatenate([p.lo for p in parts]),
            np.concatenate([p.hi for p in parts]),
            np.concatenate([p.last for p in parts]),
        )


@define(eq=False, frozen=True)
class RegionLayout:
    """The finest groups in the order of their regions, and the axes on which these are cut.

    Attributes
    ----------
    finest
        The distinct records with their counts, in their own order.
    rows
        The same, in the order of the regions. A search moves them about.
    axes
        How wide each column is, and where it may be cut.
    """

    finest: Groups
    rows: Rows
    axes: Axes
    _seen: dict[Columns, CountArray] = field(factory=dict)

    @classmethod
    def of(cls, finest: Groups, attributes: Sequence[Attribute], along: BoolArray) -> Self:
        """Lay out a table; the marked columns are cut along their taxonomies."""
        order = np.arange(len(finest), dtype=np.int32)
        keys = np.array(finest.keys, np.int32, order="C", copy=True)
        rows = Rows(keys, finest.sizes.copy(), order)
        return cls(finest, rows, _axes(keys, attributes, along))

    def whole(self) -> Regions:
        """Put all records into one region."""
        n = np.array([len(self.finest)])
        return self.regions(np.zeros(1, np.int64), n, np.array([self.finest.n_records]))

    def regions(self, start: CountArray, end: CountArray, sizes: CountArray) -> Regions:
        """Draw the smallest boxes around stretches of rows."""
        lo, hi = ranges(self.rows.keys, start, end)
        return Regions(start, end, sizes, lo, hi, np.full(start.size, -1, np.int32))

    def halves(self, regions: Regions, middle: CountArray, lower: CountArray) -> Regions:
        """Cut regions in two: the lower half of each, then its upper half."""
        return self.regions(
            interleave(regions.start, middle),
            interleave(middle, regions.end),
            interleave(lower, regions.sizes - lower),
        )

    def groups(self, start: CountArray, end: CountArray, sizes: CountArray) -> Groups:
        """Add up stretches of rows. The groups show nothing: nothing is published yet."""
        histograms = {
            columns: Histogram(
                *merge_stretches(
                    h.indptr, h.values, h.counts, self.rows.order, start, end, self.seen(columns)
                ),
                h.n_values,
                h.taxonomy,
                h.parts,
            )
            for columns, h in self.finest.histograms.items()
        }
        weights = add_up(self.finest.weights, self.rows.order, start, end)
        return unseen(self.finest, sizes, weights, histograms)

    def seen(self, columns: Columns) -> CountArray:
        """Give two zeros for every value of a hidden column, to count with and to wipe again."""
        if columns not in self._seen:
            self._seen[columns] = np.zeros(2 * self.finest.histograms[columns].n_values, np.int64)
        return self._seen[columns]

    def partition(self, regions: Regions) -> Partition:
        """Label the finest groups by their regions, which together hold all of them."""
        regions = regions.select(np.argsort(regions.start))
        labels = np.empty(len(self.finest), np.int32)
        numbers = np.arange(len(regions), dtype=np.int32)
        labels[self.rows.order] = np.repeat(numbers, regions.end - regions.start)
        return Partition(self.finest, labels, regions.lo, regions.hi)


def unseen(
    finest: Groups,
    sizes: CountArray,
    weights: FloatArray,
    histograms: Mapping[Columns, Histogram],
) -> Groups:
    """Make groups of a table that show nothing."""
    nothing = np.empty((sizes.size, 0), np.int32)
    return Groups(sizes, weights, histograms, finest.whole, (), nothing, finest.owner)


def interleave(one: CountArray, other: CountArray) -> CountArray:
    """Alternate between two lists of the same length."""
    return np.column_stack([one, other]).ravel()


def _axes(keys: CodeArray, attributes: Sequence[Attribute], along: BoolArray) -> Axes:
    taxonomies = [a.taxonomy for a in attributes]
    n_codes = np.array([t.n for t in taxonomies], np.int64)
    missing = np.array([t.domain.missing for t in taxonomies], np.int32)
    lo, hi = keys.min(axis=0), keys.max(axis=0) + 1
    shown = np.where((missing >= 0) & (hi == missing + 1) & (hi - lo > 1), n_codes, hi - lo)
    importance = np.array([a.importance for a in attributes])
    n_levels = np.array([t.height for t in taxonomies], np.int64)
    length = np.where(along, n_codes * n_levels, 0)
    begin = np.where(along, np.cumsum(length) - length, -1)
    followed = [t for t, is_followed in zip(taxonomies, along, strict=True) if is_followed]
    firsts = [level.lo for t in followed for level in t.levels[:-1]]
    return Axes(
        scale=importance / np.maximum(shown - 1, 1),
        plan=np.column_stack([missing, n_codes, n_levels, begin]).astype(np.int64),
        firsts=np.concatenate([np.empty(0, np.int32), *firsts]),
    )
