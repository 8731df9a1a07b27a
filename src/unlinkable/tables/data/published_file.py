"""Published files: records as recipients read them, from the file alone."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import polars as pl

from unlinkable.errors import DataError
from unlinkable.tables.data.reading.dictionary import distinct, is_text, spread
from unlinkable.tables.data.reading.files import read_frame
from unlinkable.tables.data.reading.options import ReadOptions
from unlinkable.tables.data.release_columns import Frame, codes_of
from unlinkable.tables.taxonomies import Kind, Numbered, number
from unlinkable.typing import CountArray

__all__ = [
    "as_kind",
    "canonical_values",
    "distinct_texts",
    "number_texts",
    "read_published",
    "shows_rows",
]


def canonical_values(frame: Frame, counted: Iterable[str]) -> Frame:
    """Write every value that was counted in one way only.

    What is not a number is missing, 0 has no sign, and times have no zone and at most microseconds.
    Otherwise two texts of a file would stand for values that were counted as one.

    Examples
    --------
    >>> canonical_values(pl.DataFrame({"x": [-0.0, float("nan"), 1.5]}), ["x"])["x"].to_list()
    [0.0, None, 1.5]
    """
    written, schema = [], frame.schema
    for name in counted:
        column = pl.col(name)
        if schema[name].is_float():
            written.append(column.fill_nan(None).replace(-0.0, 0.0))
        elif isinstance(schema[name], pl.Datetime):
            written.append(column.dt.cast_time_unit("us").dt.replace_time_zone(None))
    return frame.with_columns(written)


def read_published(file: Path) -> Frame:
    """Read published records: from CSV every value as the text that stands there.

    Raises
    ------
    DataError
        If the file is damaged.
    """
    if file.suffix == ".parquet":
        return read_frame(file, options=ReadOptions(may_be_empty=True))
    options = ReadOptions(
        separator=",", encoding="utf-8", header=True, infer=False, may_be_empty=True
    )
    return read_frame(file, options=options)


def as_kind(frame: Frame, name: str, kind: Kind) -> Frame:
    """Read the texts of a column as numbers or dates; a column that has a type keeps it.

    Raises
    ------
    DataError
        If some of them are none.

    Examples
    --------
    >>> told = pl.DataFrame({"pay": ["30", "4", None]})
    >>> as_kind(told, "pay", Kind.NUMBER)["pay"].to_list()
    [30, 4, None]
    """
    column = frame.get_column(name)
    if kind is Kind.CATEGORY or not is_text(column):
        return frame
    is_dictionary = isinstance(column.dtype, pl.Categorical)
    keys = distinct(column) if is_dictionary else column
    values = _read(keys.cast(pl.String), kind)
    if values is None:
        raise DataError(f"column {name!r} holds texts that are no {kind.value}s")
    return frame.with_columns(spread(column, keys, values) if is_dictionary else values)


def _read(texts: pl.Series, kind: Kind) -> pl.Series | None:
    """Read texts as numbers or dates; None if some of them are none."""
    if kind is Kind.NUMBER:
        readings = [texts.cast(pl.Int64, strict=False), texts.cast(pl.Float64, strict=False)]
    else:
        times = texts.str.replace(" ", "T", literal=True)
        readings = [
            texts.str.to_date("%Y-%m-%d", strict=False),
            times.str.to_datetime("%Y-%m-%dT%H:%M:%S%.f", strict=False, time_unit="us"),
        ]
    there = (made for made in readings if made.null_count() == texts.null_count())
    return next(there, None)


def shows_rows(told: Frame, frame: Frame, name: str, rows: CountArray) -> bool:
    """Whether published records show on a column what these rows of a frame hold.

    Examples
    --------
    >>> people = pl.DataFrame({"pay": [30.0, 4.5, 1.0]})
    >>> rows = np.array([0, 2])
    >>> shows_rows(pl.DataFrame({"pay": ["30.0", "1.0"]}), people, "pay", rows)
    True
    >>> shows_rows(pl.DataFrame({"pay": ["30.0", "4.5"]}), people, "pay", rows)
    False
    """
    dtype = frame.schema[name]
    if dtype.is_nested() or dtype in (pl.Binary, pl.Time, pl.Duration):
        shown = told.get_column(name)
        return shown.dtype != dtype or shown.equals(frame.get_column(name)[rows])
    if dtype.is_numeric() and _are_equal(told.get_column(name), frame.get_column(name), rows):
        return True
    held = number(frame.get_column(name))
    domain = held.observed.domain
    try:
        told = as_kind(told, name, domain.kind)
    except DataError:
        # Texts of times with their zone are not read here.
        return isinstance(dtype, pl.Datetime) and dtype.time_zone is not None
    if dtype.is_float():
        told = told.with_columns(pl.col(name).cast(dtype, strict=False))
    return np.array_equal(codes_of(told, name, domain), held.codes[held.numbers][rows])


def _are_equal(told: pl.Series, held: pl.Series, rows: CountArray) -> bool:
    """Whether texts say the same numbers, one by one: faster than numbering them, and as sure."""
    texts = told.cast(pl.String)
    read = texts.cast(held.dtype, strict=False)
    held = held[rows].fill_nan(None) if held.dtype.is_float() else held[rows]
    is_read = read.null_count() == texts.null_count() and len(read) == len(held)
    return is_read and bool(read.eq_missing(held).all())


def distinct_texts(frame: Frame, name: str) -> list[str | None]:
    """List the distinct texts that a column shows, None for a missing value at the end.

    Examples
    --------
    >>> distinct_texts(pl.DataFrame({"age": ["[30-35)", None, "*", "*"]}), "age")
    ['*', '[30-35)', None]
    """
    column = frame.get_column(name)
    texts = distinct(column if is_text(column) else column.cast(pl.String))
    return [*sorted(texts.cast(pl.String).to_list()), *([None] if column.has_nulls() else [])]


def number_texts(frame: Frame, name: str) -> Numbered:
    """Number the distinct texts that a column shows."""
    column = frame.get_column(name)
    return number(column if is_text(column) else column.cast(pl.String))
