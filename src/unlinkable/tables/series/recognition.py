"""Recognition: who is in a table, and what was published of them before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

import numpy as np
from attrs import define

from unlinkable.errors import HistoryError, SchemaError, unknown
from unlinkable.release.history import Keys, Ledger, PersonKeys, number_people
from unlinkable.tables.data import Column, Frame, Role, Schema, Table, texts_of
from unlinkable.tables.series.policy import Past
from unlinkable.tables.series.stored_edition import editions_of, memory_of
from unlinkable.typing import CountArray

__all__ = ["Names", "Recognition", "person_column", "recognize"]


@define(eq=False, frozen=True)
class Recognition:
    """Who is in a table, and what was published of them.

    Attributes
    ----------
    person
        The column that tells who somebody is.
    past
        What was published before.
    people
        The number of everybody's person.
    new_keys, n_new
        The keys of people who were in no release before, and how many they are.
    """

    person: str
    past: Past
    people: CountArray
    new_keys: bytes
    n_new: int


class Names(Sequence[str]):
    """What people are called by their numbers: as in the table, else by their key."""

    def __init__(self, people: CountArray, texts: Column | None, keys: Keys) -> None:
        self._people, self._texts, self._keys = people, texts, keys

    def __len__(self) -> int:
        return max(self._keys.size, int(self._people.max(initial=-1)) + 1)

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> list[str]: ...
    def __getitem__(self, at: int | slice) -> str | list[str]:
        if isinstance(at, slice):
            return [self[i] for i in range(len(self))[at]]
        found = np.flatnonzero(self._people == at)
        if found.size and self._texts is not None:
            return str(self._texts[int(found[0])])
        return f"key {self._keys[at].tobytes().hex()[:12]}"


def recognize(
    ledger: Ledger, table: Table, person: str | None, key: bytes | None, shown: str
) -> Recognition:
    """Find out who everybody is, and what was published of them.

    Parameters
    ----------
    ledger
        What is on record.
    table
        The records.
    person
        The column that was asked for to tell who somebody is.
    key
        The holder's key.
    shown
        What the history is called in messages.

    Raises
    ------
    HistoryError
        If people were known by another column or key before.
    SchemaError, DataError
        If nothing tells who somebody is.
    """
    facts = ledger.facts()
    keys = PersonKeys(facts.salt, key)
    keys.require(facts.key_check, shown)
    column = person_column(table.schema, person, facts.person)
    if facts.person is not None and column != facts.person:
        raise HistoryError(
            f"people are known by {facts.person!r} in {shown}, and by no other column: nobody "
            "could be recognized"
        )
    texts, before = _known_by(table.frame, column), ledger.keys()
    people, new = number_people(before, keys.digests(texts.to_list(), column))
    past = Past(
        editions_of(ledger),
        memory_of(ledger),
        before.size,
        tuple(entry.recipient for entry in ledger.entries()),
        Names(people, texts, before),
    )
    return Recognition(column, past, people, new.tobytes(), new.size)


def person_column(schema: Schema, asked: str | None, before: str | None) -> str:
    """Decide which column tells who somebody is.

    Parameters
    ----------
    schema
        The columns.
    asked
        The column that was asked for.
    before
        The column that identified people in earlier releases.

    Raises
    ------
    SchemaError
        If there is none, or several would do.
    """
    chosen = asked or before or schema.owner
    if chosen is not None:
        if chosen not in schema.names:
            raise SchemaError(f"{unknown('column', chosen, schema.names)} to know people by")
        return chosen
    naming = schema.with_role(Role.IDENTIFIER)
    if len(naming) != 1:
        there = f"{len(naming)} columns name people ({', '.join(naming)})"
        if not naming:
            there = "no column names people. If there is none, add a number that stays theirs"
        raise SchemaError(
            "say by which column people are known from one release to the next: person=..., "
            f"--person COLUMN, or person in [series]; {there}"
        )
    return naming[0]


def _known_by(frame: Frame, name: str) -> Column:
    """Give what people are known by, as texts: 7 is 7, be it kept as 7.0."""
    column = frame.get_column(name)
    if column.dtype.is_float() and (column.is_finite() & (column == column.round())).all():
        frame = frame.with_columns(column.cast(int))
    return texts_of(frame, name)
