"""Counting: the finest groups of a table, among the populations that promises refer to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from unlinkable.tables.data import Side, Table, with_populations
from unlinkable.tables.engines import Counted, count
from unlinkable.tables.groups import POPULATION_PREFIX
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
    asked = {name for names in needs for name in names if name.startswith(POPULATION_PREFIX)}
    people = sorted(name.removeprefix(POPULATION_PREFIX) for name in asked)
    wide, populations = with_populations(table, {name: side.open(name) for name in people})
    return wide, count(wide, needs, populations)
