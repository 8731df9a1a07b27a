"""What tests of maskings share: running one, and grouping what it published."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import polars as pl

from unlinkable.noise import secure_generator
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.data.release_columns import as_texts
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.base.record_method import MaskedRecords, RecordMethod
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.models.base import All, BindingContext, GroupModel

__all__ = ["bound", "published_groups", "run"]


def run(
    method: RecordMethod, table: Table, *models: GroupModel, seed: int = 1, suppression: Any = 0
) -> MaskedRecords:
    """Mask a table with a seed."""
    task = Task(table.attributes, ILoss(), Fraction(suppression), rng=secure_generator(seed))
    return method.bind(table.schema).mask(table, bound(table, *models), task)


def bound(table: Table, *models: GroupModel) -> All:
    """Say which columns promises are about."""
    context = BindingContext.of(table.schema)
    return All(found for model in models for found in model.bind(context))


def published_groups(table: Table, masked: MaskedRecords, privacy: All) -> Groups:
    """Group published records by their texts, as somebody would who knows nothing else."""
    others = [name for name in table.schema.sensitive if name in masked.frame.columns]
    seen = as_texts(masked.frame, table.schema.quasi, others).with_columns(
        # A text like {a, b} beside the text a means nothing here: all are different values.
        pl.format("text {}", pl.col(name).cast(pl.String).fill_null("").rank("dense")).alias(name)
        for name in table.schema.quasi
    )
    again = as_table(seen, quasi=table.schema.quasi, sensitive=others)
    return count(again, privacy.needs()).finest
