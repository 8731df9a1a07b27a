"""Counting: the finest groups of a table, among the populations that promises refer to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from unlinkable.tables.data import Side, Table, among
from unlinkable.tables.engines import Counted, count
from unlinkable.tables.groups import CROWD
from unlinkable.tables.models.base import All, GroupModel
from unlinkable.typing import Columns

__all__ = ["counted_among"]


def counted_among(
    table: Table, models: Sequence[GroupModel], side: Side, also: Iterable[Columns] = ()
) -> tuple[Table, Counted]:
    """Count what promises need, and what else is asked for.

    Gives the table with taxonomies that know the values of populations, too.
    """
    needs = {*All(models).needs(), *also}
    asked = {name for names in needs for name in names if name.startswith(CROWD)}
    people = sorted(name.removeprefix(CROWD) for name in asked)
    wide, crowds = among(table, {name: side.open(name) for name in people})
    return wide, count(wide, needs, crowds)
