"""Ledger: the releases that a history has on record, read from and written to one connection.

It knows when a release was published, by which policy, for whom and with which promises, where its
bundle is, and by which keys people are recognized. What a release of some kind of data shows is
kept beside that, in columns that only this kind can read.
"""

from __future__ import annotations

import json
import secrets
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, Self

import numpy as np
from attrs import asdict, define, evolve, field

from unlinkable.errors import DataError, HistoryError
from unlinkable.extras import load_extra
from unlinkable.release.history.migrations import (
    MIGRATIONS,
    format_of,
    migrate,
    require_known,
    require_own_file,
)
from unlinkable.release.history.person_keys import Keys, PersonKeys

__all__ = ["HistoryFacts", "Ledger", "ReleaseEntry"]

_WITH_KINDS = 2
"""The first format in which releases say of what kind of data they are."""


@define(frozen=True, kw_only=True)
class HistoryFacts:
    """What holds for all releases of a history.

    Attributes
    ----------
    created
        When the history was begun.
    salt, key_check
        What the keys of people are made with (`PersonKeys`).
    policy
        The policy that releases are published by.
    person
        The column that identifies people.
    """

    created: str = field(factory=lambda: _now())
    salt: bytes = field(factory=lambda: secrets.token_bytes(32), repr=False)
    key_check: bytes | None = field(default=None, repr=False)
    policy: str | None = None
    person: str | None = None


@define(frozen=True, kw_only=True)
class ReleaseEntry:
    """One release on record.

    Attributes
    ----------
    number
        Its place in the series, from 1.
    created
        When it was published.
    recipient
        Who got it; None if everybody did.
    policy, method, promises
        How it was made, and what is promised of it alone.
    records, suppressed, new_people
        How many records were published and left out, and how many people were in no earlier
        release.
    findings
        The outcomes of the attacks that were run on it, without names.
    folder, waiting
        Where its bundle is, and from where it has still to be moved there.
    manifest
        The SHA-256 of the bundle's manifest.
    kind
        The kind of data, by its name.
    """

    number: int
    recipient: str | None
    policy: str
    method: str
    promises: tuple[str, ...]
    records: int
    suppressed: int
    new_people: int
    findings: tuple[Mapping[str, object], ...] = field(default=(), repr=False)
    folder: str | None = None
    waiting: str | None = None
    manifest: str | None = None
    kind: str = "tables"
    created: str = field(factory=lambda: _now())

    def to_json(self) -> dict[str, object]:
        """Return what is on record as ``history --json`` prints it."""
        return {
            "number": self.number,
            "created": self.created,
            "recipient": self.recipient,
            "policy": self.policy,
            "method": self.method,
            "promises": list(self.promises),
            "records": self.records,
            "suppressed": self.suppressed,
            "new_people": self.new_people,
            "bundle": self.folder,
        }


class Ledger:
    """The releases that a history has on record.

    Parameters
    ----------
    connection
        To the database.
    shown
        The name of the database in messages.
    format
        The format of the history.
    """

    def __init__(self, connection: Any, shown: str, format: int) -> None:  # noqa: A002
        self._connection = connection
        self._shown = shown
        self._format = format

    @classmethod
    def opened(cls, connection: Any, shown: str) -> Self | None:
        """Open a history to read it; None if there is none.

        Raises
        ------
        HistoryError
            If a later version wrote it, or the file is the database of something else.
        """
        found = format_of(connection)
        require_known(found, shown)
        if found:
            return cls(connection, shown, found)
        require_own_file(connection, shown)
        return None

    @classmethod
    def begun(cls, connection: Any, shown: str, key: bytes | None) -> Self:
        """Open a history and bring it up to date, or begin one.

        Raises
        ------
        HistoryError
            If a later version wrote it, or the file is the database of something else.
        """
        found = format_of(connection)
        migrate(connection, found, shown)
        ledger = cls(connection, shown, len(MIGRATIONS))
        if not found:
            facts = HistoryFacts()
            facts = evolve(facts, key_check=PersonKeys(facts.salt, key).check)
            ledger._insert(
                "unlinkable_history", {"id": 1, "format": len(MIGRATIONS), **asdict(facts)}
            )
        return ledger

    def commit(self) -> None:
        """Make everything that was written permanent."""
        self._connection.commit()

    def facts(self) -> HistoryFacts:
        """Return what holds for all releases."""
        row = self._rows(f"SELECT {_names(HistoryFacts)} FROM unlinkable_history")[0]
        salt, check = bytes(row["salt"]), row["key_check"]
        return HistoryFacts(
            **{**row, "salt": salt, "key_check": None if check is None else bytes(check)}
        )

    def settle(self, policy: str, person: str) -> None:
        """Write down the policy, and the column that identifies people."""
        self._run(
            "UPDATE unlinkable_history SET policy = :policy, person = :person",
            {"policy": policy, "person": person},
        )

    def entries(self) -> tuple[ReleaseEntry, ...]:
        """List all releases, the first one first.

        Raises
        ------
        HistoryError
            If the database is damaged.
        """
        names = _names(ReleaseEntry)
        if self._format < _WITH_KINDS:  # A history is read as it is, and migrated when it goes on.
            names = names.replace(", kind", "")
        rows = self._rows(f"SELECT {names} FROM unlinkable_release ORDER BY number")
        if [row["number"] for row in rows] != [*range(1, len(rows) + 1)]:
            raise HistoryError(f"{self._shown} is damaged: a release is missing")
        with self.undamaged():
            return tuple(
                ReleaseEntry(
                    **{
                        **row,
                        "promises": tuple(json.loads(row["promises"])),
                        "findings": tuple(json.loads(row["findings"])),
                    }
                )
                for row in rows
            )

    def keys(self) -> Keys:
        """Return the keys of all people, in the order of their numbers."""
        rows = self._rows("SELECT new_keys FROM unlinkable_release ORDER BY number")
        with self.undamaged():
            return np.frombuffer(b"".join(bytes(row["new_keys"]) for row in rows), "V16")

    def contents(self, *columns: str) -> list[dict[str, Any]]:
        """Return these columns of all releases, the first one first."""
        return self._rows(f"SELECT {', '.join(columns)} FROM unlinkable_release ORDER BY number")

    def memory(self) -> dict[str, bytes]:
        """Return what the policy stored with the last release."""
        rows = self._rows("SELECT name, remembered FROM unlinkable_memory ORDER BY name")
        return {row["name"]: bytes(row["remembered"]) for row in rows}

    def add(
        self,
        entry: ReleaseEntry,
        content: Mapping[str, object],
        new_keys: bytes,
        memory: Mapping[str, bytes],
    ) -> None:
        """Put a release on record.

        Parameters
        ----------
        entry
            The release.
        content
            What it shows, in the columns of its kind of data.
        new_keys
            The keys of people who were in no earlier release, one after the other.
        memory
            What the policy has to know for the next release, by name.
        """
        row = {
            **asdict(entry),
            "promises": json.dumps(entry.promises),
            "findings": json.dumps(entry.findings),
            "new_keys": new_keys,
            **content,
        }
        self._insert("unlinkable_release", row)
        self._run("DELETE FROM unlinkable_memory")
        for name, remembered in memory.items():
            self._insert("unlinkable_memory", {"name": name, "remembered": remembered})

    def moved(self, number: int) -> None:
        """Write down that the bundle of a release is in its place."""
        self._run(
            "UPDATE unlinkable_release SET waiting = NULL WHERE number = :number",
            {"number": number},
        )

    @contextmanager
    def undamaged(self) -> Iterator[None]:
        """Report content that cannot be read as damage.

        Raises
        ------
        HistoryError
            If something inside cannot be read.
        """
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


def _names(kind: type[HistoryFacts] | type[ReleaseEntry]) -> str:
    return ", ".join(kind.__annotations__)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
