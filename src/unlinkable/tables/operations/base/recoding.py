"""Recoding: what every record of a table shows after something was done to it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Self

import numpy as np
from attrs import define, evolve

from unlinkable.errors import DataError, ParameterError, SchemaError, in_short, unknown
from unlinkable.tables.data import Table, table_of, texts_of
from unlinkable.tables.data.reading import to_frame
from unlinkable.tables.groups import number_rows
from unlinkable.tables.taxonomies import Taxonomy, read_range, write_ranges
from unlinkable.typing import BoolArray, CodeArray, Columns

if TYPE_CHECKING:
    from unlinkable.tables.operations.base.operation import Scheme

__all__ = ["Recoding", "recode"]


@define(eq=False, frozen=True)
class Recoding:
    """For every record and column the value that it has, and the range of values that it shows.

    Attributes
    ----------
    columns, taxonomies
        The quasi-identifying columns.
    codes
        The value of each record on each column.
    lo, hi
        ``[lo, hi)`` is what it shows.
    kept
        Which records are still there.

    Examples
    --------
    >>> from unlinkable.tables.data import as_table
    >>> people = as_table({"job": ["cook", "clerk"]}, quasi="job")
    >>> Recoding.of(people).texts("job")
    ['cook', 'clerk']
    """

    columns: Columns
    taxonomies: tuple[Taxonomy, ...]
    codes: CodeArray
    lo: CodeArray
    hi: CodeArray
    kept: BoolArray

    @classmethod
    def of(cls, table: Table) -> Self:
        """Take the records of a table as they are."""
        columns = table.schema.quasi
        taxonomies = tuple(table.taxonomy(name) for name in columns)
        coded = [
            table.numbered(name).codes_in(taxonomy)[table.numbered(name).numbers]
            for name, taxonomy in zip(columns, taxonomies, strict=True)
        ]
        codes = np.column_stack(coded) if coded else np.empty((len(table), 0), np.int32)
        return cls(columns, taxonomies, codes, codes, codes + 1, np.ones(len(table), bool))

    @classmethod
    def read(cls, table: Table, shown: object) -> Self:
        """Take what records of a table show from published texts, row by row.

        Raises
        ------
        DataError
            If a text is no value of its column's taxonomy, or there are not as many records.
        """
        recoding, (published, _) = cls.of(table), to_frame(shown)
        if published.height != len(table):
            raise DataError(
                f"{published.height} records are shown, and the table has {len(table)}: they must "
                "be the same records, in the same order"
            )
        lo, hi = np.empty((2, *recoding.codes.shape), np.int32)
        for j, name in enumerate(recoding.columns):
            column = texts_of(published, name).to_list()
            ranges = {text: read_range(recoding.taxonomies[j], text, name) for text in set(column)}
            lo[:, j], hi[:, j] = np.array([ranges[t] for t in column], np.int32).reshape(-1, 2).T
        return evolve(recoding, lo=lo, hi=hi)

    def at(self, column: str) -> int:
        """Find a column.

        Raises
        ------
        SchemaError
            If there is no such quasi-identifier.
        """
        if column not in self.columns:
            raise SchemaError(unknown("quasi-identifier", column, self.columns))
        return self.columns.index(column)

    def show(self, j: int, lo: CodeArray, hi: CodeArray) -> Self:
        """Show other ranges on a column, never narrower ones than are shown already."""
        new_lo, new_hi = self.lo.copy(), self.hi.copy()
        new_lo[:, j] = np.minimum(lo, self.lo[:, j])
        new_hi[:, j] = np.maximum(hi, self.hi[:, j])
        return evolve(self, lo=new_lo, hi=new_hi)

    def drop(self, records: BoolArray) -> Self:
        """Leave records out."""
        return evolve(self, kept=self.kept & ~records)

    def texts(self, column: str) -> list[str | None]:
        """Write what the records that are left show on a column."""
        j = self.at(column)
        shown = write_ranges(self.taxonomies[j], self.lo[self.kept, j], self.hi[self.kept, j])
        return list(shown.tolist())

    @property
    def is_truthful(self) -> bool:
        """Whether every record that is left shows ranges that hold its values."""
        holds = (self.lo <= self.codes) & (self.codes < self.hi)
        return bool(holds[self.kept].all())

    def ranges(self, j: int) -> tuple[CodeArray, CodeArray]:
        """Give the distinct ranges that a column shows."""
        shown = np.column_stack([self.lo[self.kept, j], self.hi[self.kept, j]])
        _, first = number_rows(shown)
        return shown[first, 0], shown[first, 1]

    def is_function_of_value(self, j: int) -> bool:
        """Whether all records with the same value on a column show the same there."""
        return _decides(self.codes[self.kept, j : j + 1], self._shown([j]))

    def is_function_of_record(self) -> bool:
        """Whether all records with the same values on all columns show the same."""
        return _decides(self.codes[self.kept], self._shown(range(len(self.columns))))

    def _shown(self, columns: Iterable[int]) -> CodeArray:
        at = list(columns)
        return np.concatenate([self.lo[self.kept][:, at], self.hi[self.kept][:, at]], axis=1)


def recode(table: object, operations: Scheme | Iterable[Scheme]) -> Recoding:
    """Apply operations to a table, one after the other.

    Raises
    ------
    ParameterError
        If one does not generalize or suppress values.

    Examples
    --------
    >>> from unlinkable.tables.operations import FullDomainGeneralization, RecordSuppression
    >>> from unlinkable.tables.data import as_table
    >>> from unlinkable.tables.taxonomies.builders import Intervals
    >>> people = as_table({"age": [31, 38, 90]}, quasi="age", taxonomies={"age": Intervals(10)})
    >>> done = recode(people, [RecordSuppression([2]), FullDomainGeneralization("age", 1)])
    >>> done.texts("age"), done.is_truthful
    (['[30-40)', '[30-40)'], True)
    """
    from unlinkable.tables.operations.base.operation import Operation, Scheme

    recoding = Recoding.of(table_of(table, {}))
    for operation in operations if isinstance(operations, Iterable) else [operations]:
        if not isinstance(operation, Scheme):
            shown = operation if isinstance(operation, Operation) else in_short(operation)
            raise ParameterError(
                f"{shown} does not generalize: give it to anonymize in place of a method, or "
                "apply it to the table by itself"
            )
        recoding = operation.apply(recoding)
    return recoding


def _decides(values: CodeArray, shown: CodeArray) -> bool:
    """Whether equal values always come with equal rows of what is shown."""
    if not len(values):
        return True
    _, distinct = number_rows(values)
    _, together = number_rows(np.concatenate([values, shown], axis=1))
    return distinct.size == together.size
