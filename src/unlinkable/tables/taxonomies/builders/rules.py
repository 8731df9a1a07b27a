"""Rules for taxonomies in any form: as they are, as in a plan file, or as a short text."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

from unlinkable.errors import ParameterError, in_short
from unlinkable.tables.taxonomies.builders.base import TaxonomyBuilder
from unlinkable.tables.taxonomies.builders.plan_form import builder_from_plan

__all__ = ["Rule", "as_builder", "read_rule"]

Rule: TypeAlias = TaxonomyBuilder | Mapping[str, object] | str
"""A rule, its table in a plan file, or a short text such as ``intervals:5,10``."""


def as_builder(column: str, rule: Rule) -> TaxonomyBuilder:
    """Take a rule in any form; files are looked for in the current folder.

    Raises
    ------
    ParameterError, PlanError
        If it is none.

    Examples
    --------
    >>> as_builder("zip", {"mask": 5}), as_builder("sex", "flat")
    (Mask(length=5, left=False, keep=None), Flat())
    """
    if isinstance(rule, TaxonomyBuilder):
        return rule
    if not isinstance(rule, str | Mapping):
        raise ParameterError(
            f"the taxonomy of {column!r} must be one, like Intervals(5, 10), or its written form, "
            f"like 'intervals:5,10', got {in_short(rule)}"
        )
    return builder_from_plan(read_rule(rule) if isinstance(rule, str) else rule, Path())


def read_rule(text: str) -> dict[str, object]:
    """Read a short text as the table that says the same in a plan file.

    Raises
    ------
    ParameterError
        If it cannot be read so.

    Examples
    --------
    >>> read_rule("intervals:5,10"), read_rule("dates:month,year")
    ({'intervals': [5, 10]}, {'dates': ['month', 'year']})
    """
    kind, _, rest = text.partition(":")
    if kind in ("flat", "auto") and not rest:
        return {kind: True}
    if kind == "intervals":
        return {"intervals": [_number(width) for width in rest.split(",")]}
    if kind == "mask":
        return {"mask": _number(rest)}
    if kind == "dates":
        return {"dates": rest.split(",")}
    if text.endswith((".csv", ".txt")) or kind == "csv":
        return {"csv": str(Path(rest if kind == "csv" else text).resolve())}
    raise ParameterError(
        f"{text!r} is no taxonomy: expected intervals:5,10 · mask:5 · dates:month,year · flat · "
        "auto · or the name of a CSV file"
    )


def _number(text: str) -> int | float:
    try:
        return int(text)
    except ValueError:
        try:
            return float(text)
        except ValueError:
            raise ParameterError(f"expected a number in a taxonomy, got {text!r}") from None
