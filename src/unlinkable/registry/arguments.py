"""Arguments: what is written for a parameter, read as what the parameter is.

Command lines, plan files and forms know numbers, texts, true and false, lists and nothing else.
Models, methods and metrics want fractions, enums and tuples. The type of the parameter tells which.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from enum import Enum
from fractions import Fraction
from types import NoneType, UnionType
from typing import Annotated, Union, get_args, get_origin

import attrs

from unlinkable.errors import ParameterError, in_short, unknown
from unlinkable.params import exact
from unlinkable.spelling import Argument, Named
from unlinkable.typing import ValueText

__all__ = ["arguments_of", "choices_of", "plain", "read_argument", "type_text"]

_WORDS = {
    bool: "true or false",
    int: "whole number",
    float: "number",
    Fraction: "number",
    str: "text",
    NoneType: "none",
}
_COLLECTIONS: tuple[type, ...] = (tuple, list, frozenset)


def type_text(hint: object) -> str:
    """Say in words what a parameter of this type may be.

    Raises
    ------
    TypeError
        If nothing that can be written down would be of this type.

    Examples
    --------
    >>> type_text(int), type_text(tuple[str, ...] | None)
    ('whole number', 'list of text or none')
    """
    if isinstance(hint, type) and issubclass(hint, Enum):
        return "text"
    if hint in _WORDS:
        return _WORDS[hint]
    origin, alternatives = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return type_text(alternatives[0])
    if origin in (Union, UnionType):
        return " or ".join(dict.fromkeys(map(type_text, alternatives)))
    if origin in _COLLECTIONS:
        return f"list of {type_text(alternatives[0])}"
    raise TypeError(f"a parameter of type {hint} cannot be written down")


def choices_of(hint: object) -> tuple[str, ...]:
    """List what may be written for an enum; nothing for any other type."""
    if isinstance(hint, type) and issubclass(hint, Enum):
        return tuple(str(member.value) for member in hint)
    return tuple(choice for alternative in get_args(hint) for choice in choices_of(alternative))


def read_argument(name: str, hint: object, value: object) -> object:
    """Read what is written for the parameter ``name`` as a value of its type.

    Raises
    ------
    ParameterError
        If it cannot be read so.

    Examples
    --------
    >>> read_argument("t", Fraction, 0.2)
    Fraction(1, 5)
    >>> read_argument("qid", tuple[str, ...] | None, ["age", "zip"])
    ('age', 'zip')
    """
    origin, alternatives = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return _read_one_of(name, alternatives, value)
    if hint == ValueText and isinstance(value, bool | int | float | date):
        return value
    if origin is Annotated:
        return read_argument(name, alternatives[0], value)
    if origin in _COLLECTIONS:
        items = value if isinstance(value, list | tuple | frozenset) else [value]
        return origin(_read_items(name, alternatives, items))
    if isinstance(hint, type) and issubclass(hint, Enum):
        # Without quotation marks, the choice "none" reads like no choice at all.
        named = "none" if value is None and "none" in choices_of(hint) else value
        return _read_member(name, hint, named)
    if hint is Fraction:
        return _read_fraction(name, value)
    if hint is float:
        return _read_float(name, value)
    is_of_type = isinstance(value, hint) if isinstance(hint, type) else False
    if not is_of_type or (isinstance(value, bool) and hint is not bool):
        raise ParameterError(f"{name} must be {_article(type_text(hint))}, got {in_short(value)}")
    return value


def plain(value: object) -> Argument:
    """Write a parameter as what a command line or a plan file can hold.

    Examples
    --------
    >>> plain(Fraction(1, 5)), plain(Fraction(1, 3)), plain(("age", "zip"))
    (0.2, '1/3', ['age', 'zip'])
    """
    match value:
        case Enum():
            return plain(value.value)
        case bool() | int() | float() | str() | None:
            return value
        case Fraction():
            return _plain_fraction(value)
        case tuple() | list():
            return [plain(item) for item in value]
        case frozenset() | set():
            return sorted((plain(item) for item in value), key=repr)
        case _:
            raise ParameterError(f"{type(value).__name__} is nothing that a plan can hold")


def arguments_of(thing: Named) -> dict[str, Argument]:
    """Give the parameters of a named thing that differ from their defaults, as they are written.

    Examples
    --------
    >>> from unlinkable.tables.models import KAnonymity
    >>> arguments_of(KAnonymity(5))
    {'k': 5}
    """
    return {
        field.alias or field.name: plain(getattr(thing, field.name))
        for field in attrs.fields(type(thing))  # type: ignore[arg-type]
        if not field.name.startswith("_") and getattr(thing, field.name) != field.default
    }


def _read_one_of(name: str, alternatives: tuple[object, ...], value: object) -> object:
    if value is None and NoneType in alternatives:
        return None
    alternatives = tuple(alternative for alternative in alternatives if alternative is not NoneType)
    for alternative in alternatives:
        try:
            return read_argument(name, alternative, value)
        except ParameterError:
            if len(alternatives) == 1:
                raise
    expected = " or ".join(
        dict.fromkeys(_article(type_text(alternative)) for alternative in alternatives)
    )
    raise ParameterError(f"{name} must be {expected}, got {in_short(value)}")


def _read_items(name: str, types: tuple[object, ...], items: Iterable[object]) -> list[object]:
    items = list(items)
    if len(types) == 1 or types[1:] == (Ellipsis,):
        return [read_argument(name, types[0], item) for item in items]
    if len(items) != len(types):
        raise ParameterError(f"{name} must be a list of {len(types)}, got {len(items)}")
    return [read_argument(name, *pair) for pair in zip(types, items, strict=True)]


def _read_member(name: str, enum: type[Enum], value: object) -> Enum:
    for member in enum:
        if value is member or (type(value) is type(member.value) and value == member.value):
            return member
    raise ParameterError(unknown(name, value, choices_of(enum)))


def _read_fraction(name: str, value: object) -> Fraction:
    try:
        return exact(value)  # type: ignore[arg-type]
    except ParameterError as error:
        raise ParameterError(str(error).replace("expected", f"{name} must be", 1)) from None


def _read_float(name: str, value: object) -> float:
    if not isinstance(value, int | float | Fraction) or isinstance(value, bool) or value != value:
        raise ParameterError(f"{name} must be a number, got {in_short(value)}")
    try:
        return float(value)
    except OverflowError:
        raise ParameterError(f"{name} is too large a number") from None


def _plain_fraction(value: Fraction) -> int | float | str:
    if value.denominator == 1:
        return value.numerator
    try:
        decimal = float(value)
    except OverflowError:
        return str(value)
    # The shortest text of a float is what it means to whoever reads it.
    return decimal if Fraction(repr(decimal)) == value else str(value)


def _article(words: str) -> str:
    return words if words in ("text", "true or false", "none") else f"a {words}"
