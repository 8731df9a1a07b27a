"""The written form of models, methods and metrics: ``k-anonymity(k=5)``.

It is the same on the command line, in plan files, in messages and in reports: a name, and the
parameters that differ from their defaults. `write_call` writes it, `read_call` takes it apart.
"""

from __future__ import annotations

import json
import math
import re
import reprlib
from collections.abc import Mapping
from enum import Enum
from fractions import Fraction
from typing import Protocol

import attrs

from unlinkable.errors import ParameterError

__all__ = ["Argument", "Named", "finite", "quantity", "read_call", "write_call", "write_fraction"]

Argument = bool | int | float | str | Fraction | list["Argument"] | None
"""What a parameter may be in written form."""

_DEEPEST = 8
"""Lists that stand in each other: no parameter needs more."""


class Named(Protocol):
    """Something with a name in the registry."""

    @property
    def name(self) -> str:
        """The one name it has everywhere."""


def write_call(thing: Named) -> str:
    """Write a value as its name and its parameters, leaving out the defaults.

    Examples
    --------
    >>> from unlinkable.tables.models import KAnonymity
    >>> write_call(KAnonymity(k=5))
    'k-anonymity(k=5)'
    """
    given = []
    for a in attrs.fields(type(thing)):  # type: ignore[arg-type]
        value = getattr(thing, a.name)
        if value != a.default and not a.name.startswith("_"):
            given.append(f"{a.alias}={_write(value)}")
    return f"{thing.name}({', '.join(given)})" if given else thing.name


def _write(value: object) -> str:
    match value:
        case bool() | None:
            return json.dumps(value)
        case Enum():
            return json.dumps(value.value)
        case Fraction():
            return write_fraction(value)
        case tuple() | list() | frozenset():
            return f"[{', '.join(map(_write, value))}]"
        case int() | float():
            return str(value)
        case str():
            return json.dumps(value, ensure_ascii=False)
        case _:
            return str(value)


def finite(value: float) -> float | None:
    """Give a number as JSON can write it: None if it is not finite."""
    return float(value) if math.isfinite(value) else None


def write_fraction(value: Fraction) -> str:
    """Write a fraction as a decimal number if it is one, and in quotes if it is not.

    Examples
    --------
    >>> write_fraction(Fraction(1, 20)), write_fraction(Fraction(1, 3))
    ('0.05', '"1/3"')
    """
    if value.denominator == 1:
        return str(value.numerator)
    decimal = repr(float(value))
    return decimal if Fraction(decimal) == value else f'"{value}"'


_NAME = re.compile(r"\s*([a-z][a-z0-9-]*)\s*(?:\((.*)\))?\s*$", re.DOTALL)
_TOKEN = re.compile(
    r'\s*(?:(?P<text>"(?:[^"\\]|\\.)*")|(?P<word>[^\s,=\[\]()"]+)|(?P<mark>[,=\[\]]))', re.DOTALL
)


def read_call(text: str) -> tuple[str, Mapping[str, Argument]]:
    """Take a written form apart into its name and its parameters.

    Examples
    --------
    >>> read_call('entropy-l-diversity(l=3, sensitive="disease")')
    ('entropy-l-diversity', {'l': 3, 'sensitive': 'disease'})
    >>> read_call("mondrian")
    ('mondrian', {})
    """
    match = _NAME.match(text)
    if not match:
        raise ParameterError(
            f"cannot read {text!r}: expected a name and its parameters, like k-anonymity(k=5)"
        )
    name, inside = match.group(1), match.group(2) or ""
    tokens = _tokens(text, inside)
    arguments: dict[str, Argument] = {}
    while tokens:
        if len(tokens) < 3 or tokens[1] != ("mark", "=") or tokens[0][0] != "word":
            raise ParameterError(f"cannot read {text!r}: write parameters as name=value")
        parameter = tokens[0][1]
        if parameter in arguments:
            raise ParameterError(f"cannot read {text!r}: {parameter!r} is given twice")
        del tokens[:2]
        arguments[parameter] = _value(text, tokens)
        if tokens and tokens.pop(0) != ("mark", ","):
            raise ParameterError(f"cannot read {text!r}: put a comma between parameters")
    return name, arguments


def _tokens(text: str, inside: str) -> list[tuple[str, str]]:
    tokens, at = [], 0
    inside = inside.rstrip()
    while at < len(inside):
        match = _TOKEN.match(inside, at)
        if not match:
            raise ParameterError(f"cannot read {text!r} from {inside[at:]!r} on")
        tokens.append((match.lastgroup or "", match.group(match.lastgroup or 0)))
        at = match.end()
    return tokens


def _value(text: str, tokens: list[tuple[str, str]], depth: int = 0) -> Argument:
    kind, token = tokens.pop(0) if tokens else ("", "")
    if kind == "text":
        try:
            return str(json.loads(token, strict=False))
        except ValueError:
            raise ParameterError(
                f"cannot read {text!r}: {token} is no text (write a backslash twice)"
            ) from None
    if kind == "word":
        return _word(token)
    if token != "[":
        raise ParameterError(f"cannot read {text!r}: a value is missing")
    if depth == _DEEPEST:
        raise ParameterError(
            f"cannot read {reprlib.repr(text)}: lists may stand in lists {_DEEPEST} deep"
        )
    items: list[Argument] = []
    while tokens and tokens[0] != ("mark", "]"):
        items.append(_value(text, tokens, depth + 1))
        if tokens and tokens[0] == ("mark", ","):
            tokens.pop(0)
    if not tokens:
        raise ParameterError(f"cannot read {text!r}: a ']' is missing")
    tokens.pop(0)
    return items


def _word(word: str) -> Argument:
    constants: dict[str, Argument] = {"true": True, "false": False, "null": None, "none": None}
    if word.lower() in constants:
        return constants[word.lower()]
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            continue
    return word


def quantity(n: int, one: str, many: str | None = None) -> str:
    """Say how many there are.

    Examples
    --------
    >>> quantity(1, "record"), quantity(1200, "record")
    ('1 record', '1,200 records')
    """
    return f"{n:,} {one if n == 1 else many or one + 's'}"
