"""Excel workbooks (and OpenDocument ones), a sheet at a time.

A workbook knows numbers, texts, dates and truth values, but a number is a number: whether it is
whole shows only in its value, and a day is a moment at midnight. Columns of which all values are
whole, or at midnight, are read as whole numbers and days. Cells with an error (``#DIV/0!``) are
missing.
"""

from __future__ import annotations

from logging import ERROR, getLogger
from pathlib import Path
from typing import Any

import polars as pl

from unlinkable.errors import DataError, unknown
from unlinkable.extras import load_extra
from unlinkable.tables.data.reading.delimited import check_names
from unlinkable.tables.data.reading.inference import days, whole
from unlinkable.tables.data.reading.options import ReadOptions

__all__ = ["read_spreadsheet", "spreadsheet_names"]


def read_spreadsheet(path: Path, options: ReadOptions) -> pl.DataFrame:
    """Read a sheet of a workbook: the one that the options name, or the first.

    Raises
    ------
    DataError
        If the file is no workbook, has no such sheet, or the sheet is empty or has bad column
        names.
    """
    fastexcel, book = _open(path)
    name = _sheet(path, book.sheet_names, options.sheet)
    where = f"{path}, sheet {name!r}"
    first = _load(fastexcel, book, name, header_row=None, n_rows=1, dtypes="string")
    if not first.width:
        raise DataError(f"{where}: the sheet is empty; choose one of {book.sheet_names}")
    names = tuple(text or "" for text in first.row(0))
    if options.header is False:
        names = tuple(f"column_{j + 1}" for j in range(first.width))
    check_names(f"{where}, line 1", names)
    rows: dict[str, Any] = {"header_row": None, "skip_rows": 0 if options.header is False else 1}
    values = _load(fastexcel, book, name, column_names=list(names), schema_sample_rows=None, **rows)
    texts = _load(fastexcel, book, name, column_names=list(names), dtypes="string", **rows)
    pairs = zip(values, texts, strict=True)
    return pl.DataFrame([days(whole(_complete(v, t, options.missing))) for v, t in pairs])


def spreadsheet_names(path: Path) -> list[str]:
    """Name the sheets of a workbook.

    Raises
    ------
    DataError
        If the file is no workbook.
    """
    return [str(name) for name in _open(path)[1].sheet_names]


def _open(path: Path) -> tuple[Any, Any]:
    """Give the library that reads workbooks, and the workbook."""
    fastexcel = load_extra("fastexcel", "excel", "Excel files")
    # It warns of columns without a type, which are dealt with below.
    getLogger("fastexcel").setLevel(ERROR)
    try:
        return fastexcel, fastexcel.read_excel(path)
    except fastexcel.FastExcelError:
        raise DataError(
            f"{path}: this is no Excel workbook, or a damaged or locked one; save it again as .xlsx"
        ) from None


def _sheet(path: Path, sheets: list[str], wanted: str | int | None) -> str:
    if wanted is None:
        wanted = 0
    if isinstance(wanted, int):
        if wanted not in range(len(sheets)):
            raise DataError(f"{path}: there is no sheet {wanted}, only 0 to {len(sheets) - 1}")
        return sheets[wanted]
    if wanted not in sheets:
        raise DataError(f"{path}: {unknown('sheet', wanted, sheets)}")
    return wanted


def _load(fastexcel: Any, book: Any, name: str, **how: Any) -> pl.DataFrame:
    try:
        frame: pl.DataFrame = book.load_sheet(name, **how).to_polars()
    except fastexcel.FastExcelError:
        raise DataError(f"sheet {name!r} cannot be read; save the workbook again") from None
    return frame


def _complete(values: pl.Series, texts: pl.Series, missing: tuple[str, ...]) -> pl.Series:
    """Prefer the texts where the typed values have lost some, such as an NA among numbers."""
    lost = texts.is_not_null() & values.is_null()
    if values.dtype.is_float():
        lost |= values.is_nan().fill_null(False)
    if not lost.any():
        return values
    return values.set(lost, None) if texts.filter(lost).is_in(missing).all() else texts
