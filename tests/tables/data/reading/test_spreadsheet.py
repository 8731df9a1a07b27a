"""Workbooks: sheets, types of cells, and what is refused."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path

import polars as pl
import pytest
import xlsxwriter

from unlinkable.errors import DataError
from unlinkable.tables.data.reading import ReadOptions, read_frame

Cells = list[list[object]]


def save(folder: Path, **sheets: Cells) -> Path:
    path = folder / "book.xlsx"
    with xlsxwriter.Workbook(path, {"default_date_format": "yyyy-mm-dd hh:mm"}) as book:
        for name, rows in sheets.items():
            sheet = book.add_worksheet(name)
            for i, row in enumerate(rows):
                for j, value in enumerate(row):
                    if value is not None:
                        sheet.write(i, j, value)
    return path


def test_cells_are_read_as_what_they_are(tmp_path: Path) -> None:
    path = save(
        tmp_path,
        data=[
            ["age", "zip", "weight", "born", "seen", "alive"],
            [39, "00501", 70.5, date(1980, 1, 31), datetime(2020, 1, 1, 10, 30), True],
            [None, None, 68, date(1990, 1, 1), None, False],
        ],
    )
    frame = read_frame(path)
    assert frame.rows() == [
        (39, "00501", 70.5, date(1980, 1, 31), datetime(2020, 1, 1, 10, 30), True),
        (None, None, 68.0, date(1990, 1, 1), None, False),
    ]
    assert frame.schema["zip"] == pl.Categorical
    assert frame.schema["age"] == pl.Int64


def test_an_na_among_numbers_is_not_taken_for_missing_unless_told(tmp_path: Path) -> None:
    path = save(tmp_path, data=[["a", "b"], [1, 0.5], ["NA", "nan"], [3, 1.5]])
    assert read_frame(path).rows() == [("1", "0.5"), ("NA", "nan"), ("3", "1.5")]
    frame = read_frame(path, options=ReadOptions(missing=("NA", "nan")))
    assert frame.rows() == [(1, 0.5), (None, None), (3, 1.5)]


def test_sheets_are_chosen_by_name_or_place(tmp_path: Path) -> None:
    path = save(tmp_path, one=[["a"], [1]], two=[["b"], [2]])
    assert read_frame(path).columns == ["a"]
    assert read_frame(path, options=ReadOptions(sheet="two")).columns == ["b"]
    assert read_frame(path, options=ReadOptions(sheet=1)).columns == ["b"]


def test_columns_are_numbered_if_there_is_no_header(tmp_path: Path) -> None:
    path = save(tmp_path, data=[[1, "x"], [2, "y"]])
    frame = read_frame(path, options=ReadOptions(header=False))
    assert frame.columns == ["column_1", "column_2"]
    assert frame.rows() == [(1, "x"), (2, "y")]


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        ([["a"], [1]], ReadOptions(sheet="dat"), r"no sheet 'dat' .*did you mean 'data'"),
        ([["a"], [1]], ReadOptions(sheet=3), r"there is no sheet 3, only 0 to 0"),
        ([], ReadOptions(), r"book\.xlsx, sheet 'data': the sheet is empty"),
        ([["a", "a"], [1, 2]], ReadOptions(), r"line 1: two columns are called 'a'"),
        ([["a", None, "c"], [1, 2, 3]], ReadOptions(), r"line 1: column 2 has no name"),
        ([["a", "b"]], ReadOptions(), r"there are columns but no records"),
    ],
)
def test_bad_sheets_are_refused(
    tmp_path: Path, rows: Cells, options: ReadOptions, message: str
) -> None:
    with pytest.raises(DataError, match=message):
        read_frame(save(tmp_path, data=rows), options=options)


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.xlsx"
    path.write_bytes(b"a,b\n1,2\n")
    with pytest.raises(DataError, match=r"x\.xlsx: this is no Excel workbook"):
        read_frame(path)
