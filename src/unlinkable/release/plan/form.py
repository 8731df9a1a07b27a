"""Form: what a plan or a manifest must look like, and what to say when it does not.

The forms are pydantic models. Nothing is converted on the way in: a number in quotes is text. What
pydantic finds wrong is said in the words of this library.
"""

from __future__ import annotations

import reprlib
from collections.abc import Mapping
from datetime import date, time
from fractions import Fraction
from typing import Annotated, ClassVar, TypeAlias, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError, model_validator
from pydantic_core import ErrorDetails

from unlinkable.errors import unknown
from unlinkable.params import exact
from unlinkable.registry import plain

__all__ = ["Exact", "Form", "Location", "Many", "complaints"]

Location: TypeAlias = tuple[str | int, ...]
"""Where in a document something is: keys, and positions in lists."""

T = TypeVar("T")

_EXPECTED = {
    "bool_type": "must be true or false",
    "date_type": "must be a day, like 2026-01-31",
    "dict_type": "must be a table",
    "finite_number": "must be a finite number",
    "float_type": "must be a number",
    "greater_than": "must be greater than {gt}",
    "greater_than_equal": "must be at least {ge}",
    "int_type": "must be a whole number",
    "mapping_type": "must be a table",
    "model_type": "must be a table",
    "less_than_equal": "must be at most {le}",
    "string_too_short": "must not be empty",
    "too_long": "must have at most {max_length} items",
    "string_type": "must be text",
    "string_unicode": "must be text",
    "tuple_type": "must be a list",
}


class Form(BaseModel):
    """A table with known keys."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, strict=True, allow_inf_nan=False, defer_build=True
    )

    noun: ClassVar[str] = "key"
    """What its keys are called in messages."""

    @classmethod
    def arrange(cls, given: Mapping[str, object]) -> Mapping[str, object]:
        """Sort what stands in the document into the fields; nothing to do for most forms."""
        return given

    def to_plain(self) -> dict[str, object]:
        """Give the table as it stands in a document, without what it leaves to the defaults."""
        return _plain_table(self.model_dump(exclude_defaults=True))

    @model_validator(mode="before")
    @classmethod
    def _has_the_right_keys(cls, given: object) -> object:
        if not isinstance(given, Mapping):
            return given
        given = cls.arrange(given)
        known = cls.model_fields
        for key in given:
            if key not in known:
                raise ValueError(unknown(cls.noun, key, known))
        for key, field in known.items():
            if field.is_required() and key not in given:
                raise ValueError(f"{cls.noun} {key!r} is missing: {field.description}")
        return dict(given)


def _plain_table(table: Mapping[str, object]) -> dict[str, object]:
    return {str(key): _plain(value) for key, value in table.items() if value is not None}


def _plain(value: object) -> object:
    match value:
        case Mapping():
            return _plain_table(value)
        case list() | tuple():
            return [_plain(item) for item in value]
        case date() | time():
            return value
        case _:
            return plain(value)


def _as_tuple(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


def _as_fraction(value: object) -> Fraction:
    return exact(value)  # type: ignore[arg-type]


Many = Annotated[tuple[T, ...], BeforeValidator(_as_tuple)]
"""A list in the document, a tuple in the value."""

Exact: TypeAlias = Annotated[Fraction, BeforeValidator(_as_fraction)]
"""A number that is meant exactly, or a fraction as text."""


def complaints(error: ValidationError) -> list[tuple[Location, str]]:
    """Say what is wrong, and where.

    Examples
    --------
    >>> class Person(Form):
    ...     age: int
    >>> try:
    ...     Person.model_validate({"age": "30"})
    ... except ValidationError as error:
    ...     complaints(error)
    [(('age',), "must be a whole number, got '30'")]
    """
    by_place: dict[Location, list[ErrorDetails]] = {}
    for detail in error.errors(include_url=False):
        by_place.setdefault(detail["loc"], []).append(detail)
    return [(place, _say(details[0])) for place, details in by_place.items()]


def _say(detail: ErrorDetails) -> str:
    if detail["type"] == "value_error":
        return str(detail["ctx"]["error"])
    got = f", got {reprlib.repr(detail['input'])}"
    if detail["type"] in _EXPECTED:
        return _EXPECTED[detail["type"]].format(**detail.get("ctx", {})) + got
    return detail["msg"][0].lower() + detail["msg"][1:] + got
