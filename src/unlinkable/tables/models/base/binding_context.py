"""BindingContext: the table that a promise is made about."""

from __future__ import annotations

from collections.abc import Callable
from typing import Self

from attrs import define, evolve, field

from unlinkable.noise import Ledger
from unlinkable.tables.data import Schema, Side, Table
from unlinkable.tables.taxonomies import Taxonomy
from unlinkable.typing import Columns

__all__ = ["BindingContext"]


@define(eq=False, frozen=True)
class BindingContext:
    """What a promise has to know of a table before anything is counted.

    Attributes
    ----------
    quasi, sensitive
        The columns that others may know, and those that nobody may find out.
    owner
        The column that tells which records belong to the same person.
    guard
        The column with the node of the sensitive taxonomy that each person wants guarded.
    side
        Where the tables are that promises refer to.
    ledger
        All noise that was spent on the table, if its method uses any and is done.
    n_records
        How many records the table has, where that is known.
    taxonomy
        Gives the values of a column and their generalizations, where the table is at hand.
    """

    quasi: Columns = ()
    sensitive: Columns = ()
    owner: str | None = None
    guard: str | None = None
    side: Side = field(factory=Side)
    ledger: Ledger | None = None
    n_records: int | None = None
    taxonomy: Callable[[str], Taxonomy | None] | None = None

    @classmethod
    def of(cls, schema: Schema, side: Side | None = None) -> Self:
        """Take the columns of a table by their roles."""
        return cls(schema.quasi, schema.sensitive, schema.owner, schema.guard, side or Side())

    @classmethod
    def at(cls, table: Table, side: Side | None = None) -> Self:
        """Take a table with its values."""

        def taxonomy(column: str) -> Taxonomy | None:
            return table.taxonomy(column) if column in table.schema.names else None

        return evolve(cls.of(table.schema, side), taxonomy=taxonomy)
