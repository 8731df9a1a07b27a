"""What texts are: the forms that are read, and those that are left alone."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.errors import DataError
from unlinkable.tables.data.reading.inference import (
    convert,
    days,
    guesses,
    infer,
    is_measured,
    parse,
    type_column,
    whole,
    without,
)
from unlinkable.tables.data.reading.options import ColumnType

any_day = st.dates(date(1000, 1, 1), date(9999, 12, 31))


@pytest.mark.parametrize(
    ("texts", "values"),
    [
        (["39", "-7", "0"], [39, -7, 0]),
        ([" 39", "40 "], [39, 40]),
        (["9223372036854775807", "-9223372036854775808"], [2**63 - 1, -(2**63)]),
        (["1.5", "2", "-.25", "3.", "1e-3"], [1.5, 2.0, -0.25, 3.0, 0.001]),
        (["1e+16", "0.5"], [1e16, 0.5]),
        (["2020-02-29"], [date(2020, 2, 29)]),
        (["2020/02/29"], [date(2020, 2, 29)]),
        (["29.2.2020", "01.12.1999"], [date(2020, 2, 29), date(1999, 12, 1)]),
        (["03/04/2020", "25/04/2020"], [date(2020, 4, 3), date(2020, 4, 25)]),
        (["03/04/2020", "04/25/2020"], [date(2020, 3, 4), date(2020, 4, 25)]),
        (["3-4-2020", "4-25-2020"], [date(2020, 3, 4), date(2020, 4, 25)]),
        (["3 Apr 2020", "4 April 2020"], [date(2020, 4, 3), date(2020, 4, 4)]),
        (["03-Apr-2020"], [date(2020, 4, 3)]),
        (["April 3, 2020"], [date(2020, 4, 3)]),
        (
            ["2020-01-01T10:00", "2020-01-01 10:00:30", "2020-01-01T10:00:30.5"],
            [
                datetime(2020, 1, 1, 10),
                datetime(2020, 1, 1, 10, 0, 30),
                datetime(2020, 1, 1, 10, 0, 30, 500_000),
            ],
        ),
    ],
)
def test_texts_that_are_more_than_text(texts: list[str], values: list[object]) -> None:
    found = infer(pl.Series(texts))
    assert found is not None
    assert found.to_list() == values


@pytest.mark.parametrize(
    "texts",
    [
        ["39", ""],
        ["39", "x"],
        ["00501", "10115"],
        ["+39"],
        ["-0", "1"],
        ["9223372036854775808"],
        ["12345678901234567890", "1.5"],
        ["1e5", "2"],
        ["1.5", "1e999"],
        ["NaN", "1.5"],
        ["inf"],
        ["007.5", "1.5"],
        ["03/04/2020", "05/04/2020"],
        ["2020-02-30"],
        ["2020-01-01", "01.02.2020"],
        ["0000-01-01"],
        ["01/02/99"],
        ["2020-01-01T24:00"],
        ["2020-01-01T10:00Z"],
        ["true", "false"],
        ["٣٩"],
        [],
    ],
)
def test_texts_that_stay_text(texts: list[str]) -> None:
    assert infer(pl.Series(texts, dtype=pl.String)) is None


@pytest.mark.parametrize(
    ("texts", "values"),
    [
        (["1,5", "-0,25", "3"], [1.5, -0.25, 3.0]),
        (["1,234", "0,5"], [1.234, 0.5]),
        (["1,234", "2,345"], None),
        (["1,234,567"], None),
    ],
)
def test_a_decimal_comma_is_read_if_it_cannot_separate_thousands(
    texts: list[str], values: list[float] | None
) -> None:
    found = infer(pl.Series(texts), guesses(comma=True))
    assert (None if found is None else found.to_list()) == values
    assert infer(pl.Series(texts), guesses(comma=False)) is None


@given(st.lists(st.integers(-(2**70), 2**70), min_size=1))
def test_whole_numbers_are_those_that_fit(numbers: list[int]) -> None:
    found = infer(pl.Series([str(n) for n in numbers]))
    if all(-(2**63) <= n < 2**63 for n in numbers):
        assert found is not None
        assert found.to_list() == numbers
    else:
        assert found is None


@given(st.lists(any_day, min_size=1), st.sampled_from(["%d/%m/%Y", "%m/%d/%Y"]))
def test_a_day_is_read_as_it_was_written_or_not_at_all(values: list[date], form: str) -> None:
    found = infer(pl.Series(values).dt.strftime(form))
    is_clear = any(v.day > 12 for v in values)
    assert (found is not None) == is_clear
    if found is not None:
        assert found.to_list() == values


@given(st.lists(any_day, min_size=1), st.integers(0, 86_399_999_999))
def test_moments_come_back(values: list[date], microseconds: int) -> None:
    moments = [datetime(v.year, v.month, v.day) for v in values]
    moments[0] += timedelta(microseconds=microseconds)
    found = infer(pl.Series([m.isoformat() for m in moments]))
    assert found is not None
    assert found.to_list() == moments


@pytest.mark.parametrize(
    ("texts", "kind", "values"),
    [
        (["007", "x", None], ColumnType.INTEGER, [7, None, None]),
        (["1.5", "1,5", None], ColumnType.NUMBER, [1.5, None, None]),
        (["True", "FALSE", "no"], ColumnType.BOOLEAN, [True, False, None]),
        (["a", ""], ColumnType.TEXT, ["a", ""]),
        (["2020-01-01", "x"], ColumnType.DATE, [date(2020, 1, 1), None]),
        (["31.1.2020", None], ColumnType.DATE, [date(2020, 1, 31), None]),
        (["2020-01-01", "x"], ColumnType.DATETIME, [datetime(2020, 1, 1), None]),
        (["20200131", "x"], "%Y%m%d", [date(2020, 1, 31), None]),
        (["31.1.20 10:05"], "%d.%m.%y %H:%M", [datetime(2020, 1, 31, 10, 5)]),
    ],
)
def test_texts_as_what_they_are_said_to_be(
    texts: list[str], kind: ColumnType | str, values: list[object]
) -> None:
    found = parse(pl.Series(texts), kind, comma=False)
    assert found is not None
    assert found.to_list() == values


def test_a_day_that_may_be_two_is_not_parsed() -> None:
    assert parse(pl.Series(["03/04/2020"]), ColumnType.DATE, comma=False) is None


@pytest.mark.parametrize("text", ["39", "00501", "1,5", "1.5", "2020-01-01", "1.2.2020"])
def test_measured_texts_are_no_names(text: str) -> None:
    assert is_measured(text)
    assert not is_measured(f"x{text}")


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
