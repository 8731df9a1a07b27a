"""What is done with the past when a growing table is published again."""

from __future__ import annotations

from enum import Enum

from unlinkable.errors import ParameterError

__all__ = ["Strategy", "as_strategy"]


class Strategy(Enum):
    """What the next release has to do with earlier ones."""

    CHECKED = "checked"
    """All records are put into groups anew, and no step may open a channel to earlier releases."""
    MERGE = "merge"
    """New records are put into groups of their own; the others stay as they were published."""
    STATIC = "static"
    """All records are put into groups as if nothing had been published before: unsafe."""


def as_strategy(value: Strategy | str) -> Strategy:
    """Read what is done with the past.

    Examples
    --------
    >>> as_strategy("merge")
    <Strategy.MERGE: 'merge'>
    """
    if isinstance(value, Strategy):
        return value
    try:
        return Strategy(value)
    except ValueError:
        known = ", ".join(repr(member.value) for member in Strategy)
        raise ParameterError(f"strategy must be one of {known}, got {value!r}") from None
