"""Statements: what an adversary knows of the records besides the release, as linear equations."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

from attrs import frozen

from unlinkable.errors import DataError, ParameterError, SchemaError, unknown
from unlinkable.params import exact
from unlinkable.tables.data import SideTable
from unlinkable.tables.models.shared.value_prior import probability
from unlinkable.typing import Columns

__all__ = ["Condition", "Statement", "Term", "read_statements"]

Condition: TypeAlias = tuple[tuple[str, str], ...]
"""Columns, and the value, label, interval or set that people have on each."""

_RESERVED = ("id", "value", "p", "weight")
"""Columns that are no condition."""


@frozen
class Term:
    """The probability of a value among those who meet a condition, times a weight.

    Attributes
    ----------
    condition
        Whom it is about; empty for everybody.
    value
        The sensitive value, label, interval or set; None for the missing value.
    weight
        What the probability is multiplied with.
    """

    condition: Condition
    value: str | None
    weight: Fraction = Fraction(1)


@frozen
class Statement:
    """Some terms add up to ``p``."""

    label: str
    terms: tuple[Term, ...]
    p: Fraction


def read_statements(side: SideTable, quasi: Columns) -> tuple[Statement, ...]:
    """Read a side table of statements.

    Every row is a term: ``value`` and ``p``, and a column for every quasi-identifying column that a
    condition is about, empty where it is not. Rows with the same ``id`` are one statement: their
    terms, each times its ``weight`` (1 if not given), add up to their common ``p``.

    Raises
    ------
    SchemaError
        If a column is missing, or is neither one of these nor quasi-identifying.
    DataError
        If a number is none, or rows of one statement disagree on its ``p``.

    Examples
    --------
    >>> import polars as pl
    >>> rows = pl.DataFrame({"sex": ["m", None], "value": ["flu", "hiv"], "p": ["0", "1/3"]})
    >>> [(s.terms[0].condition, s.p) for s in read_statements(SideTable("known", rows), ("sex",))]
    [((('sex', 'm'),), Fraction(0, 1)), ((), Fraction(1, 3))]
    """
    side.require("value", "p")
    for name in side.columns:
        if name not in _RESERVED and name not in quasi:
            raise SchemaError(f"{unknown('quasi-identifier', name, quasi)} in {side.name!r}")
    rows: dict[str, list[int]] = {}
    for i, label in enumerate(_column(side, "id")):
        rows.setdefault(f"id {label}" if label else f"row {i + 1}", []).append(i)
    terms, shares = _terms(side, quasi), side.texts("p")
    found = []
    for label, members in rows.items():
        some = tuple(terms[i] for i in members)
        p = _share(some, [shares[i] for i in members], f"{label} of {side.name!r}")
        found.append(Statement(label, some, p))
    return tuple(found)


def _terms(side: SideTable, quasi: Columns) -> list[Term]:
    known = [name for name in quasi if name in side.columns and name not in _RESERVED]
    conditions = [side.texts(name) for name in known]
    weights = [
        _number(text or "1", f"the weight in row {i + 1} of {side.name!r}")
        for i, text in enumerate(_column(side, "weight"))
    ]
    return [
        Term(_condition(known, [texts[i] for texts in conditions]), value or None, weights[i])
        for i, value in enumerate(side.texts("value"))
    ]


def _column(side: SideTable, name: str) -> list[str | None]:
    """Give a column that need not be there."""
    return side.texts(name) if name in side.columns else [None] * len(side)


def _condition(names: Sequence[str], texts: Sequence[str | None]) -> Condition:
    return tuple((name, text) for name, text in zip(names, texts, strict=True) if text)


def _share(terms: Sequence[Term], texts: Sequence[str | None], where: str) -> Fraction:
    if len(terms) == 1 and terms[0].weight == 1:
        return probability(texts[0], f"p in {where}")
    if len(set(texts)) > 1:
        raise DataError(f"{where} has several p: write the same one in each of its rows")
    return _number(texts[0] or "", f"p in {where}")


def _number(text: str, what: str) -> Fraction:
    try:
        return exact(text)
    except ParameterError:
        raise DataError(f"{what} must be a number or a fraction like 2/3, got {text!r}") from None
