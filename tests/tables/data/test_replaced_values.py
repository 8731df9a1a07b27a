"""Frames whose values were replaced."""

from __future__ import annotations

from datetime import date, datetime

import numpy as np
import polars as pl
import pytest

from unlinkable.errors import DataError, SchemaError, UnsupportedError
from unlinkable.tables.data import as_table
from unlinkable.tables.data.replaced_values import (
    frame_like,
    frame_of,
    free_name,
    numeric_points,
    publishable_columns,
    rounded,
    with_column,
    with_numbers,
    with_order,
)


def test_what_names_people_is_not_publishable() -> None:
    table = as_table(
        {"name": ["a"], "pid": [1], "mind": ["x"], "age": [3], "ill": ["flu"], "x": [0]},
        quasi="age",
        sensitive="ill",
        identifiers="name",
        owner="pid",
        guard="mind",
        insensitive="x",
    )
    assert publishable_columns(table) == ("age", "ill", "x")


def test_records_are_points_of_numbers_and_days() -> None:
    table = as_table({"n": [1, 2], "day": [date(1970, 1, 2), date(1970, 1, 4)]}, quasi=["n", "day"])
    assert numeric_points(table, ["day", "n"]).tolist() == [[1, 1], [3, 2]]


@pytest.mark.parametrize(
    ("values", "error", "message"),
    [
        (["a", "b"], UnsupportedError, "holds categories, and numbers are needed"),
        ([1.0, None], DataError, "has 1 missing or infinite values"),
        ([1.0, float("inf")], DataError, "has 1 missing or infinite values"),
        ([1.0, -2e150], DataError, r"numbers beyond 1e\+150, which are too large to compare"),
    ],
)
def test_what_is_no_number_is_no_point(
    values: list[object], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        numeric_points(as_table({"x": values}, quasi="x"), ["x"])


def test_a_point_has_no_coordinate_that_is_not_there() -> None:
    with pytest.raises(SchemaError, match="column 'y'"):
        numeric_points(as_table({"x": [1]}, quasi="x"), ["y"])


@pytest.mark.parametrize(
    ("column", "numbers", "expected"),
    [
        (pl.Series([1, 2]), [3.0, 4.0], [3, 4]),
        (pl.Series([1, 2]), [3.5, 4.0], [3.5, 4.0]),
        (pl.Series([1.0, 2.0]), [3.0, np.nan], [3.0, None]),
        (pl.Series([date(2020, 1, 1)] * 2), [0.4, 1.6], [date(1970, 1, 1), date(1970, 1, 3)]),
        (pl.Series([datetime(2020, 1, 1)]), [0.5], [datetime(1970, 1, 1, 12)]),
        (pl.Series([1, 2]), [2.0**63, 4.0], [2.0**63, 4.0]),
        (pl.Series([1, 2]), [-(2.0**62), 4.0], [-(2**62), 4]),
        (pl.Series([2**64 - 1, 2], dtype=pl.UInt64), [2.0**64, np.nan], [2.0**64, None]),
        (pl.Series([1, 2]), [np.inf, 4.0], [np.inf, 4.0]),
    ],
    ids=["whole", "fractions", "missing", "days", "times", "large", "fits", "unsigned", "infinite"],
)
def test_numbers_come_back_in_the_type_of_their_column(
    column: pl.Series, numbers: list[float], expected: list[object]
) -> None:
    frame = pl.DataFrame({"x": column})
    assert with_numbers(frame, "x", np.array(numbers))["x"].to_list() == expected


def test_columns_are_put_in_and_put_in_another_order() -> None:
    frame = frame_of({"x": [1, 2, 3]})
    assert with_order(frame, "x", np.array([2, 0, 1]))["x"].to_list() == [3, 1, 2]
    assert with_column(frame, "y", ["a", "b", "c"]).columns == ["x", "y"]
    assert free_name("x", ["x", "x 2"]) == "x 3"


def test_new_records_have_the_types_of_the_old_ones() -> None:
    old = pl.DataFrame({"age": [1, 2], "day": [date(2020, 1, 1)] * 2, "job": ["a", "b"]})
    texts = np.array(["x", None, "y"], object)
    new = frame_like(old, {"job": texts, "age": np.array([3.0, np.nan, 4.0]), "day": np.zeros(3)})
    assert new.rows()[:2] == [("x", 3, date(1970, 1, 1)), (None, None, date(1970, 1, 1))]
    assert new.schema["age"] == pl.Int64
    assert frame_like(old, {"job": np.empty(0, object)}).schema["job"] == pl.String


def test_numbers_are_rounded_to_the_step_of_their_column() -> None:
    half_hour = datetime(2024, 1, 1, 12, 30)
    table = as_table(
        {
            "whole": [1, 20],
            "tenths": [0.5, 1.2],
            "long": [0.1, 2**-0.5],
            "day": [date(2024, 1, 1), date(2024, 2, 1)],
            "time": [half_hour, datetime(2024, 1, 2)],
        },
        quasi=["whole", "tenths", "long", "day", "time"],
    )
    domains = {name: table.numbered(name).observed.domain for name in table.frame.columns}
    numbers = np.array([1.26, 3.74])
    assert rounded(numbers, domains["whole"]).tolist() == [1, 4]
    assert rounded(numbers, domains["tenths"]).tolist() == [1.3, 3.7]
    assert rounded(numbers, domains["long"]).tolist() == [1.26, 3.74]
    assert rounded(numbers, domains["day"]).tolist() == [1, 4]
    minutes = rounded(numbers, domains["time"]) * 24 * 60
    assert minutes == pytest.approx([1814, 5386])


@pytest.mark.parametrize(
    "column", [[date(2020, 1, 1)], [datetime(2020, 1, 1)]], ids=["day", "time"]
)
@pytest.mark.parametrize("day", [1e30, -719_163.0, 2_932_897.0, np.inf])
def test_days_that_no_calendar_has_are_refused_without_telling_them(
    column: list[object], day: float
) -> None:
    with pytest.raises(DataError, match="beyond the years 1 to 9999") as caught:
        with_numbers(pl.DataFrame({"x": column}), "x", np.array([day]))
    assert f"{day:.0f}" not in str(caught.value)


def test_the_first_and_the_last_day_of_the_calendar_are_written() -> None:
    frame = pl.DataFrame({"x": [date(2020, 1, 1)] * 2})
    days = with_numbers(frame, "x", np.array([-719_162.0, 2_932_896.0]))["x"].to_list()
    assert days == [date.min, date.max]
