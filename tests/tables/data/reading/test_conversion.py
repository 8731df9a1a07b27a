"""Columns made into what they are, or are said to be."""

from __future__ import annotations

from datetime import date, datetime

import polars as pl
import pytest

from unlinkable.errors import DataError
from unlinkable.tables.data.reading.conversion import convert, days, type_column, whole, without
from unlinkable.tables.data.reading.inference import guesses
from unlinkable.tables.data.reading.options import ColumnType


def where(record: int) -> str:
    return f"record {record}"


@pytest.mark.parametrize(
    ("column", "kind", "values"),
    [
        (pl.Series([1, None]), ColumnType.TEXT, ["1", None]),
        (pl.Series([1.0, None]), ColumnType.INTEGER, [1, None]),
        (pl.Series([1, None]), ColumnType.NUMBER, [1.0, None]),
        (pl.Series([datetime(2020, 1, 1)]), ColumnType.DATE, [date(2020, 1, 1)]),
        (pl.Series([date(2020, 1, 1)]), ColumnType.DATETIME, [datetime(2020, 1, 1)]),
        (pl.Series(["7"], dtype=pl.Enum(["7"])), ColumnType.INTEGER, [7]),
        (pl.Series(["7"], dtype=pl.Enum(["7"])), ColumnType.TEXT, ["7"]),
    ],
)
def test_columns_of_all_types_become_what_they_are_said_to_be(
    column: pl.Series, kind: ColumnType, values: list[object]
) -> None:
    assert convert(column, kind, where, comma=False).to_list() == values


def test_texts_that_do_not_repeat_are_converted_all_the_same() -> None:
    column = pl.Series([f"{i:05d}" for i in range(3000)] + [None])
    found = convert(column, ColumnType.INTEGER, where, comma=False)
    assert found.to_list() == [*range(3000), None]
    assert type_column(column, guesses(comma=False)).dtype == pl.String


def test_a_number_that_is_not_whole_is_not_cut() -> None:
    with pytest.raises(DataError, match="record 1: 'x' is not a whole number there"):
        convert(pl.Series("x", [1.0, 1.5]), ColumnType.INTEGER, where, comma=False)


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("number", "is not a number there"),
        ("date", "is not a date there"),
        ("datetime", "is not a datetime there"),
        ("boolean", "is not true or false there"),
        ("%Y", "is not a date of the form %Y there"),
    ],
)
def test_values_that_are_something_else_are_refused(kind: str, message: str) -> None:
    wanted = kind if "%" in kind else ColumnType(kind)
    with pytest.raises(DataError, match=f"record 1: 'x' {message}; correct it, or give 'text'"):
        convert(pl.Series("x", [None, "SECRET"]), wanted, where, comma=False)


@pytest.mark.parametrize("dtype", [pl.String, pl.Categorical, pl.Enum(["NA", "Rome", "?"])])
def test_texts_for_missing_values_are_taken_away(dtype: pl.DataType) -> None:
    column = pl.Series("x", ["NA", "Rome", None, "?"], dtype=dtype)
    found = without(column, ("NA", "?"))
    assert found.to_list() == [None, "Rome", None, None]
    assert found.dtype == dtype
    assert found.name == "x"
    assert without(column, ("none",)) is column
    assert without(pl.Series([1]), ("1",)).to_list() == [1]


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        ([1.0, None], pl.Int64),
        ([1.5, 2.0], pl.Float64),
        ([2.0**60], pl.Float64),
        ([float("inf")], pl.Float64),
        ([None], pl.Float64),
    ],
)
def test_whole_numbers_are_recognized(values: list[float], dtype: pl.DataType) -> None:
    column = pl.Series(values, dtype=pl.Float64)
    assert whole(column).dtype == dtype
    assert whole(column).cast(pl.Float64).equals(column)


def test_midnight_is_a_day() -> None:
    assert days(pl.Series([datetime(2020, 1, 1), None])).to_list() == [date(2020, 1, 1), None]
    assert days(pl.Series([datetime(2020, 1, 1, 10)])).dtype == pl.Datetime("us")
    assert days(pl.Series([1])).to_list() == [1]
