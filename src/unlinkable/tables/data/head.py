"""Head: what a file of published records says of its columns and size, before it is read.

Published records may come from anybody. How many columns and records there are, and how much a
packed file unpacks to, is found out first, so that a small file cannot take all time and memory.
"""

from __future__ import annotations

import csv
from io import BytesIO, StringIO
from pathlib import Path

import polars as pl
from attrs import frozen

from unlinkable.errors import DataError
from unlinkable.tables.data.reading.columnar import ParquetExtent, parquet_extent
from unlinkable.typing import Columns

__all__ = ["Head", "read_head"]

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
