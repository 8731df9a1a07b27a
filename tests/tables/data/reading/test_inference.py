"""What texts are: the forms that are read, and those that are left alone."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.tables.data.reading.inference import guesses, infer, is_measured, parse
from unlinkable.tables.data.reading.options import ColumnType

days = st.dates(date(1000, 1, 1), date(9999, 12, 31))


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


@given(st.lists(days, min_size=1), st.sampled_from(["%d/%m/%Y", "%m/%d/%Y"]))
def test_a_day_is_read_as_it_was_written_or_not_at_all(values: list[date], form: str) -> None:
    found = infer(pl.Series(values).dt.strftime(form))
    is_clear = any(v.day > 12 for v in values)
    assert (found is not None) == is_clear
    if found is not None:
        assert found.to_list() == values


@given(st.lists(days, min_size=1), st.integers(0, 86_399_999_999))
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
