"""Between: parameters that lie in an interval, with or without its ends."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from unlinkable.errors import ParameterError

__all__ = ["Between"]


@frozen
class Between:
    """Refuses what is not in an interval.

    Attributes
    ----------
    lowest, highest
        The ends of the interval.
    has_lowest, has_highest
        Whether they belong to it.

    Examples
    --------
    >>> Between(0, 1, has_lowest=True).bounds
    'in [0, 1)'
    """

    lowest: int
    highest: int
    has_lowest: bool = False
    has_highest: bool = False

    @property
    def bounds(self) -> str:
        """What is allowed."""
        opening, closing = "[" if self.has_lowest else "(", "]" if self.has_highest else ")"
        return f"in {opening}{self.lowest}, {self.highest}{closing}"

    def __call__(self, instance: object, attribute: Any, value: Any) -> None:
        above = value >= self.lowest if self.has_lowest else value > self.lowest
        below = value <= self.highest if self.has_highest else value < self.highest
        if not (above and below):
            raise ParameterError(f"{attribute.name} must lie {self.bounds}, got {value}")
