"""The difference attack, exactly: on series of releases, and while the next one is made."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

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
from unlinkable.tables.series.incremental.difference_watch import DifferenceWatch
from unlinkable.tables.series.next_release import edition_of
from unlinkable.typing import CodeArray, Columns, CountArray

N_RECORDS = 30_000
SEED = 0

PATIENTS = ("age", "sex", "zip", "admission_date", "profession")
"""What others may know of made-up people."""

LIMIT = 30.0
"""Seconds for the series in which the paper gave up on large sets of groups."""

HISTORY = 10
HISTORY_LIMIT = 5.0
"""Seconds to hold one release against a history of ten."""


def rows(large: bool) -> Iterator[Row]:
    """Time attacks on six releases, and splits and checks with ten earlier ones."""
    for method in (ul.Mondrian(), ul.Incognito()):
        for k in (5, 10) if large else (5,):
            series = Series(tuple(released(n, method, k) for n in growing(6)))
            Difference(k=k).run(Series(series.editions[:2]))
            seconds, _, outcome = cpu(lambda k=k, series=series: Difference(k=k).run(series))
            task = f"difference, six releases of {_name()}, {method}, k = {k}"
            note = f"{outcome.n_fallen:,} of {outcome.n_attacked:,} fall"
            yield Row(task, seconds, LIMIT, 1, 0.1, "limit", note, is_limit=True)
    yield from _watching()


def _watching() -> Iterator[Row]:
    """Split a table again and again, each time with a view to all releases before."""
    columns, values = _numbers()
    made: list[CodeArray] = []
    for n in growing(HISTORY + 1):
        past = [np.append(labels, np.full(n - labels.size, -1, np.int32)) for labels in made]
        seconds, _, watch = cpu(lambda n=n, past=past: _watch(past, values[:n]))
        spent, _, (labels, n_asked) = cpu(lambda n=n, watch=watch: split(watch, columns[:n]))
        made.append(labels)
    who = f"{n:,} records, {HISTORY} earlier releases"
    note = f"{n_asked:,} splits asked for, {labels.max() + 1:,} groups"
    task = f"difference watched while splitting, {who}"
    yield Row(task, seconds + spent, HISTORY_LIMIT, 1, 0.5, "limit", note, is_limit=True)
    seconds, _, is_safe = cpu(lambda: watch.is_safe(labels))
    note = "safe" if is_safe else "NOT SAFE"
    yield Row(
        f"difference checked, {who}", seconds, HISTORY_LIMIT, 1, 0.1, "limit", note, is_limit=True
    )


def _watch(past: list[CodeArray], values: CodeArray) -> DifferenceWatch:
    return DifferenceWatch(past, values, 5, Fraction(1, 2))


def split(watch: DifferenceWatch, columns: CountArray, k: int = 5) -> tuple[CodeArray, int]:
    """Cut at medians, the widest column first, wherever that is allowed."""
    widths = np.maximum(np.ptp(columns, axis=0), 1)
    labels = np.zeros(len(columns), np.int32)
    todo, n_groups, n_asked = [(0, np.arange(len(columns)))], 1, 0
    while todo:
        group, members = todo.pop()
        for j in np.argsort(-np.ptp(columns[members], axis=0) / widths, kind="stable"):
            is_right = columns[members, j] > np.median(columns[members, j])
            right = members[is_right]
            if min(right.size, members.size - right.size) < k:
                continue
            n_asked += 1
            if watch.allows(group, right):
                watch.split(group, right, n_groups)
                labels[right] = n_groups
                todo += [(group, members[~is_right]), (n_groups, right)]
                n_groups += 1
                break
    return labels, n_asked


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


def _numbers() -> tuple[CountArray, CodeArray]:
    """Give what others may know of everybody, and what is hidden, in numbers."""
    frame, quasi, hidden = _frame()
    ranks = [frame[name].rank("dense").fill_null(0).cast(pl.Int64).to_numpy() for name in quasi]
    return np.column_stack(ranks), frame[hidden].rank("dense").cast(pl.Int32).to_numpy() - 1
