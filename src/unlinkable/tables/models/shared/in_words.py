"""Promises in words, made with their parameters, for people who do not know models."""

from __future__ import annotations

import math
from enum import Enum
from fractions import Fraction

import attrs

from unlinkable.tables.models.base.model import GroupModel

__all__ = ["number_of", "promised"]


def promised(model: GroupModel) -> str:
    """Put the promise into a sentence.

    Examples
    --------
    >>> from unlinkable.tables.models import KAnonymity, TCloseness
    >>> promised(KAnonymity(5))
    'Everybody looks like at least 4 other people: whoever knows all quasi-identifying values of
    somebody finds at least 5 records that could be theirs.'
    >>> promised(TCloseness("1/4", sensitive="ill"))
    'The values of "ill" of people who look alike are distributed nearly as those of all: at most
    0.25 apart on a scale from 0 to 1.'
    """
    values = {
        field.name: _Parameter(getattr(model, field.name))
        for field in attrs.fields(type(model))  # type: ignore[arg-type]
        if not field.name.startswith("_")
    }
    sensitive = getattr(model, "sensitive", None)
    of = "of every sensitive column" if sensitive is None else f'of "{sensitive}"'
    qid = getattr(model, "qid", None)
    known = "all quasi-identifying values" if qid is None else _listed(qid)
    if "x" in values and getattr(model, "x", None) is None:
        values["x"] = _Parameter("all quasi-identifying values")
    return model.in_words.format(**{**values, "of": of, "known": known})


class _Parameter:
    """A parameter that can be written as a share, as a number less one, or as it is."""

    def __init__(self, value: object) -> None:
        self._value = value

    def __format__(self, how: str) -> str:
        value = self._value
        if isinstance(value, tuple):
            return _listed(value)
        if isinstance(value, Enum):
            return str(value.value)
        if isinstance(value, bool) or not isinstance(value, int | float | Fraction):
            return str(value)
        match how:
            case "%":
                return f"{float(value) * 100:.4g} %"
            case "less":
                return f"{float(value) - 1:.4g}"
            case "exp":
                return _power("e", math.e, float(value))
            case "exp2":
                return _power("2", 2.0, float(value))
        return f"{float(value):.4g}"


def _power(written: str, base: float, exponent: float) -> str:
    """Give a power as a number, or as it is written if no number is so large."""
    try:
        return f"{base**exponent:.3g}"
    except OverflowError:
        return f"{written}^{exponent:.4g}"


def _listed(names: tuple[object, ...]) -> str:
    *others, last = [str(name) for name in names]
    return f"{', '.join(others)} and {last}" if others else last


def number_of(n: int, one: str, many: str | None = None) -> str:
    """Put a number of things into words.

    Examples
    --------
    >>> number_of(1, "record"), number_of(3, "record"), number_of(2, "person", "people")
    ('1 record', '3 records', '2 people')
    """
    return f"{n:,} {one if n == 1 else many or one + 's'}"
