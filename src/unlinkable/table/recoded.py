"""Columns of a release, made from the columns of a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray

from unlinkable.table.encoding import number
from unlinkable.typing import CodeArray

__all__ = [
    "Column",
    "Frame",
    "as_texts",
    "beside",
    "keep_rows",
    "recoded_column",
    "replaced_column",
    "texts_of",
]

Frame: TypeAlias = pl.DataFrame
"""A table of published values."""

Column: TypeAlias = pl.Series
"""A column of published values."""


def keep_rows(frame: Frame, rows: NDArray[np.int64] | None) -> Frame:
    """Keep the rows at these positions, in their order; all of them if not given."""
    return frame if rows is None else frame[rows]


def recoded_column(
    frame: Frame, name: str, texts: NDArray[np.object_], parts: CodeArray, *, is_raw: bool
) -> Column:
    """Write for every record the text of its part.

    If nothing was generalized the column is handed on as it was, with its own type.
    """
    if is_raw:
        return frame.get_column(name)
    column = pl.Series(name, texts.tolist(), dtype=pl.String).gather(parts)
    original = frame.schema[name]
    if isinstance(original, (pl.Categorical, pl.Enum)):
        return column.cast(pl.Categorical(pl.Categories.random()))
    return column


def replaced_column(
    frame: Frame, name: str, replace: Callable[[Sequence[str | int | float | None]], object]
) -> Column | None:
    """Replace every distinct value of a column; None if nothing is to be left of it."""
    numbered = number(frame.get_column(name))
    domain = numbered.observed.domain
    values = [domain.scalar(code) for code in range(domain.n)]
    texts = [v if v is None or isinstance(v, (str, int, float)) else str(v) for v in values]
    new = replace(texts)
    if new is None:
        return None
    by_code = pl.Series(name, list(new), dtype=pl.String)  # type: ignore[call-overload]
    return by_code.gather(numbered.codes[numbered.numbers]).alias(name)


def as_texts(frame: Frame, texts: Sequence[str], others: Sequence[str]) -> Frame:
    """Take some columns as the texts that they show, and others as they are.

    Texts in dictionary form, and whole numbers and days, which are equal just if their texts are,
    stay as they are: making texts of them would only cost time.
    """
    shown = [frame.get_column(name) for name in texts]
    shown = [column if _tells_texts(column.dtype) else column.cast(pl.String) for column in shown]
    return pl.DataFrame([*shown, *(frame.get_column(name) for name in others)])


def _tells_texts(dtype: pl.DataType) -> bool:
    is_dictionary = isinstance(dtype, (pl.Categorical, pl.Enum))
    return is_dictionary or dtype.is_integer() or dtype in (pl.String, pl.Date)


def beside(frame: Frame, other: Frame, columns: Sequence[str]) -> Frame:
    """Put columns of another frame of the same length beside those of a frame."""
    return frame.with_columns(other.get_column(name) for name in columns)


def texts_of(frame: Frame, name: str) -> Column:
    """Give the texts that a column shows."""
    return frame.get_column(name).cast(pl.String)
