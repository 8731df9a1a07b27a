"""Small tables as the literature prints them, ready to be searched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import polars as pl

from tests.cases import load
from tests.tables.groups.plain import taxonomy_of
from tests.witness.tree import Tree
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.engines import count
from unlinkable.tables.methods.base.search import Search, Solution, Task
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.metrics.base import GroupMetric
from unlinkable.tables.models.base import All, GroupModel
from unlinkable.tables.taxonomies.builders.ready_made import ReadyMade

__all__ = ["REGIONS", "medical_table", "run", "table_with", "thesis_table", "values_at"]


def table_with(
    rows: Sequence[Mapping[str, object]],
    trees: Mapping[str, Tree],
    *,
    sensitive: Sequence[str] = (),
    owner: str | None = None,
    weight: str | None = None,
    importance: Mapping[str, float] | None = None,
) -> Table:
    """Take rows with a tree for every quasi-identifier."""
    names = [*trees, *sensitive, *([owner] if owner else [])]
    columns = {name: pl.Series([row[name] for row in rows], dtype=pl.String) for name in names}
    if weight:
        columns[weight] = pl.Series([row[weight] for row in rows], dtype=pl.Float64)
    return as_table(
        pl.DataFrame(columns),
        quasi=list(trees),
        sensitive=sensitive,
        owner=owner,
        weight=weight,
        importance=importance,
        taxonomies={name: ReadyMade(taxonomy_of(tree)) for name, tree in trees.items()},
    )


def run(
    method: Search,
    table: Table,
    models: Sequence[GroupModel],
    *,
    limit: int = 0,
    metric: GroupMetric | None = None,
) -> Solution:
    """Search a table, leaving out at most ``limit`` records."""
    privacy = All(models)
    share = Fraction(limit, max(len(table), 1))
    task = Task(table.attributes, metric or ILoss(), share)
    return method.search(count(table, privacy.needs()).finest, privacy, task)


def values_at(table: Table, solution: Solution) -> dict[str, list[str]]:
    """Read what a solution shows of every quasi-identifier, by the labels of its level."""
    assert solution.node is not None
    return {
        a.name: list(a.taxonomy.levels[solution.node[a.name]].labels or ())
        for a in table.attributes
    }


def thesis_table() -> Table:
    """Table 2.1 of the thesis: ages in two halves, codes by their first three digits."""
    given = load("babu-improved-greedy-table2-1")["input"]["table"]
    rows = [dict(zip(given["columns"], map(str, row), strict=True)) for row in given["rows"]]
    ages = sorted({row["Age"] for row in rows})
    codes = sorted({row["Zipcode"] for row in rows})
    trees = {
        "Age": Tree({age: (age, "< 25" if int(age) < 25 else ">= 25", "*") for age in ages}),
        "Gender": Tree({sex: (sex, "*") for sex in ("Female", "Male")}),
        "Zipcode": Tree({code: (code, code[:3] + "***", "*") for code in codes}),
    }
    return table_with(rows, trees)


REGIONS = load("aggarwal-table20-3-three-anonymous")["input"]["zip_taxonomy"]
"""The taxonomy of ZIP codes of Fig. 20.1."""


def medical_table() -> Table:
    """Table 20.1: ages in ranges of ten and twenty years, codes in states and regions."""
    given = load("aggarwal-table20-3-three-anonymous")["input"]["table"]
    rows = [dict(zip(given["columns"], map(str, row), strict=True)) for row in given["rows"]]

    def path(age: int) -> tuple[str, ...]:
        tens, twenties = (age - 1) // 10 * 10, (age - 1) // 20 * 20
        return str(age), f"({tens}, {tens + 10}]", f"({twenties}, {twenties + 20}]", "(0, 100]"

    trees = {
        "Age": Tree({str(age): path(age) for age in range(1, 101)}),
        "ZIP Code": Tree.nested(REGIONS),
    }
    return table_with(rows, trees, sensitive=["Disease"])
