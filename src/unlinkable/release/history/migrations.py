"""Migrations: from one format of a history to the next, each with its number.

A history that was written by an earlier version is brought up to date when something is next
published. A step that was ever released is never changed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from unlinkable.errors import HistoryError
from unlinkable.extras import load_extra

__all__ = ["MIGRATIONS", "format_of", "migrate", "require_known", "require_own_file"]

Migration = Callable[[Any], None]
"""Takes a connection, and changes what is there."""

_BINARY = {"sqlite": "BLOB", "postgresql": "BYTEA"}


def _first(connection: Any) -> None:
    """Make the tables."""
    binary = _BINARY[connection.dialect.name]
    connection.exec_driver_sql(
        f"""CREATE TABLE unlinkable_history (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            format INTEGER NOT NULL,
            created TEXT NOT NULL,
            salt {binary} NOT NULL,
            key_check {binary},
            policy TEXT,
            person TEXT
        )"""
    )
    connection.exec_driver_sql(
        f"""CREATE TABLE unlinkable_release (
            number INTEGER PRIMARY KEY,
            created TEXT NOT NULL,
            recipient TEXT,
            policy TEXT NOT NULL,
            method TEXT NOT NULL,
            promises TEXT NOT NULL,
            records INTEGER NOT NULL,
            suppressed INTEGER NOT NULL,
            new_people INTEGER NOT NULL,
            new_keys {binary} NOT NULL,
            published {binary} NOT NULL,
            people {binary},
            columns TEXT NOT NULL,
            taxonomies {binary} NOT NULL,
            findings TEXT NOT NULL,
            folder TEXT,
            waiting TEXT,
            manifest TEXT
        )"""
    )
    connection.exec_driver_sql(
        f"""CREATE TABLE unlinkable_memory (
            name TEXT PRIMARY KEY,
            remembered {binary} NOT NULL
        )"""
    )


def _kind_of_data(connection: Any) -> None:
    """Say of what kind of data each release is; so far, all were of tables."""
    connection.exec_driver_sql(
        "ALTER TABLE unlinkable_release ADD COLUMN kind TEXT NOT NULL DEFAULT 'tables'"
    )


MIGRATIONS: tuple[Migration, ...] = (_first, _kind_of_data)
"""All steps, in their order."""


def format_of(connection: Any) -> int:
    """Tell which format a database has; 0 if there is no history in it.

    Raises
    ------
    HistoryError
        If there is one, and it does not say.
    """
    inspect = load_extra("sqlalchemy", "history", "histories").inspect
    if not inspect(connection).has_table("unlinkable_history"):
        return 0
    found = connection.exec_driver_sql("SELECT format FROM unlinkable_history").scalar()
    if found is None:
        raise HistoryError("the history is damaged: it does not say what it is of")
    return int(found)


def migrate(
    connection: Any, found: int, shown: str, migrations: Sequence[Migration] = MIGRATIONS
) -> None:
    """Bring a history up to date.

    Raises
    ------
    HistoryError
        If it was written by a later version, or the file is the database of something else.
    """
    require_known(found, shown, len(migrations))
    if not found:
        require_own_file(connection, shown)
    for step in migrations[found:]:
        step(connection)
    if 0 < found < len(migrations):
        connection.exec_driver_sql(f"UPDATE unlinkable_history SET format = {len(migrations)}")


def require_own_file(connection: Any, shown: str) -> None:
    """Refuse a file without a history that others keep their tables in, and may read."""
    inspect = load_extra("sqlalchemy", "history", "histories").inspect
    if connection.dialect.name == "sqlite" and inspect(connection).get_table_names():
        raise HistoryError(
            f"{shown} is a database of something else, and no history: name another file, which is "
            "made if it is not there"
        )


def require_known(found: int, shown: str, newest: int = len(MIGRATIONS)) -> None:
    """Refuse a history of a later version."""
    if found > newest:
        raise HistoryError(
            f"{shown} has format {found}, and this version reads formats up to {newest}: upgrade "
            "unlinkable"
        )
