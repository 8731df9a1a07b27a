"""Errors, by who can correct them.

Every message says what was asked, what is there, and what to do about it. Values of real records
never appear in a message unless they are the subject of it (a value that a taxonomy lacks).
"""

from __future__ import annotations

import reprlib
from collections.abc import Iterable
from difflib import get_close_matches
from fractions import Fraction

__all__ = [
    "BundleError",
    "ChannelError",
    "DataError",
    "HistoryError",
    "InfeasibleError",
    "MissingExtraError",
    "ParameterError",
    "PlanError",
    "SchemaError",
    "TaxonomyError",
    "UnlinkableError",
    "UnsupportedError",
    "in_short",
    "unknown",
]


_LONG = 10**100
"""Whole numbers beyond are not written out in messages."""


class UnlinkableError(Exception):
    """Anything that this library refuses to do, with the reason and the remedy."""


class ParameterError(UnlinkableError, ValueError):
    """A parameter has an invalid value."""


class DataError(UnlinkableError, ValueError):
    """A file or frame cannot be read as a table."""


class MissingExtraError(DataError):
    """A library that was not installed is needed: an extra names it."""


class SchemaError(UnlinkableError, ValueError):
    """Columns are missing, have no role, or have two."""


class TaxonomyError(UnlinkableError, ValueError):
    """A taxonomy does not fit its column, or is no tree."""


class PlanError(UnlinkableError, ValueError):
    """A plan file cannot be understood."""


class UnsupportedError(UnlinkableError):
    """A method cannot serve this promise; the message names one that can."""


class InfeasibleError(UnlinkableError):
    """No release of this table keeps the promise; the message says what would help."""


class BundleError(UnlinkableError):
    """A bundle is damaged, incomplete, or from a later version."""


class HistoryError(UnlinkableError):
    """A history cannot be opened, is locked by another process, or does not fit the request."""


class ChannelError(UnlinkableError):
    """A release would undo the protection of earlier ones, or they its own; nothing was published.

    Attributes
    ----------
    outcomes
        The attacks that exposed people.
    """

    def __init__(self, message: str, outcomes: Iterable[object] = ()) -> None:
        super().__init__(message)
        self.outcomes = tuple(outcomes)


def unknown(what: str, name: object, known: Iterable[object]) -> str:
    """Say that a name is not among those that are known, and which one may be meant.

    The standard library is fast enough for one name among some hundred, and costs no start-up time.

    Examples
    --------
    >>> print(unknown("value", "HVI", ["HIV", "Flu", "Cold"]))
    no value 'HVI' among 3 (did you mean 'HIV'?)
    >>> print(unknown("column", "zip", ["age", "sex"]))
    no column 'zip' among 2 (there are 'age', 'sex')
    """
    names = [str(k) for k in known]
    text = f"no {what} {str(name)!r} among {len(names)}"
    if close := get_close_matches(str(name), names, n=1):
        return f"{text} (did you mean {close[0]!r}?)"
    if 0 < len(names) <= 12:
        return f"{text} (there are {', '.join(map(repr, names))})"
    return text


def in_short(value: object) -> str:
    """Show what was given for a parameter; of whatever may hold records, only what it is.

    Examples
    --------
    >>> in_short(5), in_short(["a", 1]), in_short([{"name": "Ann"}])
    ('5', "['a', 1]", 'a list')
    """
    items = value if isinstance(value, list | tuple) else [value]
    exact = [item for item in items if isinstance(item, int | Fraction)]
    if any(max(abs(item.numerator), item.denominator) > _LONG for item in exact):
        return "a number of too many digits"
    if isinstance(value, Fraction):
        return str(value)
    if all(isinstance(item, str | int | float | Fraction | None) for item in items):
        return reprlib.repr(value)
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"
