"""Measuring: every general metric, queries and cluster structures on a million records."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from benchmarks.measure import Row, best, cpu
from unlinkable.registry.lookup import entries
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.engines import count
from unlinkable.tables.methods import Mondrian
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.metrics import ILoss, KLDivergence, QueryError
from unlinkable.tables.metrics.base import Generalized, GroupMetric
from unlinkable.tables.metrics.match_point import match_point
from unlinkable.tables.models import KAnonymity
from unlinkable.tables.models.base import All

N_RECORDS = 1_000_000
N_CLUSTERED = 100_000
N_QUERIES = 10_000


def metric_rows() -> Iterator[Row]:
    """Time every metric of groups, and what has a limit of its own."""
    published = _released(_people())
    note = f"{published.shown.sizes.size:,} groups"
    made = [entry.make() for entry in entries("metric")]
    for metric in (*made, KLDivergence(joint=True)):
        if isinstance(metric, GroupMetric):
            seconds, _, value = best(lambda m=metric: m.value(published.shown), 2)  # type: ignore[misc]
            task = f"measure {metric}, 1 M records"
            yield Row(task, seconds, 0.2, 1, 0.25, "limit", f"{value:.4g}, {note}", is_limit=True)
    for dimension in (2, 3):
        asked = QueryError(queries=N_QUERIES, dimension=dimension)
        asked.measure(published)
        seconds, _, error = cpu(lambda asked=asked: asked.measure(published).value)  # type: ignore[misc]
        task = f"10,000 COUNT queries of {dimension} columns, 1 M records"
        yield Row(task, seconds, 5.0, 1, 0.25, "limit", f"error {error:.3g}", is_limit=True)
    rng = np.random.default_rng(1)
    before, after = rng.integers(0, 50, (2, N_CLUSTERED)).astype(np.int32)
    seconds, _, _ = best(lambda: match_point(before, after), 3)
    yield Row("match point, 100,000 records", seconds, 1.0, 1, 0.1, "limit", is_limit=True)


def _people() -> Table:
    """Invent people with eight quasi-identifying columns and a class."""
    rng = np.random.default_rng(7)
    widths = {
        "age": 90,
        "zip": 1000,
        "sex": 2,
        "race": 5,
        "work": 8,
        "job": 14,
        "edu": 16,
        "land": 41,
    }
    columns = {}
    for name, width in widths.items():
        shares = 1 / np.arange(2, width + 2)
        columns[name] = rng.choice(width, N_RECORDS, p=shares / shares.sum())
    columns["rich"] = (columns["age"] + columns["edu"] > 20).astype(int)
    return as_table(pl.DataFrame(columns), quasi=list(widths), target="rich")


def _released(table: Table) -> Generalized:
    counted = count(table, [("rich",)])
    task = Task(table.attributes, ILoss())
    found = Mondrian().search(counted.finest, All([KAnonymity(5)]), task)
    return Generalized.of(table, found.partition, counted.labels)
