"""Checks of parameters, in one wording.

Converters make the value exact; validators refuse invalid values. Both are meant for attrs
fields: ``k: int = field(validator=at_least(2))``. A validator also says in words what it allows
(`bounds_of`), for help texts and forms.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import Any, ClassVar, Never

from attrs import frozen

from unlinkable.errors import ParameterError, in_short, unknown

__all__ = [
    "Between",
    "Choice",
    "as_columns",
    "at_least",
    "at_most",
    "bounds_of",
    "exact",
    "exact_or_none",
    "is_flag",
    "is_share",
    "one_of",
    "positive",
    "refuse_twice",
]

_WHOLE = (int, "int", "int | None")
"""Types of fields that hold whole numbers, as attrs knows them."""

_LARGEST_WHOLE = 2**63 - 1
"""Whole numbers beyond count nothing: what is counted has 64 bits."""

_LARGEST = 10**300
"""Numbers beyond, or as near to 0, cannot be compared with what is measured."""

_VAST = re.compile(r"[eE][+-]?[0-9_]{4,}")
"""An exponent that would take all memory to write out as a fraction."""


class Choice(StrEnum):
    """Named choices for a parameter; what is none of them is refused, by the noun for the choice.

    Examples
    --------
    >>> class NoiseShape(Choice, noun="shape of noise"):
    ...     UNIFORM = "uniform"
    >>> NoiseShape("unifrom")
    Traceback (most recent call last):
    ...
    unlinkable.errors.ParameterError: no shape of noise 'unifrom' among 1 (did you mean 'uniform'?)
    """

    _noun: ClassVar[str]

    def __init_subclass__(cls, noun: str | None = None) -> None:
        super().__init_subclass__()
        cls._noun = noun or cls.__name__.lower()

    @classmethod
    def _missing_(cls, value: object) -> Never:
        raise ParameterError(unknown(cls._noun, value, cls))


def exact(value: float | int | str | Fraction | Decimal) -> Fraction:
    """Read a number as the fraction that was meant: 0.1 is one tenth, "2/3" two thirds.

    Examples
    --------
    >>> exact(0.1), exact("2/3")
    (Fraction(1, 10), Fraction(2, 3))
    """
    if isinstance(value, bool) or (isinstance(value, str) and _VAST.search(value)):
        raise ParameterError(f"expected a number, got {in_short(value)}")
    try:
        # The shortest text of a float is what its author wrote.
        read = Fraction(repr(float(value))) if isinstance(value, float) else Fraction(value)
    except (ValueError, TypeError, ZeroDivisionError, OverflowError):
        raise ParameterError(
            f"expected a number or a fraction like 2/3, got {in_short(value)}"
        ) from None
    if max(abs(read.numerator), read.denominator) > _LARGEST:
        raise ParameterError(f"expected a number of at most 300 digits, got {in_short(value)}")
    return read


def exact_or_none(value: float | int | str | Fraction | Decimal | None) -> Fraction | None:
    """Read a number as `exact` does, if there is one."""
    return None if value is None else exact(value)


def as_columns(value: str | Iterable[str] | None) -> tuple[str, ...] | None:
    """Read one name or several as a tuple of names.

    Raises
    ------
    ParameterError
        If it is neither, or one is named twice.

    Examples
    --------
    >>> as_columns("age"), as_columns(["age", "sex"])
    (('age',), ('age', 'sex'))
    """
    if value is None:
        return None
    names = (value,) if isinstance(value, str) or not isinstance(value, Iterable) else tuple(value)
    if not all(isinstance(name, str) for name in names):
        raise ParameterError(f"expected a name or a list of names, got {in_short(value)}")
    refuse_twice(names)
    return names


def refuse_twice(names: Iterable[object]) -> None:
    """Refuse a list that names something twice.

    Raises
    ------
    ParameterError
        If it does.
    """
    if double := [name for name, n in Counter(names).items() if n > 1]:
        raise ParameterError(f"{double[0]!r} is named twice: name each once")


@frozen
class AtLeast:
    """Refuses numbers below ``lowest``."""

    lowest: int

    @property
    def bounds(self) -> str:
        """What is allowed."""
        return f"at least {self.lowest}"

    def __call__(self, instance: object, attribute: Any, value: Any) -> None:
        is_whole = isinstance(value, int) and not isinstance(value, bool)
        if attribute.type in _WHOLE and not is_whole:
            raise ParameterError(f"{attribute.name} must be a whole number, got {in_short(value)}")
        if not value >= self.lowest:
            raise ParameterError(
                f"{attribute.name} must be at least {self.lowest}, got {in_short(value)}"
            )
        if attribute.type in _WHOLE and value > _LARGEST_WHOLE:
            raise ParameterError(
                f"{attribute.name} must be at most {_LARGEST_WHOLE}, got {in_short(value)}"
            )


def at_least(lowest: int) -> AtLeast:
    """Refuse numbers below ``lowest``, and for an ``int`` field what is not a whole number."""
    return AtLeast(lowest)


@frozen
class AtMost:
    """Refuses numbers above ``highest``."""

    highest: int

    @property
    def bounds(self) -> str:
        """What is allowed."""
        return f"at most {self.highest}"

    def __call__(self, instance: object, attribute: Any, value: Any) -> None:
        if not value <= self.highest:
            raise ParameterError(
                f"{attribute.name} must be at most {self.highest}, got {in_short(value)}"
            )


def at_most(highest: int) -> AtMost:
    """Refuse numbers above ``highest``."""
    return AtMost(highest)


@frozen
class Positive:
    """Refuses zero and less."""

    bounds: str = "greater than 0"

    def __call__(self, instance: object, attribute: Any, value: Any) -> None:
        if not value > 0:
            raise ParameterError(f"{attribute.name} must be greater than 0, got {in_short(value)}")


positive = Positive()
"""Refuse zero and less."""


@frozen
class Share:
    """Refuses what is not in (0, 1]."""

    bounds: str = "in (0, 1]"

    def __call__(self, instance: object, attribute: Any, value: Any) -> None:
        if not 0 < value <= 1:
            raise ParameterError(f"{attribute.name} must lie in (0, 1], got {in_short(value)}")


is_share = Share()
"""Refuse what is not in (0, 1]."""


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
            raise ParameterError(f"{attribute.name} must lie {self.bounds}, got {in_short(value)}")


def is_flag(instance: object, attribute: Any, value: object) -> None:
    """Refuse what is neither true nor false."""
    if not isinstance(value, bool):
        raise ParameterError(f"{attribute.name} must be true or false, got {in_short(value)}")


@frozen
class OneOf:
    """Refuses what is not listed."""

    allowed: tuple[object, ...]

    @property
    def bounds(self) -> str:
        """What is allowed."""
        return f"one of {', '.join(map(str, self.allowed))}"

    def __call__(self, instance: object, attribute: Any, value: Any) -> None:
        if value not in self.allowed:
            raise ParameterError(
                f"{attribute.name} must be one of {self.allowed}, got {in_short(value)}"
            )


def one_of(*allowed: object) -> OneOf:
    """Refuse what is not listed."""
    return OneOf(allowed)


def bounds_of(validator: object) -> str | None:
    """Say in words what a validator allows; None if it does not tell.

    Validators that attrs puts around others (`optional`, `and_`) are looked into.

    Examples
    --------
    >>> bounds_of(at_least(2)), bounds_of(None)
    ('at least 2', None)
    """
    if isinstance(bounds := getattr(validator, "bounds", None), str):
        return bounds
    inside = getattr(validator, "_validators", None) or [getattr(validator, "validator", None)]
    told = [text for part in inside if part is not None and (text := bounds_of(part))]
    return " and ".join(told) or None
