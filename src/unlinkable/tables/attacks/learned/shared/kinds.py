"""Kinds: people of whom the same is known, and what the records hide that could be theirs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self, TypeAlias

import numpy as np
from attrs import frozen

from unlinkable.kernels.counting import count
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.shared.matching import match
from unlinkable.tables.data import SideTable
from unlinkable.tables.groups import number_rows
from unlinkable.tables.taxonomies import Domain
from unlinkable.typing import BoolArray, CodeArray, Columns, CountArray, FloatArray

__all__ = ["Hidden", "Kinds", "Masses"]

Masses: TypeAlias = tuple[CountArray, CodeArray, FloatArray]
"""CSR: how much of each value every row hides."""


@frozen(eq=False)
class Kinds:
    """People, and the published records that could be theirs.

    Attributes
    ----------
    columns
        What is known of people.
    kind, first, sizes
        The kind of every person; of every kind the first person and the number of people.
    look, n_looks
        What each published record shows, as a number, and how many there are of these.
    n_records
        By kind, the published records that could be theirs.
    people
        The list; None if the people are those of the published records.
    """

    columns: Columns
    kind: CodeArray
    first: CountArray
    sizes: CountArray
    look: CodeArray
    n_looks: int
    n_records: CountArray
    people: SideTable | None
    _chunks: tuple[tuple[CountArray, CountArray, CodeArray], ...]

    @classmethod
    def of_list(cls, target: Target, people: SideTable, columns: Columns | None) -> Self:
        """Look for the people of a list among the records of a release."""
        found = match(target, people, columns)
        return cls(
            found.columns,
            found.kind,
            found.first,
            found.kind_sizes,
            found.look,
            found.look_sizes.size,
            found.n_records(),
            people,
            tuple(found.chunks()),
        )

    @classmethod
    def of_release(cls, target: Target) -> Self:
        """Take published records for the people that they are about."""
        counted = target.looks()
        look, n = counted.labels, len(counted.finest)
        first = np.full(n, len(look), np.int64)
        np.minimum.at(first, look, np.arange(len(look)))
        all_looks = np.arange(n)
        chunk = (all_looks, np.arange(n + 1), all_looks.astype(np.int32))
        sizes = counted.finest.sizes
        return cls(target.quasi, look, first, sizes, look, n, sizes, None, (chunk,))

    def __len__(self) -> int:
        return self.first.size

    def chunks(self) -> Iterator[tuple[CountArray, CountArray, CodeArray]]:
        """Give the looks of some kinds after the other: kinds, and indptr and looks."""
        yield from self._chunks


@frozen(eq=False)
class Hidden:
    """What published records hide on a column.

    Attributes
    ----------
    column, domain
        The column, and its values.
    values
        The code that stands beside each record.
    bucket
        The bucket of each record, if what is hidden is told for whole buckets.
    """

    column: str
    domain: Domain
    values: CodeArray
    bucket: CodeArray | None

    @classmethod
    def of(cls, target: Target, column: str) -> Self:
        """Read a sensitive column of a release."""
        table = target.table(target.alike, [column])
        domain = table.taxonomy(column).domain
        bucket = None if target.bucket is None else table.codes(target.bucket)
        return cls(column, domain, table.codes(column), bucket)

    def masses(self, labels: CodeArray, n_labels: int, rows: BoolArray | None = None) -> Masses:
        """Add up what the records with each label hide; of some records only if ``rows`` says so.

        Of a record in a bucket each value of the bucket is believed with its share there.
        """
        values, bucket = self.values, self.bucket
        if rows is not None:
            labels, values = labels[rows], values[rows]
            bucket = None if bucket is None else bucket[rows]
        if bucket is None:
            return _sum_up(labels, values, np.ones(values.size), n_labels, self.domain.n)
        n_buckets = int(self.bucket.max(initial=-1)) + 1 if self.bucket is not None else 0
        inside = _sum_up(bucket, values, np.ones(values.size), n_buckets, self.domain.n)
        sizes = count(bucket, n_buckets)
        pairs, first = number_rows(np.column_stack([labels, bucket]))
        n_pairs = count(pairs, first.size)
        entries, at = _expand(inside[0], bucket[first])
        amounts = n_pairs[at] * inside[2][entries] / sizes[bucket[first][at]]
        of_pair = labels[first][at]
        return _sum_up(of_pair, inside[1][entries], amounts, n_labels, self.domain.n)


def _sum_up(
    rows: CodeArray, values: CodeArray, amounts: FloatArray, n_rows: int, n_values: int
) -> Masses:
    """Add up amounts by row and value."""
    keys = rows.astype(np.int64) * max(n_values, 1) + values
    distinct, which = np.unique(keys, return_inverse=True)
    masses = np.bincount(which, amounts, distinct.size).astype(float)
    of_row = distinct // max(n_values, 1)
    indptr = np.searchsorted(of_row, np.arange(n_rows + 1)).astype(np.int64)
    of_value: CodeArray = (distinct % max(n_values, 1)).astype(np.int32)
    return indptr, of_value, masses


def _expand(indptr: CountArray, rows: CodeArray) -> tuple[CountArray, CountArray]:
    """List the entries of some CSR rows one after the other, and which of the rows each is of."""
    lengths = np.diff(indptr)[rows]
    which = np.repeat(np.arange(rows.size), lengths)
    before = np.cumsum(lengths) - lengths
    return np.arange(which.size) - before[which] + indptr[rows][which], which
