"""Maskings as the library runs them, and what they publish as plain rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from unlinkable.noise import secure_generator
from unlinkable.tables.data import Table
from unlinkable.tables.data.side import Side
from unlinkable.tables.methods.base.record_method import MaskedRecords, RecordMethod
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.models.base import All, BindingContext, GroupModel

__all__ = ["Records", "bound", "hidden_of", "masked", "parts_of", "records_of", "texts"]

Records = list[dict[str, Any]]


def bound(
    privacy: Sequence[GroupModel], table: Table, side: Mapping[str, Mapping[str, Any]] | None = None
) -> All:
    """Bind promises to a table, and to the tables that they refer to."""
    plain = BindingContext.of(table.schema)
    context = BindingContext(plain.quasi, plain.sensitive, side=Side.of(dict(side or {})))
    return All(ready for model in privacy for ready in model.bind(context))


def masked(
    method: RecordMethod,
    table: Table,
    privacy: Sequence[GroupModel] = (),
    *,
    seed: int = 1,
    limit: Fraction | int = 0,
    side: Mapping[str, Mapping[str, Any]] | None = None,
) -> MaskedRecords:
    """Mask a table as the library does."""
    models, ready = bound(privacy, table, side), method.bind(table.schema)
    share = Fraction(limit)
    ready.require(models, may_suppress=share > 0)
    task = Task(table.attributes, ILoss(), share, secure_generator(seed))
    return ready.mask(table, models, task)


def records_of(found: MaskedRecords) -> Records:
    """Give the published records."""
    return found.frame.to_dicts()


def hidden_of(found: MaskedRecords) -> Records:
    """Give the hidden values of the buckets."""
    assert found.buckets is not None
    return found.buckets.hidden.to_dicts()


def parts_of(found: MaskedRecords) -> list[list[int]]:
    """Give the original records of every bucket."""
    assert found.buckets is not None
    assert found.rows is not None
    parts: dict[object, list[int]] = {}
    for row, record in zip(found.rows.tolist(), records_of(found), strict=True):
        parts.setdefault(record[found.buckets.column], []).append(row)
    return list(parts.values())


def texts(records: Records) -> list[dict[str, str]]:
    """Write records as a CSV file does."""
    return [{c: "" if v is None else str(v) for c, v in row.items()} for row in records]
