"""Targets: the columns that recipients want to tell from the quasi-identifier."""

from __future__ import annotations

from unlinkable.errors import SchemaError, unknown
from unlinkable.tables.data import Role, Schema
from unlinkable.tables.metrics import InformationGain
from unlinkable.typing import Columns

__all__ = ["class_column", "target_columns"]

_TELLS_NOTHING = (Role.IDENTIFIER, Role.OWNER, Role.GUARD, Role.WEIGHT)


def class_column(schema: Schema, asked: str | None) -> str:
    """Find the column with the class: the one that was named, or the only target of the table.

    Raises
    ------
    SchemaError
        If there is no such column, or not exactly one target to choose.

    Examples
    --------
    >>> from unlinkable.tables.data import as_table
    >>> staff = as_table({"age": [20, 30], "rich": ["n", "y"]}, quasi="age", target="rich")
    >>> class_column(staff.schema, None)
    'rich'
    """
    target = InformationGain(asked).bind(schema).target
    assert target is not None
    return target


def target_columns(schema: Schema, asked: Columns | None) -> Columns:
    """Find the columns to be predicted: those that were named, or all targets of the table.

    If no column has the role target, the one sensitive column is it.

    Raises
    ------
    SchemaError
        If there is no such column, or nothing to choose.

    Examples
    --------
    >>> from unlinkable.tables.data import as_table
    >>> staff = as_table({"age": [20, 30], "rich": ["n", "y"], "sick": [0, 9]}, quasi="age",
    ...     target=["rich", "sick"])
    >>> target_columns(staff.schema, None)
    ('rich', 'sick')
    """
    if asked is None:
        return schema.with_role(Role.TARGET) or (class_column(schema, None),)
    telling = [c.name for c in schema.columns if c.role not in _TELLS_NOTHING]
    for name in asked:
        if name not in telling:
            raise SchemaError(f"{unknown('target', name, telling)} to be told")
    return asked
