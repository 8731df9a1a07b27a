"""Reading: a file, a database or a frame of any kind as a polars frame."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from unlinkable.errors import DataError, unknown
from unlinkable.tables.data.reading.columnar import read_arrow, read_parquet
from unlinkable.tables.data.reading.delimited import check_names, read_delimited
from unlinkable.tables.data.reading.dictionary import settle
from unlinkable.tables.data.reading.inference import convert, without
from unlinkable.tables.data.reading.options import ReadOptions
from unlinkable.tables.data.reading.spreadsheet import read_spreadsheet, spreadsheet_names
from unlinkable.tables.data.reading.sql import is_address, read_sql
from unlinkable.tables.data.reading.statistics_packages import STATISTICS_READERS, read_statistics

__all__ = ["read_frame", "sheet_names"]

_DELIMITED = (".csv", ".tsv", ".txt")
_PARQUET = (".parquet", ".pq")
_ARROW = (".arrow", ".feather", ".ipc")
_SPREADSHEET = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")
_AS_FOUND = ReadOptions()
_SUFFIXES = (*_DELIMITED, *_PARQUET, *_ARROW, *_SPREADSHEET, *STATISTICS_READERS)


def read_frame(source: str | Path, *, options: ReadOptions = _AS_FOUND) -> pl.DataFrame:
    r"""Read a table from a file, by its suffix, or from an SQL database.

    Texts come as `polars.Categorical` where they repeat and as `polars.String` where they do
    not. A missing value is null; the empty text of a CSV file (``""``) is not.

    Parameters
    ----------
    source
        A path: CSV (``.csv``, ``.tsv``, ``.txt``, also with ``.gz``), Parquet, Arrow or Feather,
        Excel, SPSS, SAS, Stata; or the SQLAlchemy address of a database.
    options
        What the file does not show by itself.

    Raises
    ------
    DataError
        If there is no such file, it is not what its suffix says, it is damaged, has bad column
        names, no records, or values that are not what the options say.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "patients.csv"
    ...     _ = path.write_text("age;zip\n39;00501\n50;\n")
    ...     frame = read_frame(path)
    >>> frame.rows()
    [(39, '00501'), (50, None)]
    """
    shown: object = source
    if isinstance(source, str) and is_address(source):
        options.refuse("an SQL database", "separator", "encoding", "header", "sheet")
        shown = "the answer of the database"
        frame = _converted(read_sql(source, options.query), shown, options)
    else:
        path = Path(source)
        options.refuse(path, "query")
        suffix = _suffix(path)
        _check_file(path)
        frame = _read_file(path, suffix, options)
    if frame.is_empty() and not options.may_be_empty:
        raise DataError(f"{shown}: there are columns but no records; a table needs at least one")
    return frame


def _suffix(path: Path) -> str:
    name = path.name.lower()
    suffix = Path(name.removesuffix(".gz")).suffix
    if suffix not in _SUFFIXES or (name.endswith(".gz") and suffix not in _DELIMITED):
        raise DataError(
            f"{path}: {unknown('format', path.suffix, _SUFFIXES)}; it can read "
            f"{', '.join(_SUFFIXES)} and packed CSV (.csv.gz)"
        )
    return suffix


def _check_file(path: Path) -> None:
    if path.is_dir():
        raise DataError(f"{path}: this is a folder; name a file in it")
    try:
        with path.open("rb"):
            return
    except FileNotFoundError:
        raise DataError(f"{path}: there is no such file; check the path") from None
    except OSError as error:
        raise DataError(
            f"{path}: the file cannot be opened ({error.strerror}); check who may read it"
        ) from None


def _read_file(path: Path, suffix: str, options: ReadOptions) -> pl.DataFrame:
    if suffix in _DELIMITED:
        options.refuse(path, "sheet")
        _check_types(path, options, frame := read_delimited(path, options))
        return frame
    options.refuse(path, "separator")
    if suffix in _SPREADSHEET:
        options.refuse(path, "encoding")
        return _converted(read_spreadsheet(path, options), path, options)
    options.refuse(path, "header", "sheet")
    if suffix in STATISTICS_READERS:
        return _converted(read_statistics(path, options.encoding), path, options)
    options.refuse(path, "encoding")
    read = read_parquet if suffix in _PARQUET else read_arrow
    return _converted(read(path), path, options)


def _converted(frame: pl.DataFrame, source: object, options: ReadOptions) -> pl.DataFrame:
    """Finish what comes with types of its own."""
    check_names(str(source), tuple(frame.columns))
    _check_types(source, options, frame)
    columns = []
    for column in frame:
        column = without(column, options.missing)
        kind = options.types.get(column.name)
        if kind is not None:
            column = convert(
                column, kind, lambda record: f"{source}, record {record + 1}", comma=False
            )
        columns.append(settle(column) if column.dtype == pl.String else column)
    return pl.DataFrame(columns)


def _check_types(source: object, options: ReadOptions, frame: pl.DataFrame) -> None:
    for name in options.types:
        if name not in frame.columns:
            raise DataError(f"{source}: {unknown('column', name, frame.columns)}")


def sheet_names(path: Path) -> list[str]:
    """Name the sheets of a workbook, in their order; a file of another kind has none.

    Raises
    ------
    DataError
        If it is called a workbook and is none.
    """
    return spreadsheet_names(path) if path.suffix.lower() in _SPREADSHEET else []
