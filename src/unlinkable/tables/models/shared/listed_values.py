"""Listed values: some values of hidden columns, by their texts.

A value of one column is a text. A value of several columns that are counted together is a tuple of
texts, one for each column. The empty text is the missing value.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import numpy as np

from unlinkable.errors import ParameterError, in_short, unknown
from unlinkable.params import refuse_twice
from unlinkable.tables.groups import Histogram
from unlinkable.tables.models.base.model import ValueNormalizer
from unlinkable.tables.taxonomies import Domain, Scalar, text_of_scalar
from unlinkable.typing import BoolArray, Columns, ValueText

__all__ = [
    "Values",
    "absent",
    "as_text",
    "as_texts",
    "as_values",
    "mark",
    "normalize_values",
    "refuse_invalid_values",
    "unknown_values",
    "unseen_in",
]

Values: TypeAlias = tuple[ValueText | tuple[ValueText, ...], ...]
"""Values by their texts: one text each, or one for every column that is counted."""


def as_values(values: Scalar | Iterable[Scalar | Iterable[Scalar]] | None) -> Values | None:
    """Read one value or several as a tuple of texts, or of tuples of texts.

    Raises
    ------
    ParameterError
        If one is neither.

    Examples
    --------
    >>> as_values("HIV"), as_values([["cook", "HIV"]]), as_values([1, 2.0, True])
    (('HIV',), (('cook', 'HIV'),), ('1', '2', 'true'))
    """
    if values is None:
        return None
    if isinstance(values, str) or not isinstance(values, Iterable):
        return (_text(values),)
    return tuple(map(_as_value, values))


def as_texts(
    values: Scalar | Iterable[Scalar | Iterable[Scalar]] | None,
) -> tuple[ValueText, ...] | None:
    """Read one value of a column or several as a tuple of texts.

    Raises
    ------
    ParameterError
        If one is no value.
    """
    texts = as_values(values)
    refuse_invalid_values(texts)
    return None if texts is None else tuple(text for text in texts if isinstance(text, str))


def as_text(value: Scalar | None) -> ValueText | None:
    """Read a value as its text.

    Raises
    ------
    ParameterError
        If it is none.
    """
    return None if value is None else _text(value)


def refuse_invalid_values(values: Values | None, n_columns: int = 1) -> None:
    """Refuse a list without values, or with values that are there twice or do not fit the columns.

    Raises
    ------
    ParameterError
        If there are such.
    """
    if values is None:
        return
    if not values:
        raise ParameterError("values must list at least one value; leave it out to mean all")
    refuse_twice(values)
    for value in values:
        texts = (value,) if isinstance(value, str) else value
        if len(texts) != n_columns:
            raise ParameterError(
                f"each of the values must be a list of {n_columns} texts, one for every column, "
                f"got {value!r}"
                if n_columns > 1
                else f"each of the values must be a text, got {value!r}"
            )


def normalize_values(
    values: Values | None, columns: Columns, normalize: ValueNormalizer
) -> Values | None:
    """Write listed values as the columns do whose values they are."""
    if values is None:
        return None
    return tuple(
        normalize(columns[0], value)
        if isinstance(value, str)
        else tuple(normalize(column, text) for column, text in zip(columns, value, strict=True))
        for value in values
    )


def mark(hidden: Histogram, values: Values | None) -> BoolArray:
    """Mark the codes of a histogram that stand for these values; all if None.

    A value that no record has marks nothing.
    """
    if values is None:
        return np.ones(hidden.n_values, bool)
    marked = np.zeros(hidden.n_values, bool)
    for value in values:
        if hidden.taxonomy is not None:
            if (code := _code(hidden.taxonomy.domain, str(value))) >= 0:
                marked[code] = True
        else:
            marked |= _are(hidden, value)
    return marked


def absent(hidden: Histogram, values: Values | None) -> tuple[str, ...]:
    """Name those of the values that no record has."""
    there = hidden.total > 0
    missing = [value for value in values or () if not (mark(hidden, (value,)) & there).any()]
    return tuple(value if isinstance(value, str) else ", ".join(value) for value in missing)


def unseen_in(hidden: Histogram, values: Values | None, where: str) -> str:
    """State which of the values no record has, in words; nothing if all of them are there."""
    unseen = ", ".join(map(repr, absent(hidden, values)))
    return f"no record has {unseen} in {where}" if unseen else ""


def unknown_values(hidden: Histogram, values: Values | None) -> tuple[str, ...]:
    """State which of the values no column has, and what may have been meant."""
    faults = []
    domains = [t.domain for t, _ in hidden.parts]
    if hidden.taxonomy is not None:
        domains = [hidden.taxonomy.domain]
    for value in values or ():
        texts = (value,) if isinstance(value, str) else value
        for domain, text in zip(domains, texts, strict=False):
            if _code(domain, text) < 0:
                faults.append(unknown("value", text, [domain.text_of(v) for v in domain.values]))
    return tuple(dict.fromkeys(faults))


def _as_value(value: object) -> str | Columns:
    if isinstance(value, str) or not isinstance(value, Iterable):
        return _text(value)
    texts = tuple(map(_text, value))
    return texts[0] if len(texts) == 1 else texts


def _text(value: object) -> str:
    """Write a value as a table shows it."""
    if (text := text_of_scalar(value)) is None:
        raise ParameterError(f"values must be given by their texts, got {in_short(value)}")
    return text


def _code(domain: Domain, text: str) -> int:
    code = domain.code_of(text)
    return domain.missing if code < 0 and not text else code


def _are(hidden: Histogram, value: str | Columns) -> BoolArray:
    """Mark the codes of several columns together that have the texts of a value."""
    marked = np.ones(hidden.n_values, bool)
    for (taxonomy, codes), text in zip(hidden.parts, value, strict=True):
        code = _code(taxonomy.domain, text)
        marked &= (codes == code) if code >= 0 else False
    return marked
