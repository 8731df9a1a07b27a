"""Binding: promises to a table, with the values that they list as the table has them.

A promise about a value that no record can have is kept by every table: it promises nothing. A
misspelt value must not go unnoticed.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from datetime import datetime

import numpy as np

from unlinkable.errors import ParameterError, unknown
from unlinkable.params import exact
from unlinkable.tables.models.base.binding_context import BindingContext
from unlinkable.tables.models.base.model import GroupModel
from unlinkable.tables.taxonomies import Domain, Kind, Taxonomy

__all__ = ["bind_all", "warn_of_unknown_value"]


def warn_of_unknown_value(fault: str) -> None:
    """Warn of a value that is not known, where nobody need have it for the promise to be meant.

    All who had it may be left out of a published table, or may come with the next release.
    """
    warnings.warn(f"{fault}; a promise about it is kept by every table", stacklevel=4)


def _refuse(fault: str) -> None:
    raise ParameterError(f"{fault}: correct it, or give the column a taxonomy that has the value")


def bind_all(
    models: Iterable[GroupModel],
    context: BindingContext,
    on_unknown: Callable[[str], None] = _refuse,
) -> tuple[GroupModel, ...]:
    """Bind promises to a table, and write the values that they list as the table does.

    Of a number or a date it does not matter how it is written: ``1.0`` is the value 1. A value is
    known if a record has it, or the taxonomy of its column, and the missing value always is. A
    promise that leaves its column open may list values of any sensitive column.

    Parameters
    ----------
    models, context
        What is promised, and of which table. Without its values nothing is looked up.
    on_unknown
        Gets a sentence about each value that is not known. If not given, it is refused.

    Raises
    ------
    ParameterError
        If a value is not known.

    Examples
    --------
    >>> from unlinkable.tables.models import AlphaKAnonymity
    >>> from unlinkable.tables.data import as_table
    >>> ward = as_table({"sex": ["f", "f"], "visits": [1, 3]}, quasi="sex", sensitive="visits")
    >>> print(*bind_all([AlphaKAnonymity(0.5, 2, values="3.0")], BindingContext.at(ward)))
    alpha-k-anonymity(alpha=0.5, k=2, sensitive="visits", values=["3"])
    """
    bound: list[GroupModel] = []
    for model in models:
        normalizer = _Normalizer(context)
        bound += [one.with_normalized_values(normalizer) for one in model.bind(context)]
        is_open = getattr(model, "sensitive", "") is None
        for fault in normalizer.faults(is_open=is_open):
            on_unknown(f"{model}: {fault}")
    return tuple(bound)


class _Normalizer:
    """Writes values as their columns do, and remembers those that no column has."""

    def __init__(self, context: BindingContext) -> None:
        self._context = context
        self._known: set[str] = set()
        self._unknown: dict[tuple[str, str], str] = {}

    def __call__(self, column: str, value: str) -> str:
        taxonomy = None if self._context.taxonomy is None else self._context.taxonomy(column)
        if taxonomy is None or not value:
            return value
        code = _code_of(taxonomy.domain, value)
        if code < 0:
            self._unknown[column, value] = _fault(taxonomy, column, value)
            return value
        self._known.add(value)
        return taxonomy.domain.text(code)

    def faults(self, *, is_open: bool) -> list[str]:
        """State which values are not known; where the column is open, to none of the columns."""
        return [
            fault
            for (_, value), fault in self._unknown.items()
            if not (is_open and value in self._known)
        ]


def _code_of(domain: Domain, text: str) -> int:
    """Find a value by any text that means it; -1 if the domain does not have it."""
    if (code := domain.code_of(text)) >= 0 or domain.kind is Kind.CATEGORY:
        return code
    try:
        if domain.kind is Kind.DATE:
            moment = np.datetime64(datetime.fromisoformat(text).replace(tzinfo=None), "us")
            return int(domain.locate(np.array([moment]))[0])
        number = exact(text)
        inexact = np.float64(float(number))
    except (ValueError, OverflowError):
        return -1
    whole = number.denominator == 1 and np.issubdtype(domain.values.dtype, np.integer)
    return domain.code_of(domain.text_of(int(number) if whole else inexact))


def _fault(taxonomy: Taxonomy, column: str, value: str) -> str:
    if value in taxonomy.named:
        return f"{value!r} is a node of the taxonomy of {column!r}: list the values below it"
    domain = taxonomy.domain
    return f"{unknown('value', value, map(domain.text_of, domain.values))} in {column!r}"
