"""Published values, read without the library: what a text covers, by the page on published values.

Originals are plain Python values (text, int, float, date, bool; None and nan are missing), and
published ones are texts, or None where nothing is shown.
"""

from __future__ import annotations

import json
import math
import re
from datetime import date
from fractions import Fraction

__all__ = ["Cell", "Value", "as_text", "covers", "interval", "is_missing", "members", "number"]

Value = str | int | float | date | bool | None
Cell = str | None

_NUMBER = r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?"
_DAY = r"-?\d{4,}-\d\d-\d\d"
_BETWEEN = re.compile(rf"\[({_DAY}|{_NUMBER})-({_DAY}|{_NUMBER})\)")
_OPEN = re.compile(rf"(<|>=)({_DAY}|{_NUMBER})")


def is_missing(value: Value) -> bool:
    """Whether there is no value."""
    return value is None or (isinstance(value, float) and math.isnan(value))


def as_text(value: Value) -> Cell:
    """How a value is published if nothing is done to it."""
    if value is None or is_missing(value):
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.isoformat() if isinstance(value, date) else str(value)


def number(value: Value) -> Fraction | None:
    """The number that a value or a text stands for, in days for a date; None if it is neither."""
    if value is None or is_missing(value):
        return None
    if isinstance(value, date):
        return Fraction(value.toordinal())
    if isinstance(value, str):
        try:
            return Fraction(date.fromisoformat(value).toordinal())
        except ValueError:
            pass
    try:
        return Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        return None


def same(text: str, value: Value) -> bool:
    """Whether a text is a value as it was."""
    if isinstance(value, str | bool):
        return text == as_text(value)
    return number(text) == number(value) is not None


def interval(text: str) -> tuple[Fraction | None, Fraction | None] | None:
    """The ends of a published interval, None for an open one; None if it is no interval."""
    if found := _BETWEEN.fullmatch(text):
        return number(found[1]), number(found[2])
    if found := _OPEN.fullmatch(text):
        end = number(found[2])
        return (None, end) if found[1] == "<" else (end, None)
    return None


def members(text: str) -> list[str] | None:
    """What a published set holds; None if it is no set."""
    if not (text.startswith("{") and text.endswith("}")):
        return None
    inside, at = text[1:-1], 0
    found: list[str] = []
    while at < len(inside):
        if inside[at] == '"':
            quoted, at = json.JSONDecoder().raw_decode(inside, at)
            found.append(quoted)
        else:
            end = inside.find(", ", at)
            end = len(inside) if end < 0 else end
            found.append(inside[at:end])
            at = end
        at += 2
    return found


def covers(text: Cell, value: Value, labels: list[str] | None) -> bool:
    """Whether a published text is true of a value.

    Parameters
    ----------
    labels
        The nodes above the value in the taxonomy that was given.
    """
    if text == "*":
        return True
    if text is None or is_missing(value):
        # Among texts, "NaN" is a text like any other.
        is_nan = text == "NaN" and isinstance(value, float)
        return (text is None or is_nan) and is_missing(value)
    if same(text, value) or (labels is not None and text in labels):
        return True
    ends = None if isinstance(value, str | bool) else interval(text)
    if ends is not None:
        lower, upper = ends
        place = number(value)
        return (
            place is not None
            and (lower is None or lower <= place)
            and (upper is None or place < upper)
        )
    listed = members(text)
    return listed is not None and as_text(value) in listed
