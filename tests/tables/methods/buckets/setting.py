"""What tests of buckets share: tasks, promises, and a verifier that reads published tables only."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from unlinkable.noise import secure_generator
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.data.bucket_tables import paired
from unlinkable.tables.data.side import Side
from unlinkable.tables.engines import count
from unlinkable.tables.methods.base.record_method import MaskedRecords, RecordMethod
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.models.base import All, BindingContext, GroupModel

__all__ = ["bound", "buckets_of", "holds", "masked", "task_for"]


def task_for(table: Table, *, suppression: float | str = 0, seed: int = 1) -> Task:
    """Ask for a release, by a seed."""
    share = Fraction(str(suppression))
    return Task(table.attributes, ILoss(), suppression=share, rng=secure_generator(seed))


def bound(table: Table, models: Sequence[GroupModel], side: Side | None = None) -> All:
    """Say which columns of a table promises are about."""
    schema = table.schema
    context = BindingContext(schema.quasi, schema.sensitive, side=side or Side.of({}))
    return All(part for model in models for part in model.bind(context))


def masked(
    method: RecordMethod,
    table: Table,
    *models: GroupModel,
    side: Side | None = None,
    suppression: float | str = 0,
    seed: int = 1,
) -> MaskedRecords:
    """Let a method work towards promises."""
    privacy = bound(table, models, side)
    method = method.bind(table.schema)
    method.require(privacy, may_suppress=bool(suppression))
    return method.mask(table, privacy, task_for(table, suppression=suppression, seed=seed))


def holds(
    table: Table, found: MaskedRecords, *models: GroupModel, side: Side | None = None
) -> bool:
    """Judge promises from the two published tables, with the bucket as all that is seen."""
    assert found.buckets is not None
    frame = paired(found.frame, found.buckets.hidden, found.buckets.column)
    others = [n for n in frame.columns if n not in (*table.schema.sensitive, found.buckets.column)]
    seen = as_table(
        frame,
        quasi=found.buckets.column,
        sensitive=table.schema.sensitive,
        insensitive=others,
        taxonomies={
            c.name: c.taxonomy
            for c in table.schema.columns
            if c.taxonomy is not None and c.name in table.schema.sensitive
        },
    )
    privacy = bound(table, models, side)
    return privacy.holds(count(seen, privacy.needs()).finest)


def buckets_of(found: MaskedRecords) -> list[list[int]]:
    """Give the original records of each bucket."""
    assert found.rows is not None
    assert found.buckets is not None
    own = found.frame.get_column(found.buckets.column).to_numpy()
    return [found.rows[own == g].tolist() for g in np.unique(own)]
