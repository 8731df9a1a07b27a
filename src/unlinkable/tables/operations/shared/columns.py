"""Which columns a perturbation is for."""

from __future__ import annotations

from collections.abc import Collection

from unlinkable.errors import ParameterError, SchemaError, UnsupportedError, unknown
from unlinkable.tables.data import Role, Schema, Table
from unlinkable.tables.taxonomies import Kind
from unlinkable.typing import Columns

__all__ = ["NUMERIC", "chosen_columns", "kind_of", "require_columns"]

NUMERIC = (Kind.NUMBER, Kind.DATE)
"""Kinds of values that can be added to and sorted."""

_NAMES_PEOPLE = (Role.IDENTIFIER, Role.OWNER, Role.GUARD)


def require_columns(schema: Schema, columns: Columns | None, what: str) -> None:
    """Refuse columns that are not there, or that are never published.

    Parameters
    ----------
    schema
        The columns of the table.
    columns
        Those that were named.
    what
        What is to be done to them.

    Raises
    ------
    ParameterError
        If none is named.
    SchemaError
        If one is not there, or names people.
    """
    if columns is None:
        return
    if not columns:
        raise ParameterError(f"name at least one column for {what}, or leave that to the roles")
    for name in columns:
        if name not in schema.names:
            raise SchemaError(f"{unknown('column', name, schema.names)} for {what}")
        if (role := schema[name].role) in _NAMES_PEOPLE:
            raise SchemaError(
                f"column {name!r} is {role.value} and is never published: leave it out of {what}"
            )


def kind_of(table: Table, name: str) -> Kind:
    """Tell what kind of values a column holds."""
    return table.numbered(name).observed.domain.kind


def chosen_columns(
    table: Table,
    columns: Columns | None,
    roles: Collection[Role],
    kinds: Collection[Kind],
    what: str,
) -> Columns:
    """Find the columns that are meant: those that were named, or all of some roles and kinds.

    Raises
    ------
    SchemaError
        If there are none.
    UnsupportedError
        If one of those named holds values of another kind.

    Examples
    --------
    >>> from unlinkable.tables.data import as_table
    >>> staff = as_table({"age": [20, 30], "job": ["cook", "clerk"]}, quasi=["age", "job"])
    >>> chosen_columns(staff, None, [Role.QUASI], NUMERIC, "noise")
    ('age',)
    """
    require_columns(table.schema, columns, what)
    if columns is None:
        found = tuple(n for n in table.schema.with_role(*roles) if kind_of(table, n) in kinds)
        if not found:
            wanted = " or ".join(role.value for role in roles)
            held = " or ".join(_WORDS[kind] for kind in kinds)
            raise SchemaError(
                f"no {wanted} column holds {held} for {what}: name the columns that are meant"
            )
        return found
    for name in columns:
        if (kind := kind_of(table, name)) not in kinds:
            held = " or ".join(_WORDS[k] for k in kinds)
            raise UnsupportedError(f"column {name!r} holds {_WORDS[kind]}, and {what} needs {held}")
    return columns


_WORDS = {Kind.CATEGORY: "categories", Kind.NUMBER: "numbers", Kind.DATE: "dates"}
