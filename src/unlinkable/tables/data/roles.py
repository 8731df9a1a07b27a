"""Roles as arguments: a frame and what its columns are, given together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TypedDict

from unlinkable.errors import ParameterError, unknown
from unlinkable.tables.data.table import Table, as_table, read
from unlinkable.tables.taxonomies.builders import Rule

__all__ = ["AttributeRoles", "ColumnRoles", "table_of"]


class AttributeRoles(TypedDict, total=False):
    """What the columns of a frame are that name nobody: the other arguments of `as_table`."""

    quasi: str | Iterable[str]
    sensitive: str | Iterable[str]
    target: str | Iterable[str]
    insensitive: str | Iterable[str]
    owner: str | None
    guard: str | None
    weight: str | None
    taxonomies: Mapping[str, Rule] | None
    importance: Mapping[str, float] | None


class ColumnRoles(AttributeRoles, total=False):
    """What the columns of a frame are: the arguments of `as_table`."""

    identifiers: str | Iterable[str]


def table_of(data: object, roles: ColumnRoles) -> Table:
    """Take a table as it is, or a frame of any kind or a file with the roles of its columns.

    Raises
    ------
    TypeError
        If something is given that is no role.
    ParameterError
        If a table, which has roles, is given others.
    SchemaError, DataError
        If it is no table, or columns have no role.

    Examples
    --------
    >>> table_of({"age": [30, 31]}, {"quasi": "age"}).schema.quasi
    ('age',)
    """
    known = ColumnRoles.__annotations__
    for name in roles:
        if name not in known:
            raise TypeError(unknown("argument", name, known))
    if not isinstance(data, Table):
        return read(data, **roles) if isinstance(data, str | Path) else as_table(data, **roles)
    if roles:
        raise ParameterError(
            f"the table has roles, and {', '.join(roles)} would give it others: give the roles "
            "where the table is made, or a frame without roles"
        )
    return data
