"""Checks of parameters, in one wording.

Converters make the value exact; validators refuse what means nothing. Both are meant for attrs
fields: ``k: int = field(validator=at_least(2))``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Any

from unlinkable.errors import ParameterError

__all__ = ["as_columns", "at_least", "exact", "is_share", "one_of", "positive"]


def exact(value: float | int | str | Fraction | Decimal) -> Fraction:
    """Read a number as the fraction that was meant: 0.1 is one tenth, "2/3" two thirds.

    Examples
    --------
    >>> exact(0.1), exact("2/3")
    (Fraction(1, 10), Fraction(2, 3))
    """
    if isinstance(value, bool):
        raise ParameterError(f"expected a number, got {value!r}")
    try:
        # The shortest text of a float is what its author wrote.
        return Fraction(repr(value)) if isinstance(value, float) else Fraction(value)
    except (ValueError, TypeError, ZeroDivisionError):
        raise ParameterError(f"expected a number or a fraction like 2/3, got {value!r}") from None


def as_columns(value: str | Iterable[str] | None) -> tuple[str, ...] | None:
    """Read one name or several as a tuple of names."""
    if value is None:
        return None
    return (value,) if isinstance(value, str) else tuple(value)


def at_least(lowest: int) -> Callable[[Any, Any, Any], None]:
    """Refuse numbers below ``lowest``, and for an ``int`` field what is not a whole number."""

    def check(instance: object, attribute: Any, value: Any) -> None:
        is_whole = isinstance(value, int) and not isinstance(value, bool)
        if attribute.type in (int, "int") and not is_whole:
            raise ParameterError(f"{attribute.name} must be a whole number, got {value!r}")
        if not value >= lowest:
            raise ParameterError(f"{attribute.name} must be at least {lowest}, got {value}")

    return check


def positive(instance: object, attribute: Any, value: Any) -> None:
    """Refuse zero and less."""
    if not value > 0:
        raise ParameterError(f"{attribute.name} must be greater than 0, got {value}")


def is_share(instance: object, attribute: Any, value: Any) -> None:
    """Refuse what is not in (0, 1]."""
    if not 0 < value <= 1:
        raise ParameterError(f"{attribute.name} must lie in (0, 1], got {value}")


def one_of(*allowed: object) -> Callable[[Any, Any, Any], None]:
    """Refuse what is not listed."""

    def check(instance: object, attribute: Any, value: Any) -> None:
        if value not in allowed:
            raise ParameterError(f"{attribute.name} must be one of {allowed}, got {value!r}")

    return check
