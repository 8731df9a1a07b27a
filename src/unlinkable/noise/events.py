"""Events: every time something noisy was told about the data.

An event says which mechanism was used, on what sensitivity and with how much noise. Choices that
were made by looking at the data are events, too.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import StrEnum

from attrs import field, frozen

from unlinkable.errors import DataError, ParameterError, unknown
from unlinkable.params import at_least

__all__ = ["Event", "Mechanism"]


class Mechanism(StrEnum):
    """How something was told."""

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
