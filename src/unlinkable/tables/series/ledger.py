"""Ledger: what a history has on record, read from and written to one connection."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Self

import numpy as np
from attrs import asdict, evolve

from unlinkable.errors import DataError, HistoryError
from unlinkable.extras import load_extra
from unlinkable.tables.attacks.series import Edition
from unlinkable.tables.data import Frame, frame_from_bytes, frame_to_bytes
from unlinkable.tables.series.line import About, Line
from unlinkable.tables.series.migrations import (
    MIGRATIONS,
    format_of,
    migrate,
    require_known,
    require_own_file,
)
from unlinkable.tables.series.person_keys import Keys, PersonKeys
from unlinkable.tables.series.stored_edition import EDITION, edition_from_row, edition_to_row

__all__ = ["About", "Ledger", "Line"]


class Ledger:
    """What a history has on record.

    Parameters
    ----------
    connection
        To the database.
    shown
        What the database is called in messages.
    """

    def __init__(self, connection: Any, shown: str) -> None:
        self._connection = connection
        self._shown = shown

    @classmethod
    def opened(cls, connection: Any, shown: str) -> Self | None:
        """Open what is there, to read it; None if there is no history.

        Raises
        ------
        HistoryError
            If it was written by a later version, or the file is the database of something else.
        """
        found = format_of(connection)
        require_known(found, shown)
        if found:
            return cls(connection, shown)
        require_own_file(connection, shown)
        return None

    @classmethod
    def begun(cls, connection: Any, shown: str, key: bytes | None) -> Self:
        """Open what is there, bring it up to date, or begin a history.

        Raises
        ------
        HistoryError
            If it was written by a later version, or the file is the database of something else.
        """
        found = format_of(connection)
        migrate(connection, found, shown)
        ledger = cls(connection, shown)
        if not found:
            about = About()
            about = evolve(about, key_check=PersonKeys(about.salt, key).check)
            ledger._insert(
                "unlinkable_history", {"id": 1, "format": len(MIGRATIONS), **asdict(about)}
            )
        return ledger

    def commit(self) -> None:
        """Make all that was written last."""
        self._connection.commit()

    def about(self) -> About:
        """Give what holds for all releases."""
        row = self._rows(f"SELECT {_names(About)} FROM unlinkable_history")[0]
        return About(**{**row, "salt": bytes(row["salt"]), "key_check": _bytes(row["key_check"])})

    def settle(self, policy: str, person: str) -> None:
        """Say how the history is published again, and how people are known."""
        self._run(
            "UPDATE unlinkable_history SET policy = :policy, person = :person",
            {"policy": policy, "person": person},
        )

    def lines(self) -> tuple[Line, ...]:
        """List all releases, the first one first.

        Raises
        ------
        HistoryError
            If the database is damaged.
        """
        rows = self._rows(f"SELECT {_names(Line)} FROM unlinkable_release ORDER BY number")
        if [row["number"] for row in rows] != [*range(1, len(rows) + 1)]:
            raise HistoryError(f"{self._shown} is damaged: a release is missing")
        with self._undamaged():
            return tuple(
                Line(
                    **{
                        **row,
                        "promises": tuple(json.loads(row["promises"])),
                        "findings": tuple(json.loads(row["findings"])),
                    }
                )
                for row in rows
            )

    def keys(self) -> Keys:
        """Give the keys of all people, in the order of their numbers."""
        rows = self._rows("SELECT new_keys FROM unlinkable_release ORDER BY number")
        with self._undamaged():
            return np.frombuffer(b"".join(bytes(row["new_keys"]) for row in rows), "V16")

    def editions(self) -> tuple[Edition, ...]:
        """Give what everybody sees of all releases, and whose each record is.

        Raises
        ------
        HistoryError
            If the database is damaged.
        """
        asked = ", ".join(("number", "promises", *EDITION))
        rows = self._rows(f"SELECT {asked} FROM unlinkable_release ORDER BY number")
        with self._undamaged():
            return tuple(map(edition_from_row, rows))

    def memory(self) -> dict[str, Frame]:
        """Give what the policy chose to remember."""
        rows = self._rows("SELECT name, remembered FROM unlinkable_memory ORDER BY name")
        with self._undamaged():
            return {row["name"]: frame_from_bytes(bytes(row["remembered"])) for row in rows}

    def add(
        self, line: Line, edition: Edition, new_keys: bytes, memory: Mapping[str, Frame]
    ) -> None:
        """Put a release on record."""
        self._insert(
            "unlinkable_release",
            {
                **asdict(line),
                "promises": json.dumps(line.promises),
                "findings": json.dumps(line.findings),
                "new_keys": new_keys,
                **edition_to_row(edition),
            },
        )
        self._run("DELETE FROM unlinkable_memory")
        for name, frame in memory.items():
            self._insert("unlinkable_memory", {"name": name, "remembered": frame_to_bytes(frame)})

    def moved(self, number: int) -> None:
        """Say that the bundle of a release is in its place."""
        self._run(
            "UPDATE unlinkable_release SET waiting = NULL WHERE number = :number",
            {"number": number},
        )

    @contextmanager
    def _undamaged(self) -> Iterator[None]:
        """Take what cannot be read for damaged."""
        try:
            yield
        except (DataError, ValueError, KeyError, TypeError, zlib.error):
            raise HistoryError(f"{self._shown} is damaged: a release cannot be read") from None

    def _insert(self, table: str, row: Mapping[str, object]) -> None:
        values = ", ".join(f":{name}" for name in row)
        self._run(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({values})", row)

    def _run(self, query: str, values: Mapping[str, object] | None = None) -> Any:
        text = load_extra("sqlalchemy", "history", "histories").text
        return self._connection.execute(text(query), dict(values or {}))

    def _rows(self, query: str) -> list[dict[str, Any]]:
        return [dict(row) for row in self._run(query).mappings()]


def _names(kind: type[About] | type[Line]) -> str:
    return ", ".join(name for name in kind.__annotations__)


def _bytes(found: Any) -> bytes | None:
    return None if found is None else bytes(found)
