"""Bucketized: a release that tells sensitive values for whole buckets of records."""

from __future__ import annotations

from typing import ClassVar, Self

import numpy as np
from attrs import define, field

from unlinkable.errors import DataError, UnsupportedError
from unlinkable.kernels.counting import tallies
from unlinkable.tables.data import COUNT, Frame, Table, codes_of, numbers_of
from unlinkable.tables.groups import Histogram
from unlinkable.tables.metrics.base.published import Published
from unlinkable.tables.taxonomies import number
from unlinkable.typing import CodeArray, Columns, CountArray

__all__ = ["Bucketized"]


@define(eq=False, frozen=True, slots=False)
class Bucketized(Published):
    """Values are as they were, but which sensitive value of a bucket belongs to whom is not told.

    Attributes
    ----------
    buckets
        The bucket of each published record.
    hidden
        The sensitive values of each bucket with their counts, by column.
    """

    kind: ClassVar[str] = "bucketized"

    buckets: CodeArray = field(repr=False)
    hidden: dict[str, Histogram] = field(repr=False)

    @classmethod
    def of(
        cls,
        original: Table,
        frame: Frame,
        hidden: Frame,
        column: str,
        rows: CountArray | None = None,
    ) -> Self:
        """Take two published tables: records, and what buckets of them hide.

        Parameters
        ----------
        original
            The records before.
        frame
            The published records.
        hidden
            The column with the bucket, hidden columns, and ``count``, how many records of the
            bucket have these values.
        column
            The column of both that tells the bucket.
        rows
            Which original record each published one is, if that is known.

        Raises
        ------
        DataError
            If the tables do not fit together, or hide values that the original does not have.
        """
        numbered = number(frame.get_column(column))
        domain = numbered.observed.domain
        buckets = numbered.codes[numbered.numbers]
        at = codes_of(hidden, column, domain)
        counts = numbers_of(hidden, COUNT).astype(np.int64)
        told = tallies.sum_by_label(counts, at, domain.n)
        if (at < 0).any() or not np.array_equal(told, tallies.count(buckets, domain.n)):
            raise DataError("the buckets do not have as many hidden values as records")
        names = [name for name in hidden.columns if name not in (column, COUNT)]
        counted = {name: _told_by(original, hidden, name, at, counts, domain.n) for name in names}
        return cls(original, frame, rows, buckets, counted)

    @property
    def columns(self) -> Columns:
        """The columns whose values are told record by record."""
        return tuple(name for name in super().columns if name not in self.hidden)

    def ranges(self, name: str) -> tuple[CodeArray, CodeArray]:
        if name in self.hidden:
            raise UnsupportedError(f"column {name!r} is told for whole buckets, not for records")
        return self._as_published(name)


def _told_by(
    original: Table, hidden: Frame, name: str, at: CodeArray, counts: CountArray, n_buckets: int
) -> Histogram:
    """Read how often each value of a hidden column occurs in each bucket."""
    taxonomy = original.taxonomy(name)
    codes = codes_of(hidden, name, taxonomy.domain)
    if (codes < 0).any():
        raise DataError(f"the buckets hide values of {name!r} that the original does not have")
    each = np.arange(codes.size + 1)
    merged = tallies.merge_tallies(each, codes, counts, at, n_buckets, taxonomy.n)
    return Histogram(*merged, taxonomy.n, taxonomy)
