"""Applying a partition: every record rewritten as its group shows it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Self

import numpy as np
from attrs import define
from numpy.typing import NDArray

from unlinkable.tables.data import (
    Column,
    Frame,
    PublicDomains,
    Role,
    Table,
    canonical_values,
    keep_rows,
    recoded_column,
    replaced_column,
)
from unlinkable.tables.engines import Counted
from unlinkable.tables.methods import shown_texts
from unlinkable.tables.methods.base import ColumnCells, Solution
from unlinkable.tables.operations import Pseudonymization
from unlinkable.tables.taxonomies import Attribute, write_ranges
from unlinkable.typing import CodeArray, CountArray

__all__ = ["Applied", "apply", "public_domains"]


@define(eq=False, frozen=True)
class Applied:
    """The published records.

    Attributes
    ----------
    frame
        Published values only.
    rows
        Which original records they are; None if all, in their order.
    """

    frame: Frame
    rows: NDArray[np.int64] | None

    def row_of(self, n_records: int) -> CountArray:
        """Tell for every original record which published one it is, -1 if it is none."""
        if self.rows is None:
            return np.arange(n_records)
        row = np.full(n_records, -1, np.int64)
        row[self.rows] = np.arange(self.rows.size)
        return row

    @property
    def is_in_order(self) -> bool:
        """Whether the published records are in the order of the original ones."""
        return self.rows is None or bool((np.diff(self.rows) > 0).all())

    def mixed(self, rng: np.random.Generator) -> Self:
        """Put the records in an order that tells nothing of the one they came in."""
        order = rng.permutation(self.frame.height)
        rows = order if self.rows is None else self.rows[order]
        return type(self)(keep_rows(self.frame, order), rows)

    def in_order(self) -> Frame:
        """Give the published records in the order of the original ones."""
        if self.rows is None or self.is_in_order:
            return self.frame
        return keep_rows(self.frame, np.argsort(self.rows))


def public_domains(
    table: Table, counted: Counted, solution: Solution, crowds: Collection[Table] = ()
) -> PublicDomains:
    """Find out which values recipients may know of the columns that a solution generalizes."""
    labels = solution.partition.labels
    rows = None if (labels >= 0).all() else np.flatnonzero(labels[counted.labels] >= 0)
    return PublicDomains.of(table, rows, [*table.schema.quasi, *solution.cells], crowds)


def apply(
    table: Table,
    counted: Counted,
    solution: Solution,
    attributes: Sequence[Attribute],
    domains: PublicDomains,
    identifiers: Mapping[str, Pseudonymization],
    key: bytes | None,
) -> Applied:
    """Rewrite the quasi-identifier of every record, and treat or drop what names people.

    A column that is told cell by cell is rewritten as well; all others are published as they are.
    What is written shows no value but those of the ``domains`` that recipients may know.
    """
    partition = solution.partition
    parts = partition.labels[counted.labels]
    rows = None if (partition.labels >= 0).all() else np.flatnonzero(parts >= 0)
    parts = parts if rows is None else parts[rows]
    frame = keep_rows(table.frame, rows)
    texts = shown_texts(solution, attributes, domains)
    columns = []
    for name in table.frame.columns:
        role = table.schema[name].role
        if role is Role.QUASI:
            j = table.schema.quasi.index(name)
            part_texts, is_raw = texts[j]
            columns.append(recoded_column(frame, name, part_texts, parts, is_raw=is_raw))
        elif role is Role.IDENTIFIER and name in identifiers:
            treated = replaced_column(frame, name, partial(identifiers[name].apply, key=key))
            columns.extend([] if treated is None else [treated])
        elif name in solution.cells:
            columns.append(
                _told_column(table, frame, name, solution.cells[name], parts, rows, domains)
            )
        elif role not in (Role.IDENTIFIER, Role.OWNER, Role.GUARD):
            columns.append(frame.get_column(name))
    return Applied(canonical_values(frame.select(columns), table.schema.quasi), rows)


def _told_column(
    table: Table,
    frame: Frame,
    name: str,
    shown: ColumnCells,
    parts: CodeArray,
    rows: NDArray[np.int64] | None,
    domains: PublicDomains,
) -> Column:
    """Write what a column shows cell by cell, for records of these parts."""
    own, decides = table.taxonomy(name), table.taxonomy(shown.decides)

    def key(part: CodeArray, value: CodeArray, other: CodeArray) -> CountArray:
        return (part.astype(np.int64) * own.n + value) * decides.n + other

    listed = key(shown.part, shown.value, shown.other)
    order = np.argsort(listed)
    value, other = (
        codes if rows is None else codes[rows]
        for codes in (table.codes(name), table.codes(shown.decides))
    )
    at = order[np.searchsorted(listed[order], key(parts, value, other))].astype(np.int32)
    texts = write_ranges(domains.taxonomy(name, own), *domains.ranges(name, shown.lo, shown.hi))
    return recoded_column(frame, name, texts, at, is_raw=bool((shown.hi - shown.lo == 1).all()))
