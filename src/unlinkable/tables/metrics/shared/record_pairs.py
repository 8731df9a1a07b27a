"""Pairing: published records beside their originals, column by column."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from unlinkable.errors import SchemaError, UnsupportedError, unknown
from unlinkable.tables.data import Role, Table
from unlinkable.tables.metrics.base.metric import Metric
from unlinkable.tables.metrics.base.published import Published
from unlinkable.typing import Columns, CountArray, FloatArray

__all__ = ["chosen_columns", "known_rows", "numbers_before"]


def known_rows(metric: Metric, published: Published) -> CountArray:
    """Give the original record of each published one.

    Raises
    ------
    UnsupportedError
        If nobody can say which it is, or nothing was published.
    """
    if published.rows is None:
        raise UnsupportedError(
            f"{metric} compares each published record with its original, and which one that is is "
            "not known here"
        )
    if not published.rows.size:
        raise UnsupportedError(f"{metric} compares records, and none was published")
    return published.rows


def chosen_columns(
    published: Published, asked: Columns | None, besides: Iterable[str] = ()
) -> Columns:
    """Name the columns that are compared: those asked for, or all but target and ``besides``.

    Raises
    ------
    SchemaError
        If one that is asked for was not published.
    """
    for name in asked or ():
        if name not in published.columns:
            raise SchemaError(unknown("published column", name, published.columns))
    without = {*besides, *published.original.schema.with_role(Role.TARGET)}
    named = asked or tuple(name for name in published.columns if name not in without)
    return tuple(dict.fromkeys(named))


def numbers_before(original: Table, name: str) -> FloatArray:
    """Give a column of the original as numbers, dates as days; a missing value is not a number."""
    numbers = np.append(original.taxonomy(name).domain.as_numbers(), np.nan)
    return numbers[original.codes(name)]
