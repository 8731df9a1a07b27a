"""Ledger: all noise that was ever spent on a table."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Self

from attrs import evolve, field, frozen

from unlinkable.errors import DataError, ParameterError, unknown
from unlinkable.params import Choice, at_least

__all__ = ["Event", "Ledger", "Mechanism", "Neighbours"]

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
    """The noise events behind a release, in their order.

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
        """Record a noise event."""
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


class Mechanism(StrEnum):
    """How noise was added."""

    LAPLACE = "laplace"
    """Laplace noise of a scale on a number of a sensitivity."""
    GEOMETRIC = "geometric"
    """Two-sided geometric noise of a scale on a whole number of a sensitivity."""
    GAUSSIAN = "gaussian"
    """Gaussian noise of a standard deviation (scale) on a vector of a sensitivity in L2."""
    RANDOMIZED_RESPONSE = "randomized-response"
    """Every person tells the truth with a probability, and else any other category."""
    PURE = "pure"
    """Any mechanism that is proved to cost epsilon, such as the exponential one."""
    CONCENTRATED = "concentrated"
    """Any mechanism that is proved to cost rho of zero-concentrated differential privacy."""
    APPROXIMATE = "approximate"
    """Any mechanism that is proved to cost epsilon and delta."""


_PARAMETERS: Mapping[Mechanism, tuple[str, ...]] = {
    Mechanism.LAPLACE: ("sensitivity", "scale"),
    Mechanism.GEOMETRIC: ("sensitivity", "scale"),
    Mechanism.GAUSSIAN: ("sensitivity", "scale"),
    Mechanism.RANDOMIZED_RESPONSE: ("truth", "categories"),
    Mechanism.PURE: ("epsilon",),
    Mechanism.CONCENTRATED: ("rho",),
    Mechanism.APPROXIMATE: ("epsilon", "delta"),
}
"""What must be known of an event to price it."""


@frozen
class Event:
    """One use of noise, or several of the same kind.

    Attributes
    ----------
    mechanism
        How something was told.
    parameters
        What it costs depends on: ``sensitivity`` and ``scale`` for added noise, ``truth`` and
        ``categories`` for randomized response, ``epsilon``, ``rho`` or ``epsilon`` and ``delta``
        for what is proved elsewhere.
    times
        How often it was done.
    what
        What was told, in words.
    partition, cell
        If it was told from the records of one cell of a partition of the data alone: which.

    Examples
    --------
    >>> Event("laplace", {"sensitivity": 1, "scale": 2}, what="number of patients").times
    1
    """

    mechanism: Mechanism = field(converter=Mechanism)
    parameters: Mapping[str, float] = field(hash=False)
    times: int = field(default=1, validator=at_least(1), kw_only=True)
    what: str = field(default="", kw_only=True)
    partition: str | None = field(default=None, kw_only=True)
    cell: str | None = field(default=None, kw_only=True)

    @parameters.validator
    def _are_complete(self, attribute: object, value: Mapping[str, float]) -> None:
        wanted = _PARAMETERS[self.mechanism]
        for name in value:
            if name not in wanted:
                raise ParameterError(f"{unknown('parameter', name, wanted)} of {self.mechanism}")
        for name in wanted:
            number = value.get(name)
            if not isinstance(number, int | float) or isinstance(number, bool):
                raise ParameterError(f"{self.mechanism} needs a number for {name}")
            if not math.isfinite(number) or number < 0 or (name == "scale" and number == 0):
                raise ParameterError(f"{name} of {self.mechanism} cannot be {number}")
        if self.mechanism is Mechanism.RANDOMIZED_RESPONSE:
            _require_response(value["truth"], value["categories"])

    def __attrs_post_init__(self) -> None:
        if (self.partition is None) != (self.cell is None):
            raise ParameterError("name both the partition and its cell, or neither")


def _require_response(truth: float, categories: float) -> None:
    if categories != int(categories) or categories < 2:
        raise ParameterError(f"randomized-response has {categories} categories, not 2 or more")
    if not 1 / categories <= truth < 1:
        raise ParameterError(
            f"truth of randomized-response must lie in [1/{int(categories)}, 1), got {truth}"
        )


def event_from_json(found: object) -> Event:
    """Read an event from its JSON object.

    Raises
    ------
    DataError
        If it is none.
    """
    if not isinstance(found, Mapping) or "mechanism" not in found:
        raise DataError("an event must be an object with a key 'mechanism'")
    others = {"times", "what", "partition", "cell"}
    told = {name: value for name, value in found.items() if name in others}
    numbers = {n: v for n, v in found.items() if n not in {*others, "mechanism"}}
    mechanism = found["mechanism"]
    if mechanism not in list(Mechanism):
        raise DataError(unknown("mechanism", mechanism, list(Mechanism)))
    try:
        return Event(mechanism, numbers, **told)
    except (ParameterError, TypeError) as error:
        raise DataError(str(error)) from None


def event_to_json(event: Event) -> dict[str, object]:
    """Write an event as a JSON object."""
    told = {"times": event.times if event.times > 1 else None, "what": event.what or None}
    told |= {"partition": event.partition, "cell": event.cell}
    return {
        "mechanism": event.mechanism.value,
        **event.parameters,
        **{name: value for name, value in told.items() if value is not None},
    }
