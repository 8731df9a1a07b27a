"""What can go wrong, by who can put it right.

Every message says what was asked, what is there, and what to do about it. Values of real records
never appear in a message unless they are the subject of it (a value that a taxonomy lacks).
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = [
    "BundleError",
    "DataError",
    "InfeasibleError",
    "MissingExtraError",
    "ParameterError",
    "PlanError",
    "SchemaError",
    "TaxonomyError",
    "UnlinkableError",
    "UnsupportedError",
    "unknown",
]


class UnlinkableError(Exception):
    """Anything that this library refuses to do, with the reason and the remedy."""


class ParameterError(UnlinkableError, ValueError):
    """A parameter has a value that means nothing."""


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


def unknown(what: str, name: object, known: Iterable[object]) -> str:
    """Say that a name is not among those that are known, and which one may be meant.

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
