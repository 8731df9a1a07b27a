"""What stands in the fields of a form, and what stands in a plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from unlinkable.studio.contracts import Document
from unlinkable.studio.pages.promises.parameters import Field

__all__ = ["SEVERAL", "said", "shown", "written"]

SEVERAL = ("columns", "files", "choices")
"""Kinds of fields in which several things are chosen."""


def said(fields: Sequence[Field], values: Mapping[str, Any]) -> Document:
    """Give what stands in all fields, as it goes into a plan; without what holds anyway."""
    found = [(field, written(field, values[field.name])) for field in fields]
    return {f.name: value for f, value in found if value is not None and value != f.default}


def shown(field: Field, value: Any) -> Any:
    """Turn what stands in a plan into what stands in a field."""
    if field.kind in ("lines", "rows") and isinstance(value, list):
        lines = [", ".join(map(str, v)) if isinstance(v, list) else str(v) for v in value]
        return "\n".join(lines)
    if field.kind in SEVERAL:
        return [value] if isinstance(value, str) else list(value or [])
    if field.kind == "flag":
        return bool(value)
    if field.kind in ("whole", "number") and isinstance(value, str):
        return _fraction(value)
    return value


def written(field: Field, value: Any) -> Any:
    """Turn what stands in a field into what stands in a plan; None if nothing is said.

    Examples
    --------
    >>> written(Field("k", "k", "", "whole"), 5.0), written(Field("p", "p", "", "number"), 0.30001)
    (5, 0.30001)
    >>> written(Field("points", "", "", "rows"), "1, 0, 0, 0.6")
    [[1, 0, 0, 0.6]]
    """
    if value in (None, "", []):
        return None
    if field.kind == "whole":
        return int(value)
    if field.kind == "number":
        return int(value) if float(value).is_integer() else round(float(value), 10)
    if field.kind in ("lines", "rows") and isinstance(value, str):
        return [_line(field, line.strip()) for line in value.splitlines() if line.strip()]
    return value


def _line(field: Field, line: str) -> Any:
    if field.kind == "rows":
        return [_number(part.strip()) for part in line.split(",")]
    return _number(line) if field.name == "levels" else line


def _number(text: str) -> int | float | str:
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    return text


def _fraction(text: str) -> float | None:
    """Read a number that stands as a fraction in the plan."""
    above, _, below = text.partition("/")
    try:
        return float(above) / float(below or 1)
    except (ValueError, ZeroDivisionError):
        return None
