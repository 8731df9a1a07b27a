"""Microaggregation and condensation: against the limits that were set."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from benchmarks.data import QI8, adult_table, grown
from benchmarks.measure import Row, best, cpu
from unlinkable.noise import secure_generator
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.methods.base.record_method import MaskedRecords, RecordMethod
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.perturb import MDAV, CondensationStream, RGather
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.models import KAnonymity
from unlinkable.tables.models.base import All

RECORDS = 100_000
STREAM = 400_000


def rows(large: bool) -> Iterator[Row]:
    """Time the methods on columns that have nothing to do with each other: the worst case."""
    rng = np.random.default_rng(0)
    cloud = as_table(
        {f"x{j}": rng.normal(size=RECORDS) for j in range(8)}, quasi=[f"x{j}" for j in range(8)]
    )
    for k in (3, 10):
        seconds, _, masked = best(partial(_mask, MDAV(), cloud, k), 2)
        name = f"mdav k={k}, 100,000 records, 8 independent columns"
        each = masked.effort["compared"] * k // RECORDS
        note = f"{each:,} distances a group, loss {masked.facts['information_loss']:.3f}"
        yield Row(name, seconds, 20, 1, 0.25, "limit", note, is_limit=True)
    if large:
        people = adult_table(grown(RECORDS), QI8)
        seconds, _, masked = cpu(partial(_mask, MDAV(), people, 5))
        note = f"loss {masked.facts['information_loss']:.3f}"
        name = "mdav k=5, 100,000 records, 8 columns as in Adult"
        yield Row(name, seconds, 20, 1, 0.25, "limit", note, is_limit=True)
        seconds, _, masked = cpu(partial(_mask, RGather(), cloud, 10))
        note = f"{masked.facts['groups']:.0f} clusters"
        name = "r-gather r=10, 100,000 records, 8 independent columns"
        yield Row(name, seconds, 20, 1, 0.5, "limit", note, is_limit=True)
    yield from _streams(rng)


def _streams(rng: np.random.Generator) -> Iterator[Row]:
    """Condense a stream of independent columns, which no index likes."""
    for d, k in ((4, 50), (8, 50), (8, 200), (8, 10)):
        points = rng.normal(size=(STREAM, d))
        seconds, _, stream = best(partial(_condensed, points, k), 2)
        note = f"{STREAM / seconds:,.0f} records a second, {len(stream.groups):,} groups"
        name = f"condensation stream, k={k}, {STREAM:,} records, {d} independent columns"
        yield Row(name, seconds, STREAM / 100_000, 1, 0.5, "limit", note, is_limit=True)


def _mask(method: RecordMethod, table: Table, k: int) -> MaskedRecords:
    task = Task((), ILoss(), rng=secure_generator(1))
    return method.mask(table, All([KAnonymity(k)]), task)


def _condensed(points: np.typing.NDArray[np.float64], k: int) -> CondensationStream:
    stream = CondensationStream(k)
    for batch in np.split(points, 8):
        stream.add(batch)
    return stream
