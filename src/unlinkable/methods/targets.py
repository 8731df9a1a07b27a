"""Targets: the columns that recipients want to tell from the quasi-identifier."""

from __future__ import annotations

from unlinkable.table.schema import Schema
from unlinkable.utility.information_gain import InformationGain

__all__ = ["class_column"]


def class_column(schema: Schema, asked: str | None) -> str:
    """Find the column with the class: the one that was named, or the only target of the table.

    Raises
    ------
    SchemaError
        If there is no such column, or not exactly one target to choose.

    Examples
    --------
    >>> from unlinkable.table import as_table
    >>> staff = as_table({"age": [20, 30], "rich": ["n", "y"]}, quasi="age", target="rich")
    >>> class_column(staff.schema, None)
    'rich'
    """
    target = InformationGain(asked).bind(schema).target
    assert target is not None
    return target
