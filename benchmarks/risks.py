"""Risk: the report on Adult and on a million records, special uniques, populations, identifiers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from benchmarks.data import folder
from benchmarks.measure import Row, best, cpu
from unlinkable.tables.data import Table, as_table, read
from unlinkable.tables.risk import (
    QuasiIdentifierSearch,
    ReIdentification,
    SpecialUniques,
    Uniqueness,
    assess,
    safe_harbor,
)
from unlinkable.tables.risk.shared.adversary_view import adversary_view
from unlinkable.tables.risk.shared.contribution import contributions_of

N_RECORDS = 1_000_000
COLUMNS = (
    "sex",
    "age",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "occupation",
)


def rows(large: bool) -> Iterator[Row]:
    """Time every measure of risk."""
    yield from _adult_rows()
    if large:
        yield from _large_rows()


def _adult_rows() -> Iterator[Row]:
    data = folder()
    if data is None:
        return
    adult = read(data / "adult.csv", quasi=COLUMNS, insensitive="salary-class")
    seconds, _, found = best(lambda: SpecialUniques().measure(adult), 3)
    note = f"{found.n_unique:,} uniques"
    yield Row(
        "special uniques, Adult, all sets", seconds, 2.0, 1, 0.25, "limit", note, is_limit=True
    )
    seconds, _, report = best(lambda: assess(adult, fraction=0.01).to_json(), 3)
    note = f"{len(report)} parts"
    yield Row("risk report, Adult", seconds, 5.0, 1, 0.25, "limit", note, is_limit=True)


def _large_rows() -> Iterator[Row]:
    table = _people()
    safe_harbor(table)
    seconds, _, seen = cpu(lambda: adversary_view(table))
    task, note = "grouping for risk, 1 M records, 10 columns", f"{len(seen.groups):,} groups"
    yield Row(task, seconds, 5.0, 1, 0.25, "limit", note, is_limit=True)
    works = {
        "re-identification": lambda: ReIdentification(fraction=0.1).of(seen).marketer,
        "uniqueness, all estimators": lambda: Uniqueness(fraction=0.1).of(seen).share,
        "special uniques up to 4": lambda: SpecialUniques(4).of(seen).n_unique,
        "what columns contribute": lambda: len(contributions_of(seen.groups)),
        "Safe Harbor": lambda: len(safe_harbor(table)),
        "sets of 3 columns": lambda: len(QuasiIdentifierSearch().measure(table, seen.columns)),
        "k-map with 1 M people": lambda: _journalist(table),
    }
    limits = {"special uniques up to 4": 60.0}
    for name, work in works.items():
        seconds, _, value = cpu(work)
        limit = limits.get(name, 10.0)
        task, note = f"{name}, 1 M records, 10 columns", f"{value:.6g}"
        yield Row(task, seconds, limit, 1, 0.25, "limit", note, is_limit=True)


def _journalist(table: Table) -> float:
    found = ReIdentification(population="town").measure(table, {"town": table.frame})
    return found.journalist.highest


def _people() -> Table:
    """Invent people with ten quasi-identifying columns."""
    rng = np.random.default_rng(7)
    columns = {}
    for i, width in enumerate((90, 1000, 2, 5, 8, 14, 16, 41, 10, 6)):
        shares = 1 / np.arange(2, width + 2)
        columns[f"c{i}"] = rng.choice(width, N_RECORDS, p=shares / shares.sum())
    return as_table(pl.DataFrame(columns), quasi=list(columns))
