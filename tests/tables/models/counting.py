"""From rows to the groups that promises are judged on."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

import polars as pl

from tests.strategies import RandomTable
from tests.tables.groups.plain import rows_of_case, table_of
from unlinkable.tables.data import as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups
from unlinkable.tables.models.base import All, GroupModel

__all__ = ["case_groups", "counted", "seen_by"]


def counted(
    rows: Sequence[Mapping[str, Hashable]],
    quasi: Sequence[str],
    *models: GroupModel,
    owner: str | None = None,
) -> Groups:
    """Count what promises need in rows; all columns that are not named are sensitive."""
    names = list(rows[0])
    frame = pl.DataFrame({name: [row[name] for row in rows] for name in names}, strict=False)
    others = [name for name in names if name not in (*quasi, owner)]
    table = as_table(frame, quasi=quasi, sensitive=others, owner=owner)
    return count(table, All(models).needs()).finest


def case_groups(
    given: Mapping[str, Sequence[object]], quasi: Sequence[str], *models: GroupModel
) -> Groups:
    """Count what promises need in the table of a worked example."""
    return counted(rows_of_case(given), quasi, *models)


def seen_by(random: RandomTable, *models: GroupModel) -> Groups:
    """Count what promises need in a random table."""
    return count(table_of(random), All(models).needs()).finest
