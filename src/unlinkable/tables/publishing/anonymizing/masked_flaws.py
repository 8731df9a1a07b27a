"""What makes the work of a masking unfit to be published, whatever it promises."""

from __future__ import annotations

import numpy as np

from unlinkable.tables.data import COUNT, Frame, Role, Table, canonical_values, keep_rows, same_rows
from unlinkable.tables.methods.base import Buckets, MaskedRecords, RecordMethod

__all__ = ["masked_flaws"]

_NAMES_PEOPLE = (Role.IDENTIFIER, Role.OWNER, Role.GUARD)


def masked_flaws(
    table: Table, masked: MaskedRecords, method: RecordMethod, limit: int
) -> list[str]:
    """Say what is wrong with what is to be published; nothing if it is fit.

    Parameters
    ----------
    table
        The original records.
    masked
        What was made of them.
    method
        By whom. If it says that its records are truthful, they are compared with the original.
    limit
        How many records may be left out.
    """
    found = _columns_that_name(table, masked.frame)
    if masked.n_suppressed > limit:
        found.append(f"leaves out {masked.n_suppressed} records, and {limit} may be left out")
    if masked.counts is not None and masked.counts not in masked.frame.columns:
        found.append(f"has no column {masked.counts!r} of counts")
    rows = masked.rows
    if rows is not None:
        fits = rows.shape == (masked.frame.height,) and bool(
            ((rows >= 0) & (rows < len(table))).all()
        )
        if not fits or np.unique(rows).size != rows.size:
            return [*found, "does not say which record each published one is"]
    if masked.buckets is not None:
        found += _columns_that_name(table, masked.buckets.hidden)
        found += _wrong_buckets(masked.frame, masked.buckets)
    if method.truthful and not found:
        found += _untruths(table, masked)
    return found


def _columns_that_name(table: Table, frame: Frame) -> list[str]:
    naming = [c.name for c in table.schema.columns if c.role in _NAMES_PEOPLE]
    return [
        f"has the column {name!r}, which names people" for name in frame.columns if name in naming
    ]


def _wrong_buckets(frame: Frame, buckets: Buckets) -> list[str]:
    hidden = buckets.hidden.columns
    if buckets.column not in frame.columns or not {buckets.column, COUNT} <= set(hidden):
        return ["does not say in which bucket records and hidden values are"]
    twice = [n for n in hidden if n in frame.columns and n not in (buckets.column, COUNT)]
    return [f"tells {name!r} both for records and for buckets" for name in twice]


def _untruths(table: Table, masked: MaskedRecords) -> list[str]:
    """Say which columns differ from the original, and whether buckets hide what they say."""
    if masked.rows is None:
        return ["says that its records are true, and not whose they are"]
    # A value is told in one way only: missing, whether there is nothing or no number.
    original = canonical_values(keep_rows(table.frame, masked.rows), table.frame.columns)
    frame = canonical_values(masked.frame, masked.frame.columns)
    found = [
        f"tells untruths in column {name!r}"
        for name in frame.columns
        if name in original.columns and not frame.get_column(name).equals(original.get_column(name))
    ]
    if masked.buckets is not None and not _hides_what_it_says(original, frame, masked.buckets):
        found.append("tells other hidden values than its records have")
    return found


def _hides_what_it_says(original: Frame, frame: Frame, buckets: Buckets) -> bool:
    names = [n for n in buckets.hidden.columns if n not in (buckets.column, COUNT)]
    truth = original.select(names).with_columns(frame.get_column(buckets.column))
    return same_rows(truth, canonical_values(buckets.hidden, buckets.hidden.columns))
