"""Random tables as the library takes them."""

from __future__ import annotations

from tests.strategies import RandomTable
from unlinkable.tables.data import Table, as_table

__all__ = ["taken"]


def taken(random: RandomTable) -> Table:
    """Take the quasi-identifier and the owner of a random table."""
    names = (*random.qid, *([random.owner] if random.owner else []))
    columns = {name: [row[name] for row in random.rows] for name in names}
    return as_table(columns, quasi=random.qid, owner=random.owner)
