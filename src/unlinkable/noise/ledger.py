"""Ledger: all noise that was ever spent on a table."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Self

from attrs import evolve, field, frozen

from unlinkable.errors import DataError, ParameterError, unknown
from unlinkable.noise.events import Event, event_from_json, event_to_json
from unlinkable.params import Choice

__all__ = ["Ledger", "Neighbours"]

_FORMAT = 1


class Neighbours(Choice, noun="kind of neighbours"):
    """Which tables must look alike: those that differ in one person, in this sense."""

    ADD_REMOVE = "add-remove"
    """One of them has a person more."""
    REPLACE = "replace"
    """They have as many people, and one person is another."""


def _as_tuple(events: Iterable[Event]) -> tuple[Event, ...]:
    return tuple(events)


@frozen
class Ledger:
    """What was told about a table with noise, in the order in which it was told.

    Attributes
    ----------
    events
        The entries.
    neighbours
        For which neighbouring tables the sensitivities hold.

    Examples
    --------
    >>> ledger = Ledger().spend(Event("laplace", {"sensitivity": 1, "scale": 2}))
    >>> Ledger.from_json(ledger.to_json()) == ledger
    True
    """

    events: tuple[Event, ...] = field(default=(), converter=_as_tuple)
    neighbours: Neighbours = field(default=Neighbours.ADD_REMOVE, converter=Neighbours)

    def spend(self, *events: Event) -> Self:
        """Write down what was told."""
        return evolve(self, events=(*self.events, *events))

    def to_json(self) -> dict[str, object]:
        """Give the ledger as a JSON object."""
        return {
            "format": _FORMAT,
            "neighbours": self.neighbours.value,
            "events": [event_to_json(event) for event in self.events],
        }

    @classmethod
    def from_json(cls, document: object) -> Self:
        """Read a ledger from its JSON object.

        Raises
        ------
        DataError
            If it is none, or comes from a later version.
        """
        if not isinstance(document, dict) or not isinstance(document.get("events"), list):
            raise DataError("a ledger must be an object with a list 'events'")
        if (number := document.get("format", _FORMAT)) != _FORMAT:
            raise DataError(f"the ledger has format {number}, and this version reads {_FORMAT}")
        if strange := sorted(set(document) - {"format", "neighbours", "events"}):
            raise DataError(unknown("key", strange[0], ["format", "neighbours", "events"]))
        events = []
        for i, found in enumerate(document["events"], start=1):
            try:
                events.append(event_from_json(found))
            except DataError as error:
                raise DataError(f"event {i}: {error}") from None
        try:
            return cls(events, document.get("neighbours", Neighbours.ADD_REMOVE))
        except ParameterError as error:
            raise DataError(str(error)) from None

    @classmethod
    def load(cls, file: Path) -> Self:
        """Read a ledger from a JSON file.

        Raises
        ------
        DataError
            If there is none, or it cannot be read.
        """
        try:
            return cls.from_json(json.loads(file.read_bytes()))
        except OSError as error:
            raise DataError(f"cannot read the ledger {file}: {error.strerror}") from None
        except ValueError as error:
            said = str(error) if isinstance(error, DataError) else "it is not JSON"
            raise DataError(f"cannot read the ledger {file}: {said}") from None
