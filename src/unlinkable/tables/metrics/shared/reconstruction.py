"""Reconstruction: how often values are thought to go together, beside how often they do.

A recipient who wants to know how many people of a kind have a sensitive value cannot look it up in
a release. They take the records of a group for interchangeable, and spreads the sensitive values of
the group evenly over what its records may be.
"""

from __future__ import annotations

from typing import Self

import numpy as np
from attrs import define

from unlinkable.errors import UnsupportedError
from unlinkable.kernels.counting import count, tally
from unlinkable.kernels.queries import spread_over_members
from unlinkable.tables.data import codes_of
from unlinkable.tables.groups import RowNumbers
from unlinkable.tables.metrics.base.published import (
    Bucketized,
    Generalized,
    Perturbed,
    numbers_before,
)
from unlinkable.tables.metrics.shared.blocks import density_at
from unlinkable.typing import CodeArray, Columns, CountArray, FloatArray

__all__ = ["Reconstruction", "cells_of_column"]


@define(eq=False, frozen=True)
class Reconstruction:
    """Number of records with each sensitive value in each cell, and what recipients make of it.

    A cell is a combination of values. Only what occurs has an entry: recipients also expect records
    where there are none.

    Attributes
    ----------
    cells, values
        The number of the cell, and the code of the sensitive value.
    actual
        Number of records in the cell that have the value.
    estimated
        Number of records that a recipient expects there.
    """

    cells: CodeArray
    values: CodeArray
    actual: CountArray
    estimated: FloatArray

    @classmethod
    def from_boxes(cls, published: Generalized, columns: Columns, sensitive: str | None) -> Self:
        """Spread the records of a generalized release evenly over the values that they may have.

        Without a sensitive column, the records themselves are counted.
        """
        codes, hidden = _originals(published, columns, sensitive)
        cells, points = _number(codes, published, columns)
        n_values = _n_values(published, sensitive)
        ranges = [published.ranges(name) for name in columns]
        boxes = RowNumbers(published.n_records)
        for name, (lo, hi) in zip(columns, ranges, strict=True):
            n = published.original.taxonomy(name).n
            boxes.add(lo, n)
            boxes.add(hi, n + 1)
        labels, first = boxes.finish()
        lows = np.column_stack([lo[first] for lo, _ in ranges])
        highs = np.column_stack([hi[first] for _, hi in ranges])
        told = np.zeros_like(labels) if sensitive is None else published.codes(sensitive)
        indptr, held, counts = tally(labels, told, first.size, n_values)
        starts, wanted, actual = tally(cells, hidden, len(points), n_values)
        rows, boxes_of = _rows(starts), _rows(indptr)
        # A value is one more column, on which every box is as narrow as can be.
        each = counts / np.prod(highs - lows, axis=1, dtype=float)[boxes_of]
        estimated = density_at(
            np.column_stack([lows[boxes_of], held]),
            np.column_stack([highs[boxes_of], held + np.int32(1)]),
            each,
            np.column_stack([points[rows], wanted]),
        )
        return cls(rows, wanted, actual, estimated)

    @classmethod
    def from_buckets(cls, published: Bucketized, columns: Columns, sensitive: str) -> Self:
        """Spread the sensitive values of every bucket evenly over its records."""
        codes, hidden = _originals(published, columns, sensitive)
        n = hidden.size
        # Cells of the original and of the release are numbered together.
        shown = [
            np.concatenate([before, published.codes(name)])
            for name, before in zip(columns, codes, strict=True)
        ]
        cells, points = _number(shown, published, columns)
        held = published.hidden[sensitive]
        sizes = count(published.buckets, held.n_groups)
        indptr, groups, members = tally(cells[n:], published.buckets, len(points), held.n_groups)
        shares = members / sizes[groups]
        starts, wanted, actual = tally(cells[:n], hidden, len(points), held.n_values)
        rows = (held.indptr, held.values, held.counts)
        estimated = spread_over_members(indptr, groups, shares, *rows, starts, wanted)
        return cls(_rows(starts), wanted, actual, estimated)

    def surprise(self) -> FloatArray:
        """State by what factor each count is off, as a logarithm to base 2."""
        with np.errstate(divide="ignore"):
            return np.log2(self.actual) - np.log2(self.estimated)

    @property
    def error(self) -> float:
        """The Kullback-Leibler divergence of all counts, in bits: the mean over all records."""
        return max(float(self.actual @ self.surprise()) / int(self.actual.sum()), 0.0)

    @property
    def by_value(self) -> FloatArray:
        """The divergence of the cells of every sensitive value, in bits; nan if it does not occur.

        The error of all counts is their mean, weighted by how often each value occurs.
        """
        occurs = np.bincount(self.values, self.actual)
        total = np.bincount(self.values, self.actual * self.surprise())
        with np.errstate(invalid="ignore"):
            return np.maximum(total / occurs, 0.0)


def cells_of_column(
    published: Perturbed, name: str, n_bins: int
) -> tuple[CodeArray, CodeArray, int]:
    """Number the values of a column before and after, and tell how many numbers there are.

    Numbers and dates go into intervals with about as many original records each, the first and the
    last of which have no end; a missing value has a cell of its own. Categories that the original
    does not have share the last cell.
    """
    original = published.original
    if not published.is_ordered(name):
        domain = original.taxonomy(name).domain
        after = codes_of(published.frame, name, domain)
        return original.codes(name), np.where(after < 0, np.int32(domain.n), after), domain.n + 1
    before, (shown, _) = numbers_before(original, name), published.spans(name)
    known = before[np.isfinite(before)]
    shares = np.arange(1, n_bins) / n_bins
    edges = np.unique(np.quantile(known, shares, method="lower")) if known.size else known
    missing = edges.size + 1
    cells = [
        np.where(np.isfinite(numbers), np.searchsorted(edges, numbers, side="right"), missing)
        for numbers in (before, shown)
    ]
    return cells[0].astype(np.int32), cells[1].astype(np.int32), missing + 1


def _originals(
    published: Generalized | Bucketized, columns: Columns, sensitive: str | None
) -> tuple[list[CodeArray], CodeArray]:
    """Give the original values of the published records, of the cells and of what is hidden."""
    original, rows = published.original, published.rows
    if rows is None and published.n_records < len(original):
        raise UnsupportedError(
            f"the release has {published.n_records} of {len(original)} records, and which of them "
            "is not known here: there is nothing to compare it with"
        )
    kept = np.arange(len(original)) if rows is None else rows
    if not kept.size:
        raise UnsupportedError("nothing was published: there is nothing to reconstruct")
    codes = [original.codes(name)[kept] for name in columns]
    if sensitive is None:
        return codes, np.zeros(kept.size, np.int32)
    return codes, original.codes(sensitive)[kept]


def _n_values(published: Generalized, sensitive: str | None) -> int:
    return 1 if sensitive is None else published.original.taxonomy(sensitive).n


def _number(
    codes: list[CodeArray], published: Generalized | Bucketized, columns: Columns
) -> tuple[CodeArray, CodeArray]:
    """Number the cells of records, and give the codes of each cell."""
    numbers = RowNumbers(codes[0].size)
    for name, column in zip(columns, codes, strict=True):
        numbers.add(column, published.original.taxonomy(name).n)
    labels, first = numbers.finish()
    return labels, np.column_stack([column[first] for column in codes])


def _rows(starts: CountArray) -> CodeArray:
    return np.repeat(np.arange(starts.size - 1, dtype=np.int32), np.diff(starts))
