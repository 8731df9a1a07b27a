"""The difference attack, exactly: on series of releases."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

import unlinkable as ul
from benchmarks.data import QI8, adult_frame, adult_table, folder
from benchmarks.measure import Row, cpu
from benchmarks.people import builders
from unlinkable.examples import hospital, hospital_taxonomies
from unlinkable.tables.attacks.series.difference import Difference
from unlinkable.tables.attacks.series.series import Edition, Series
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.methods.base.search import Search
from unlinkable.tables.series.next_release import edition_of
from unlinkable.typing import Columns

N_RECORDS = 30_000
SEED = 0

PATIENTS = ("age", "sex", "zip", "admission_date", "profession")
"""What others may know of made-up people."""

LIMIT = 30.0
"""Seconds for the series in which the paper gave up on large sets of groups."""

HISTORY = 10
HISTORY_LIMIT = 5.0
"""Seconds to check one release against a history of ten."""


def rows(large: bool) -> Iterator[Row]:
    """Time attacks on six releases."""
    for method in (ul.Mondrian(), ul.Incognito()):
        for k in (5, 10) if large else (5,):
            series = Series(tuple(released(n, method, k) for n in growing(6)))
            Difference(k=k).run(Series(series.editions[:2]))
            seconds, _, outcome = cpu(lambda k=k, series=series: Difference(k=k).run(series))
            task = f"difference, six releases of {_name()}, {method}, k = {k}"
            note = f"{outcome.n_fallen:,} of {outcome.n_attacked:,} fall"
            yield Row(task, seconds, LIMIT, 1, 0.1, "limit", note, is_limit=True)


def growing(n_releases: int) -> list[int]:
    """Give the sizes of releases to which as many records come each time."""
    return [N_RECORDS * i // n_releases for i in range(1, n_releases + 1)]


def released(n: int, method: Search, k: int) -> Edition:
    """Publish the first records without a look at other releases."""
    release = ul.anonymize(_table(n), privacy=ul.KAnonymity(k), method=method)
    return edition_of(release, np.arange(n), f"{n:,} records")


def _name() -> str:
    return "made-up people" if folder() is None else "Adult"


def _frame() -> tuple[pl.DataFrame, Columns, str]:
    """Give the records, what others may know of them, and what is hidden."""
    if folder() is None:
        return hospital(N_RECORDS, seed=SEED), PATIENTS, "diagnosis"
    return adult_frame().sample(fraction=1.0, shuffle=True, seed=SEED), QI8, "occupation"


def _table(n: int) -> Table:
    frame, quasi, hidden = _frame()
    if folder() is not None:
        return adult_table(frame[:n], quasi)
    taxonomies = builders(hospital_taxonomies(), quasi)
    people = frame[:n].select(*quasi, hidden)
    return as_table(people, quasi=quasi, sensitive=hidden, taxonomies=taxonomies)
