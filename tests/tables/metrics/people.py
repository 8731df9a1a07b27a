"""A small population to learn from, and releases of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import polars as pl

from unlinkable.tables.data import Table, as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups, Partition
from unlinkable.tables.metrics.base import Generalized
from unlinkable.tables.taxonomies.builders import Intervals, Tree
from unlinkable.typing import BoolArray

__all__ = ["JOBS", "at_levels", "people", "the_top"]

JOBS = {"Artist": ["Dancer", "Writer"], "Professional": ["Engineer", "Lawyer"]}


def people(n: int = 240, seed: int = 7, noise: float = 0.15) -> Table:
    """Whether somebody buys depends on age, job and region, and sometimes on nothing."""
    rng = np.random.default_rng(seed)
    ages = rng.integers(20, 60, n)
    jobs = rng.choice([job for family in JOBS.values() for job in family], n)
    region = rng.choice(["north", "south", "west"], n, p=[0.5, 0.3, 0.2])
    score = (ages >= 40).astype(int) + np.isin(jobs, JOBS["Artist"]) + (region == "west")
    buys = np.where(rng.random(n) < noise, rng.random(n) < 0.5, score >= 2)
    days = np.datetime64("2024-01-01") + rng.integers(0, 300, n)
    frame = pl.DataFrame(
        {
            "name": [f"person {i}" for i in range(n)],
            "age": [None if i % 29 == 3 else int(age) for i, age in enumerate(ages)],
            "job": [None if i % 31 == 5 else str(job) for i, job in enumerate(jobs)],
            "region": region,
            "since": days,
            "buys": np.where(buys, "yes", "no"),
        }
    )
    return as_table(
        frame,
        identifiers="name",
        quasi=["age", "job"],
        insensitive=["region", "since"],
        target="buys",
        taxonomies={"age": Intervals(10, 20), "job": Tree(JOBS)},
    )


def at_levels(
    table: Table,
    levels: Sequence[int],
    leave_out: Callable[[Groups], BoolArray] | None = None,
) -> Generalized:
    """Generalize all columns to full levels, and leave out the groups that are marked."""
    counted = count(table)
    partition = Partition.at_levels(counted.finest, table.attributes, levels)
    if leave_out is not None:
        partition = partition.suppress(leave_out(partition.groups()))
    return Generalized.of(table, partition, counted.labels)


def the_top(table: Table) -> Generalized:
    """Publish nothing about the quasi-identifiers."""
    return at_levels(table, [a.taxonomy.height for a in table.attributes])
