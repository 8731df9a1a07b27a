"""Writing: a frame as a file, whole or not at all.

The file is made in a folder beside its place and then moved there. It holds what the frame shows
and nothing else: categories that no record has are omitted. Formats that cannot hold everything
(Excel, SPSS, SAS, Stata) are read again before they are moved, and refused if something was lost.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, cast

import polars as pl
from polars.exceptions import PolarsError

from unlinkable.errors import DataError, unknown
from unlinkable.extras import load_extra
from unlinkable.tables.data.reading.delimited import check_names
from unlinkable.tables.data.reading.dictionary import is_text
from unlinkable.tables.data.reading.options import ReadOptions
from unlinkable.tables.data.reading.spreadsheet import read_spreadsheet
from unlinkable.tables.data.reading.statistics_packages import read_statistics

__all__ = ["replaced_whole", "write_frame"]

_SEPARATORS = {".csv": ",", ".txt": ",", ".tsv": "\t"}
_ARROW = (".arrow", ".feather", ".ipc")
_PARQUET = (".parquet", ".pq")
_STATISTICS = {".sav": "write_sav", ".dta": "write_dta", ".xpt": "write_xport"}
_SUFFIXES = (*_SEPARATORS, ".csv.gz", *_PARQUET, *_ARROW, ".xlsx", *_STATISTICS)
_SHEET_LIMIT = 1_048_576
_CLOSE = 1e-12
"""Numbers this close, relative to their size, count as the same: Excel keeps 15 digits."""


def write_frame(frame: pl.DataFrame, path: Path, *, separator: str | None = None) -> None:
    r"""Write a frame to a file, in the format of its suffix.

    In CSV a missing value is an empty field and the empty text is ``""``.

    Parameters
    ----------
    frame
        What to write.
    path
        Where. A file that is there is replaced.
    separator
        Between the fields of a CSV file; a comma if None, a tab for ``.tsv``.

    Raises
    ------
    DataError
        If the format is unknown, cannot hold what the frame has, or the place cannot be written.

    Examples
    --------
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "release.csv"
    ...     write_frame(pl.DataFrame({"age": ["[30-35)", None], "zip": ["", "00501"]}), path)
    ...     path.read_text()
    'age,zip\n[30-35),""\n,00501\n'
    """
    path = Path(path)
    check_names(str(path), tuple(frame.columns))
    suffix = _suffix(path)
    if separator is not None and suffix not in _SEPARATORS:
        raise DataError(f"{path}: 'separator' means nothing here; leave it out")
    _check_columns(frame, path, suffix)
    with replaced_whole(path) as part:
        if suffix in _SEPARATORS:
            _write_delimited(frame, part, separator or _SEPARATORS[suffix])
        elif suffix in _PARQUET:
            _only_shown(frame).write_parquet(part)
        elif suffix in _ARROW:
            _only_shown(frame).write_ipc(part)
        elif suffix == ".xlsx":
            _write_spreadsheet(frame, part, path)
            _check_survival(frame, read_spreadsheet(part, ReadOptions()), path)
        else:
            _write_statistics(frame, part, path, suffix)
            _check_survival(frame, read_statistics(part, None), path)


def _suffix(path: Path) -> str:
    name = path.name.lower()
    suffix = Path(name.removesuffix(".gz")).suffix
    if suffix == ".sas7bdat":
        raise DataError(f"{path}: only SAS itself writes .sas7bdat; write .xpt, which SAS reads")
    if suffix not in _SUFFIXES or (name.endswith(".gz") and suffix not in _SEPARATORS):
        raise DataError(
            f"{path}: {unknown('format', path.suffix, _SUFFIXES)}; it can write "
            f"{', '.join(_SUFFIXES)}"
        )
    return suffix


def _check_columns(frame: pl.DataFrame, path: Path, suffix: str) -> None:
    """Refuse what has no place in a flat file."""
    if suffix in (*_PARQUET, *_ARROW):
        return
    for name, dtype in frame.schema.items():
        if dtype.is_nested() or dtype in (pl.Binary, pl.Object, pl.Duration):
            raise DataError(
                f"{path}: column {name!r} holds {dtype}, for which {suffix} has no place; make it "
                "text or numbers first, or write Parquet"
            )


@contextmanager
def replaced_whole(path: Path) -> Iterator[Path]:
    """Give the place for a file that moves to ``path`` when all has gone well."""
    if path.is_dir():
        raise DataError(f"{path}: this is a folder; name a file in it")
    if not path.parent.is_dir():
        raise DataError(f"{path}: there is no folder {path.parent}; create it first")
    try:
        with TemporaryDirectory(prefix=".", suffix=".part", dir=path.parent) as folder:
            part = Path(folder) / path.name
            yield part
            part.replace(path)
    except PolarsError:
        raise DataError(f"{path}: polars cannot write this frame; write another format") from None
    except OSError as error:
        raise DataError(
            f"{path}: the file cannot be written ({error.strerror}); check the place and its rights"
        ) from None


def _only_shown(frame: pl.DataFrame) -> pl.DataFrame:
    """Leave out the categories that no record has, and the names of sets of categories."""
    return frame.with_columns(_shown(column) for column in frame if is_text(column))


def _shown(column: pl.Series) -> pl.Series:
    if isinstance(column.dtype, pl.Enum):
        present = set(column.unique().cast(pl.String))
        return column.cast(pl.Enum([c for c in column.dtype.categories if c in present]))
    if isinstance(column.dtype, pl.Categorical) and column.dtype != pl.Categorical:
        return column.cast(pl.Categorical)
    return column


def _write_delimited(frame: pl.DataFrame, part: Path, separator: str) -> None:
    if part.suffix.lower() != ".gz":
        frame.write_csv(part, separator=separator)
        return
    # Without a time in its head, the same frame always gives the same file.
    with part.open("wb") as raw, gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as packed:
        frame.write_csv(cast("IO[bytes]", packed), separator=separator)


def _write_spreadsheet(frame: pl.DataFrame, part: Path, path: Path) -> None:
    xlsxwriter = load_extra("xlsxwriter", "excel", "Excel files")
    if len(frame) >= _SHEET_LIMIT:
        raise DataError(f"{path}: a sheet has {_SHEET_LIMIT} lines at most; write CSV or Parquet")
    check_names(
        str(path), tuple(name.lower() for name in frame.columns), if_twice=" (case does not count)"
    )
    book = xlsxwriter.Workbook(part, {"strings_to_formulas": False, "strings_to_urls": False})
    book.set_properties({"created": datetime(2000, 1, 1)})
    try:
        _plain(frame).write_excel(book, worksheet="data", autofilter=False)
        book.close()
    except (TypeError, ValueError, xlsxwriter.exceptions.XlsxWriterException):
        raise DataError(
            f"{path}: Excel has no place for infinite numbers, times of zones or such long texts; "
            "write CSV or Parquet"
        ) from None


def _write_statistics(frame: pl.DataFrame, part: Path, path: Path, suffix: str) -> None:
    pyreadstat = load_extra("pyreadstat", "stats", "SPSS, SAS and Stata files")
    write = getattr(pyreadstat, _STATISTICS[suffix])
    try:
        write(_plain(frame), str(part))
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError) as error:
        raise DataError(f"{path}: {error}; rename the column or write CSV or Parquet") from None


def _plain(frame: pl.DataFrame) -> pl.DataFrame:
    """Give the frame in the few types that all packages know."""
    texts = [column.name for column in frame if is_text(column)]
    decimals = [name for name, dtype in frame.schema.items() if dtype.is_decimal()]
    empty = [name for name, dtype in frame.schema.items() if dtype == pl.Null]
    return frame.with_columns(
        pl.col(texts).cast(pl.String), pl.col([*decimals, *empty]).cast(pl.Float64)
    )


def _check_survival(frame: pl.DataFrame, back: pl.DataFrame, path: Path) -> None:
    """Refuse a file from which not all comes back."""
    if frame.columns != back.columns or len(frame) != len(back):
        raise DataError(
            f"{path}: names of columns or empty records at the end do not survive in "
            f"{path.suffix}; write CSV or Parquet"
        )
    for column in frame:
        if not _survives(column, back[column.name]):
            raise DataError(
                f"{path}: the values of {column.name!r} do not survive in {path.suffix} (empty or "
                "very long texts, blanks at their ends, large or precise numbers and times may "
                "not); write CSV or Parquet"
            )


def _survives(column: pl.Series, back: pl.Series) -> bool:
    if is_text(column):
        return column.cast(pl.String).equals(back.cast(pl.String))
    back = back.cast(column.dtype, strict=False)
    if column.dtype.is_float():
        near = (column - back).abs() <= _CLOSE * column.abs()
        return column.is_null().equals(back.is_null()) and near.all()
    return column.equals(back)
