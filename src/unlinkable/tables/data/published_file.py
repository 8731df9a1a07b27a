"""Published files: records as recipients read them, from the file alone."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from io import BytesIO, StringIO
from pathlib import Path

import numpy as np
import polars as pl
from attrs import frozen

from unlinkable.errors import DataError
from unlinkable.tables.data.reading.columnar import ParquetExtent, parquet_extent
from unlinkable.tables.data.reading.dictionary import distinct, is_text, spread
from unlinkable.tables.data.reading.files import read_frame
from unlinkable.tables.data.reading.options import ReadOptions
from unlinkable.tables.data.release_columns import Frame, codes_of
from unlinkable.tables.taxonomies import Kind, Numbered, number
from unlinkable.typing import Columns, CountArray

__all__ = [
    "Head",
    "as_kind",
    "canonical_values",
    "distinct_texts",
    "number_texts",
    "read_head",
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


_MOST_VALUES, _VALUES_PER_BYTE = 50_000_000, 20
"""So many values a Parquet file may have, and so many more for each of its bytes."""

_MOST_BYTES, _BYTES_PER_BYTE = 1 << 28, 100
"""So many bytes it may unpack to, and so many more for each of its bytes."""

_MOST_TEXT, _TEXT_PER_BYTE = 1 << 30, 1000
"""So many bytes its texts may have, written out, and so many more for each of its bytes."""


@frozen
class Head:
    """What a file says of its columns and its size.

    Attributes
    ----------
    columns
        The names of its columns.
    n_records
        The number of its records; None for CSV, which does not say.
    """

    columns: Columns
    n_records: int | None


def read_head(file: Path, longest: int) -> Head:
    r"""Examine the beginning of a CSV file, or at the metadata of a Parquet file.

    Parameters
    ----------
    file
        The file.
    longest
        How many bytes the names of the columns may have in CSV, with all marks between them.

    Raises
    ------
    DataError
        If it is damaged, the names are longer, or it unpacks to far more than its size.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "data.csv"
    ...     _ = file.write_text("age,job\n30,clerk\n")
    ...     read_head(file, 100)
    Head(columns=('age', 'job'), n_records=None)
    """
    if file.suffix != ".parquet":
        return Head(_names(file, longest), None)
    extent = parquet_extent(file)
    _require_proportion(file, extent)
    return Head(extent.columns, extent.n_records)


def _names(file: Path, longest: int) -> Columns:
    with file.open("rb") as stream:
        start = stream.read(longest + 1)
    if len(start) > longest and b"\n" not in start:
        raise DataError(f"{file}, line 1: the names of the columns have more than {longest} bytes")
    text = start.decode("utf-8-sig", errors="replace")
    try:
        return tuple(next((row for row in csv.reader(StringIO(text, newline="")) if row), ()))
    except csv.Error:
        raise DataError(f"{file}, line 1: the names of the columns cannot be read") from None


def _require_proportion(file: Path, extent: ParquetExtent) -> None:
    """Refuse a file that unpacks to far more than what its size stands for."""
    size = file.stat().st_size
    for n, noun, most in (
        (extent.n_values, "values", _MOST_VALUES + _VALUES_PER_BYTE * size),
        (extent.n_bytes, "bytes", _MOST_BYTES + _BYTES_PER_BYTE * size),
    ):
        if n > most:
            raise DataError(_too_much(file, n, noun, most))
    most = _MOST_TEXT + _TEXT_PER_BYTE * size
    if extent.n_text_bytes > most and (n := _text_bytes(file)) > most:
        raise DataError(_too_much(file, n, "bytes of text", most))


def _text_bytes(file: Path) -> int:
    """Add up how long all texts are; it takes no room, as equal texts are kept once.

    Where the file says that texts are categories, polars looks each of them up while it reads. That
    would take long for long texts, so here they are read as the plain texts that they are on disk.
    """
    content = file.read_bytes().replace(b"ARROW:schema", b"ARROW:ignore")
    try:
        scan = pl.scan_parquet(BytesIO(content), glob=False, hive_partitioning=False)
        texts = [name for name, dtype in scan.collect_schema().items() if dtype == pl.String]
        lengths = scan.select(pl.col(texts).str.len_bytes().cast(pl.UInt64).sum())
        return sum(lengths.collect(engine="streaming").row(0)) if texts else 0
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError):
        raise DataError(f"{file}: this is no Parquet file, or a damaged one") from None


def _too_much(file: Path, n: int, noun: str, most: int) -> str:
    return (
        f"{file}: the file unpacks to {n} {noun}, more than the {most} that a file of its size "
        "may have; get the table as CSV"
    )
