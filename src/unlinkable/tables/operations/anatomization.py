"""Anatomization: records as they are in one table, what buckets of them hide in another.

Nothing is generalized: recipients see what everybody shows, and for every bucket of records which
hidden values it has, and how often each. What they do not see is which of these belongs to whom
[1]_, [2]_.

References
----------
.. [1] X. Xiao, Y. Tao. "Anatomy: simple and effective privacy preservation." VLDB 2006.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 3.2, Example 3.1.
"""

from __future__ import annotations

from typing import ClassVar, Self

import numpy as np
from attrs import define, evolve, field, frozen

from unlinkable.errors import ParameterError, SchemaError, unknown
from unlinkable.kernels.buckets import order_by_label
from unlinkable.kernels.counting import tally
from unlinkable.params import as_columns
from unlinkable.tables.data import (
    COUNT,
    Frame,
    Schema,
    Table,
    free_name,
    keep_rows,
    publishable_columns,
    with_column,
)
from unlinkable.tables.groups import RowNumbers
from unlinkable.tables.operations.base.operation import Operation
from unlinkable.typing import CodeArray, Columns, CountArray

__all__ = ["Anatomization", "Anatomy", "bound_to_sensitive", "checked_parts"]


@define(eq=False, frozen=True)
class Anatomy:
    """The two tables that are published for one.

    Attributes
    ----------
    frame
        The records without what they hide, and the bucket of each.
    hidden
        The bucket, the hidden values together, and ``count``, how many records of it have them.
    column
        The column of both with the bucket.
    rows
        Which original record each published one is. It stays with the holder.
    """

    frame: Frame
    hidden: Frame
    column: str
    rows: CountArray


@frozen
class Anatomization(Operation):
    """Sensitive values are told for whole buckets of records, and everything else as it was.

    Parameters
    ----------
    sensitive
        The columns to hide, together; all sensitive ones if not given.

    Guarantees
    ----------
    All that is published is true. Of a record, recipients learn the bucket, and of the bucket how
    often it has which values; they learn nothing else. For that, nothing may depend on which record
    of a bucket has which value. So buckets are numbered by chance, records are sorted by bucket and
    come in a random order within it (a table that was sorted by disease would otherwise still be),
    and hidden values are sorted by bucket and by their own order. What the values of a bucket must
    be like is for a promise to say, and any about sensitive values alone can be kept in this way.

    That somebody is in the table, and in which record, is not hidden at all.

    Examples
    --------
    >>> from unlinkable.tables.data import as_table
    >>> ward = as_table({"age": [30, 32, 36, 38], "ill": ["flu", "hiv", "flu", "flu"]},
    ...     quasi="age", sensitive="ill")
    >>> buckets = np.array([0, 0, 1, 1], np.int32)
    >>> anatomy = Anatomization().bind(ward.schema).apply(ward, buckets, np.random.default_rng(0))
    >>> anatomy.frame.rows()
    [(30, 1), (32, 1), (36, 2), (38, 2)]
    >>> anatomy.hidden.rows()
    [(1, 'flu', 1), (1, 'hiv', 1), (2, 'flu', 2)]
    """

    name: ClassVar[str] = "anatomization"
    reference: ClassVar[str] = "Xiao and Tao 2006"
    truthful: ClassVar[bool] = True

    sensitive: Columns | None = field(default=None, converter=as_columns)

    def bind(self, schema: Schema) -> Self:
        """Take the sensitive columns if none were named.

        Raises
        ------
        SchemaError
            If there is no such column.
        """
        return evolve(self, sensitive=bound_to_sensitive(self, self.sensitive, schema))

    def apply(self, table: Table, buckets: CodeArray, rng: np.random.Generator) -> Anatomy:
        """Take a table apart.

        Parameters
        ----------
        table
            The records.
        buckets
            The bucket of each record; -1 if it is left out.
        rng
            Where the order of buckets and records comes from.

        Raises
        ------
        SchemaError
            If there is no such column, or a hidden one is called like the counts.
        ParameterError
            If there is not a bucket for every record.
        """
        names = bound_to_sensitive(self, self.sensitive, table.schema)
        if COUNT in names:
            raise SchemaError(
                f"column {COUNT!r} cannot be hidden in buckets, because that is what their numbers "
                "of records are called: give it another name"
            )
        checked_parts(table, buckets)
        n_buckets = int(buckets.max(initial=-1)) + 1
        labels = numbered_by_chance(buckets, n_buckets, rng)
        rows, starts = order_by_label(rng.permutation(len(table)), labels, n_buckets)
        shown = [name for name in publishable_columns(table) if name not in names]
        column = free_name("group", [*table.frame.columns, COUNT])
        frame = with_column(
            keep_rows(table.frame.select(shown), rows),
            column,
            np.repeat(np.arange(1, n_buckets + 1), np.diff(starts)),
        )
        return Anatomy(frame, _hidden(table, names, labels, n_buckets, column), column, rows)


def numbered_by_chance(labels: CodeArray, n: int, rng: np.random.Generator) -> CodeArray:
    """Number parts anew, those that have records first, in an order that says nothing of them."""
    occurs = np.zeros(n, bool)
    occurs[labels[labels >= 0]] = True
    numbers = np.full(n + 1, -1, np.int32)
    numbers[:-1][occurs] = rng.permutation(int(occurs.sum()))
    return numbers[labels]


def bound_to_sensitive(operation: Operation, asked: Columns | None, schema: Schema) -> Columns:
    """Name the columns that are to be hidden: those asked for, or all that are sensitive.

    Raises
    ------
    SchemaError
        If there is none, or one that was asked for is not there.
    """
    for name in asked or ():
        if name not in schema.names:
            raise SchemaError(f"{unknown('column', name, schema.names)} for {operation}")
    names = schema.sensitive if asked is None else asked
    if not names:
        raise SchemaError(f"{operation} needs a sensitive column, and the table has none")
    return names


def checked_parts(table: Table, parts: CodeArray) -> None:
    """Refuse parts that are not those of the records of a table.

    Raises
    ------
    ParameterError
        If there is not one for every record.
    """
    if parts.shape != (len(table),):
        raise ParameterError(f"{len(table)} records need as many parts, got {parts.size}")


def _hidden(table: Table, names: Columns, labels: CodeArray, n_buckets: int, column: str) -> Frame:
    """Count the hidden values of each bucket, sorted by bucket and by their own order."""
    codes, first = _joint(table, names)
    indptr, values, counts = tally(labels, codes, n_buckets, first.size)
    frame = keep_rows(table.frame.select(names), first[values])
    bucket = np.repeat(np.arange(1, n_buckets + 1), np.diff(indptr))
    told = with_column(with_column(frame, column, bucket), COUNT, counts)
    return told.select(column, *names, COUNT)


def _joint(table: Table, names: Columns) -> tuple[CodeArray, CountArray]:
    """Number the combinations of hidden values in their own order, and say where each is."""
    rows = RowNumbers(len(table))
    for name in names:
        rows.add(table.codes(name), table.taxonomy(name).n)
    codes, first = rows.finish()
    order = np.lexsort([table.codes(name)[first] for name in reversed(names)])
    rank = np.empty(first.size, np.int32)
    rank[order] = np.arange(first.size)
    return rank[codes], first[order]
