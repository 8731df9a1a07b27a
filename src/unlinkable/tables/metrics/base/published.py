"""Published: a release beside the table that it was made from, by the kind of what was done.

Metrics that compare a release with its original read nothing else. Each kind of release says what a
record shows on a column: a range of codes, or an interval of numbers.
"""

from __future__ import annotations

import abc
from collections.abc import Iterable
from typing import ClassVar, Self

import numpy as np
from attrs import define, field

from unlinkable.errors import DataError, SchemaError, UnsupportedError, unknown
from unlinkable.kernels.counting import tallies
from unlinkable.tables.data import (
    COUNT,
    Frame,
    Role,
    Table,
    codes_of,
    keep_rows,
    numbers_of,
    texts_of,
)
from unlinkable.tables.groups import Histogram, Partition
from unlinkable.tables.metrics.base.shown import Shown
from unlinkable.tables.taxonomies import Domain, Kind, number, read_ranges
from unlinkable.typing import CodeArray, Columns, CountArray, FloatArray

__all__ = [
    "Bucketized",
    "Generalized",
    "Perturbed",
    "Published",
    "chosen_columns",
    "known_rows",
    "numbers_before",
    "spans_of",
]

_TELLS_NOTHING = {Role.IDENTIFIER, Role.OWNER, Role.GUARD, Role.WEIGHT}


@define(eq=False, frozen=True, slots=False)
class Published(abc.ABC):
    """A release beside the table that it was made from.

    Attributes
    ----------
    original
        The records before, with the roles and taxonomies of their columns.
    frame
        The published records.
    rows
        Which original record each published one is; None if that is not known.
    """

    kind: ClassVar[str]
    """What was done to the values, as an adjective."""

    original: Table = field(repr=False)
    frame: Frame = field(repr=False)
    rows: CountArray | None = field(repr=False)

    @property
    def n_records(self) -> int:
        """Number of published records."""
        return self.frame.height

    @property
    def columns(self) -> Columns:
        """The columns of both that tell something about people other than who they are."""
        schema, there = self.original.schema, set(self.frame.columns)
        names = (n for n in self.original.frame.columns if schema[n].role not in _TELLS_NOTHING)
        return tuple(n for n in names if n in there)

    @property
    def quasi(self) -> Columns:
        """The quasi-identifying columns."""
        return self.original.schema.quasi

    def target(self, asked: str | None) -> str:
        """Find the column that is to be predicted from the others.

        Raises
        ------
        SchemaError
            If there is none, several, or the one that was asked for was not published.
        """
        schema = self.original.schema
        known = schema.with_role(Role.TARGET) or schema.sensitive
        if asked is None and len(known) != 1:
            there = f"there are {', '.join(known)}" if known else "no column has the role target"
            raise SchemaError(f"say which column is to be told from the others: {there}")
        name = known[0] if asked is None else asked
        if name not in self.columns:
            raise SchemaError(unknown("published column", name, self.columns))
        return name

    def is_ordered(self, name: str) -> bool:
        """Whether a column holds numbers or dates."""
        return self.original.taxonomy(name).domain.kind is not Kind.CATEGORY

    @abc.abstractmethod
    def ranges(self, name: str) -> tuple[CodeArray, CodeArray]:
        """Give the codes ``[lo, hi)`` of the original that each published record shows."""

    def spans(self, name: str) -> tuple[FloatArray, FloatArray]:
        """Give the least and the greatest number that each published record shows.

        Dates are days. What shows nothing shows all numbers; a missing value is not a number.

        Raises
        ------
        UnsupportedError
            If the column holds neither numbers nor dates.
        """
        self._require_numbers(name)
        return spans_of(self.original.taxonomy(name).domain, *self.ranges(name))

    def codes(self, name: str) -> CodeArray:
        """Give the codes of a column that is published as it was.

        Raises
        ------
        UnsupportedError
            If values of it were generalized.
        """
        lo, hi = self.ranges(name)
        if (hi - lo != 1).any():
            raise UnsupportedError(f"column {name!r} was generalized: its values are not known")
        return lo

    def _require_numbers(self, name: str) -> None:
        if not self.is_ordered(name):
            raise UnsupportedError(f"column {name!r} holds neither numbers nor dates")

    def _as_published(self, name: str) -> tuple[CodeArray, CodeArray]:
        """Read a column whose values are values of the original."""
        if self.rows is not None:
            codes = self.original.codes(name)[self.rows]
        else:
            domain = self.original.taxonomy(name).domain
            codes = codes_of(self.frame, name, domain)
        if (codes < 0).any():
            raise UnsupportedError(
                f"column {name!r} shows values that the original does not have: was it perturbed?"
            )
        return codes, codes + np.int32(1)


@define(eq=False, frozen=True, slots=False)
class Generalized(Published):
    """Values were replaced by ranges that cover them, and suppressed records.

    Attributes
    ----------
    shown
        What the groups of records show.
    labels
        The group of each published record.
    """

    kind: ClassVar[str] = "generalized"

    shown: Shown = field(repr=False)
    labels: CodeArray = field(repr=False)

    @classmethod
    def of(
        cls, original: Table, partition: Partition, finest: CodeArray, frame: Frame | None = None
    ) -> Self:
        """Take the records of a table as a partition shows them.

        ``finest`` tells the finest group of each original record, and ``frame`` what was published;
        without it, all columns are taken for published.
        """
        parts = partition.labels[finest]
        rows = np.flatnonzero(parts >= 0)
        published = keep_rows(original.frame, rows) if frame is None else frame
        shown = Shown.of(partition, original.attributes)
        return cls(original, published, rows, shown, parts[rows])

    def ranges(self, name: str) -> tuple[CodeArray, CodeArray]:
        if name not in self.quasi:
            return self._as_published(name)
        j = self.quasi.index(name)
        return self.shown.lo[self.labels, j], self.shown.hi[self.labels, j]


@define(eq=False, frozen=True, slots=False)
class Perturbed(Published):
    """Values were replaced by others: by noise, by swapping, or by records that nobody has.

    Attributes
    ----------
    weights
        How many people each published record stands for; None if for one each. Noisy counts may be
        fractions, and negative.
    """

    kind: ClassVar[str] = "perturbed"

    weights: FloatArray | None = field(default=None, repr=False)

    def ranges(self, name: str) -> tuple[CodeArray, CodeArray]:
        taxonomy = self.original.taxonomy(name)
        codes = codes_of(self.frame, name, taxonomy.domain)
        if (codes >= 0).all():
            return codes, codes + np.int32(1)
        try:
            # Some methods generalize values before or after they replace others.
            return read_ranges(taxonomy, texts_of(self.frame, name), column=name, may_skip=True)
        except DataError:
            raise UnsupportedError(
                f"column {name!r} shows values that the original does not have: they have no codes"
            ) from None

    def spans(self, name: str) -> tuple[FloatArray, FloatArray]:
        self._require_numbers(name)
        try:
            numbers = numbers_of(self.frame, name)
        except DataError:
            return super().spans(name)
        return numbers, numbers


def spans_of(domain: Domain, lo: CodeArray, hi: CodeArray) -> tuple[FloatArray, FloatArray]:
    """Give the least and the greatest number of ranges of codes; a missing value is not a number.

    Examples
    --------
    >>> ages = Domain(Kind.NUMBER, np.array([17, 20, 65]), has_missing=True)
    >>> least, greatest = spans_of(ages, np.array([0, 1, 3]), np.array([4, 2, 4]))
    >>> least.tolist(), greatest.tolist()
    ([17.0, 20.0, nan], [65.0, 20.0, nan])
    """
    numbers = np.append(domain.as_numbers(), np.nan)
    # A range that ends with the missing value is the root: it shows all numbers before it.
    last = np.where(hi - lo > 1, np.minimum(hi, domain.n_present), hi)
    return numbers[lo], numbers[np.minimum(last, domain.n_present + 1) - 1]


@define(eq=False, frozen=True, slots=False)
class Bucketized(Published):
    """Values are as they were; the sensitive values of a bucket are not assigned to its records.

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
        """The columns whose values are published record by record."""
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


def known_rows(metric: object, published: Published) -> CountArray:
    """Give the original record of each published one.

    Raises
    ------
    UnsupportedError
        If that is not known, or nothing was published.
    """
    if published.rows is None:
        raise UnsupportedError(
            f"{metric} compares each published record with its original, and which one that is is "
            "not known here"
        )
    if not published.rows.size:
        raise UnsupportedError(f"{metric} compares records, and none was published")
    return published.rows


def chosen_columns(
    published: Published, asked: Columns | None, besides: Iterable[str] = ()
) -> Columns:
    """Name the columns that are compared: those asked for, or all but target and ``besides``.

    Raises
    ------
    SchemaError
        If one that is asked for was not published.
    """
    for name in asked or ():
        if name not in published.columns:
            raise SchemaError(unknown("published column", name, published.columns))
    without = {*besides, *published.original.schema.with_role(Role.TARGET)}
    named = asked or tuple(name for name in published.columns if name not in without)
    return tuple(dict.fromkeys(named))


def numbers_before(original: Table, name: str) -> FloatArray:
    """Give a column of the original as numbers, dates as days; a missing value is not a number."""
    numbers = np.append(original.taxonomy(name).domain.as_numbers(), np.nan)
    return numbers[original.codes(name)]
