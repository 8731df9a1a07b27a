"""Columns of a release as codes and numbers of the original, and tables by their digest."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import table_of
from unlinkable.errors import DataError
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.data.release_columns import (
    codes_of,
    column_from_codes,
    digest_of,
    frame_from_codes,
    is_listed,
    numbers_of,
    with_codes,
)
from unlinkable.tables.taxonomies.builders import Csv, Tree
from unlinkable.tables.taxonomies.domain import Domain

DAY = date(1970, 1, 3)

NOON = datetime(1970, 1, 3, 12)


def of(*values: object) -> Domain:
    return as_table({"x": list(values)}, quasi="x").taxonomy("x").domain


def frame(*values: object, dtype: Any = None) -> pl.DataFrame:
    return pl.DataFrame({"x": pl.Series(list(values), dtype=dtype)})


@given(tables(min_records=1))
def test_codes_are_the_places_of_values_among_the_leaves(random: RandomTable) -> None:
    table = table_of(random)
    for name in (*random.qid, *random.sensitive):
        leaves = random.trees[name].leaves
        expected = [leaves.index(row[name]) for row in random.rows]
        assert table.codes(name).tolist() == expected
        domain = table.taxonomy(name).domain
        assert codes_of(table.frame, name, domain).tolist() == expected


values = st.lists(st.none() | st.integers(-5, 5), min_size=1, max_size=12)


@given(values, values)
def test_codes_are_found_by_value_and_what_is_not_there_has_none(
    known: list[int | None], asked: list[int | None]
) -> None:
    domain = of(*known)
    order = sorted({v for v in known if v is not None})
    missing = len(order) if None in known else -1
    expected = [missing if v is None else order.index(v) if v in order else -1 for v in asked]
    as_texts = [None if v is None else str(v) for v in asked]
    for column in (
        pl.Series(asked, dtype=pl.Int64),
        pl.Series(asked, dtype=pl.Float64),
        pl.Series(as_texts, dtype=pl.String),
        pl.Series(as_texts, dtype=pl.Categorical),
    ):
        assert codes_of(pl.DataFrame({"x": column}), "x", domain).tolist() == expected


@pytest.mark.parametrize(
    ("domain", "column", "expected"),
    [
        (of(DAY, None), [DAY, date(1970, 1, 4), None], [0, -1, 1]),
        (of(DAY), ["1970-01-03", "1970-1-3", "x"], [0, -1, -1]),
        (of(DAY, None), [2, 3, None], [-1, -1, 1]),
        (of(2, 3, None), [DAY, None], [-1, 2]),
        (of(2, 3), [None, None], [-1, -1]),
        (of("2", "b"), [2, 3], [0, -1]),
        (of("true", "no"), [True, False], [1, -1]),
        (of(1.5, 2.0), ["1.5", "2", "2.25"], [0, 1, -1]),
        (of(NOON), [NOON.replace(tzinfo=UTC), NOON.replace(hour=11, tzinfo=UTC)], [0, -1]),
    ],
    ids=[
        "days",
        "texts of days",
        "numbers are no days",
        "days are no numbers",
        "nothing",
        "numbers as categories",
        "true and false",
        "texts of decimals",
        "times with a zone",
    ],
)
def test_codes_are_found_across_kinds(
    domain: Domain, column: list[object], expected: list[int]
) -> None:
    assert codes_of(frame(*column), "x", domain).tolist() == expected


def test_columns_of_other_types_have_no_codes() -> None:
    with pytest.raises(DataError, match="column 'x' holds Time, which is neither text, numbers"):
        codes_of(frame(time(3)), "x", of("a"))


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (frame(1, None, 3), [1.0, None, 3.0]),
        (frame(1.5, float("nan"), None), [1.5, None, None]),
        (frame("1.5", None, "-2"), [1.5, None, -2.0]),
        (frame("1.5", None, "-2", dtype=pl.Categorical), [1.5, None, -2.0]),
        (frame("1.50", None).cast(pl.Decimal(9, 2)), [1.5, None]),
        (frame(None, None), [None, None]),
        (frame(DAY, None), [2.0, None]),
        (frame(NOON, None), [2.5, None]),
        (frame(NOON, None, dtype=pl.Datetime("ns")), [2.5, None]),
        (frame(datetime(1969, 12, 31, 18)), [-0.25]),
        (frame(NOON).select(pl.col("x").dt.replace_time_zone("America/New_York")), [2.5]),
        (frame(), []),
    ],
    ids=[
        "whole",
        "decimals",
        "texts",
        "texts in a dictionary",
        "decimal type",
        "nothing",
        "days",
        "times",
        "nanoseconds",
        "before 1970",
        "a zone",
        "no records",
    ],
)
def test_numbers_and_days(column: pl.DataFrame, expected: list[float | None]) -> None:
    numbers = numbers_of(column, "x")
    assert numbers.dtype == float
    assert [None if np.isnan(v) else v for v in numbers.tolist()] == expected


moments = st.datetimes(datetime(1700, 1, 1), datetime(2300, 1, 1))


@pytest.mark.parametrize(
    ("values", "zone"),
    [
        (st.integers(-(2**40), 2**40), None),
        (st.floats(-1e9, 1e9), None),
        (st.dates(date(1700, 1, 1), date(2300, 1, 1)), None),
        (moments, None),
        (moments, "America/New_York"),
    ],
    ids=["whole", "decimals", "days", "times", "times of a zone"],
)
@given(data=st.data())
def test_numbers_are_those_of_the_domain(
    values: st.SearchStrategy[Any], zone: str | None, data: st.DataObject
) -> None:
    """A release that changes nothing shows the numbers that the original has."""
    same = frame(*data.draw(st.lists(st.none() | values, min_size=1, max_size=8)))
    if same["x"].dtype == pl.Datetime:
        clock = pl.col("x").dt.replace_time_zone(zone, ambiguous="earliest", non_existent="null")
        same = same.select(clock)
    table = as_table(same, quasi="x")
    known = np.append(table.taxonomy("x").domain.as_numbers(), np.nan)
    assert np.array_equal(numbers_of(same, "x"), known[table.codes("x")], equal_nan=True)


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (frame("1", "one"), "column 'x' holds values that are no numbers"),
        (frame("1970-01-03"), "column 'x' holds values that are no numbers"),
        (frame(True), "column 'x' holds no numbers but Boolean"),
        (frame(time(3)), "column 'x' holds no numbers but Time"),
        (frame(timedelta(3)), "column 'x' holds no numbers but Duration"),
    ],
    ids=["texts", "texts of days", "true or false", "times of day", "durations"],
)
def test_what_is_no_number_is_refused_without_being_told(
    column: pl.DataFrame, message: str
) -> None:
    with pytest.raises(DataError, match=message) as refused:
        numbers_of(column, "x")
    assert "one" not in str(refused.value)


PEOPLE = pl.DataFrame(
    {
        "text": ["a text that does not fit into twelve bytes", "", None, "b"] * 3,
        "number": [1, None, 3, 4] * 3,
        "share": [0.5, None, -0.0, 1e300] * 3,
        "day": [DAY, None, DAY, DAY] * 3,
        "list": [[1], [], None, [2, 3]] * 3,
        "bytes": [b"\xff", None, b"", b"x"] * 3,
    }
)


@pytest.mark.parametrize(
    "same",
    [
        PEOPLE.clone(),
        pl.concat([PEOPLE[:5], PEOPLE[5:]], rechunk=False),
        pl.concat([PEOPLE[7:], PEOPLE])[5:],
        PEOPLE.with_row_index().filter(pl.col("index") >= 0).drop("index"),
        PEOPLE.with_columns(
            number=pl.when(PEOPLE["number"].is_null()).then(None).otherwise(PEOPLE["number"])
        ),
    ],
    ids=["a copy", "in chunks", "a slice", "filtered", "other bytes below missing values"],
)
def test_equal_tables_have_the_same_digest(same: pl.DataFrame) -> None:
    assert same.equals(PEOPLE)
    assert digest_of(same) == digest_of(PEOPLE)


def test_the_names_of_sets_of_categories_do_not_matter() -> None:
    texts = pl.Series("x", ["a", "b", None])
    digests = {
        digest_of(pl.DataFrame(texts.cast(pl.Categorical(categories))))
        for categories in (pl.Categories.random(), pl.Categories.random(), pl.Categories("own"))
    }
    assert digests == {digest_of(pl.DataFrame(texts.cast(pl.Categorical)))}
    used_otherwise = pl.Series("x", ["b", "a", "b", None], dtype=pl.Categorical)[1:]
    assert digests == {digest_of(pl.DataFrame(used_otherwise))}


@pytest.mark.parametrize(
    "other",
    [
        PEOPLE[::-1],
        PEOPLE[:-1],
        PEOPLE.rename({"text": "words"}),
        PEOPLE.select(reversed(PEOPLE.columns)),
        PEOPLE.with_columns(pl.col("number").cast(pl.Float64)),
        PEOPLE.with_columns(pl.col("number").cast(pl.String)),
        PEOPLE.with_columns(pl.col("text").fill_null("")),
        PEOPLE.with_columns(pl.col("number").replace(4, 5)),
        PEOPLE.with_columns(pl.col("share").replace(0.5, np.nextafter(0.5, 1))),
        PEOPLE.with_columns(pl.col("list").list.reverse()),
        PEOPLE.with_columns(pl.col("bytes").fill_null(b"")),
    ],
    ids=[
        "turned",
        "one less",
        "renamed",
        "another order of columns",
        "another type",
        "texts of numbers",
        "empty for missing",
        "another number",
        "a number beside",
        "another list",
        "other bytes",
    ],
)
def test_other_tables_have_other_digests(other: pl.DataFrame) -> None:
    assert digest_of(other) != digest_of(PEOPLE)


def test_codes_of_a_table_follow_its_taxonomy_and_not_the_alphabet() -> None:
    table: Table = as_table(
        {"job": ["cook", None, "clerk"]},
        quasi="job",
        taxonomies={"job": Tree({"Kitchen": ["cook"], "Office": ["clerk", "boss"]})},
    )
    assert table.codes("job").tolist() == [0, 3, 1]
    assert table.codes("job").dtype == np.int32


@pytest.mark.parametrize(
    "column",
    [
        pl.Series("x", ["b", "a", None]),
        pl.Series("x", ["b", "a", None], dtype=pl.Categorical),
        pl.Series("x", [3, 1, None], dtype=pl.Int8),
        pl.Series("x", [2.5, 1.5, None]),
        pl.Series("x", [date(2020, 1, 2), date(2020, 1, 1), None]),
        pl.Series("x", [True, False, None]),
    ],
    ids=lambda column: str(column.dtype),
)
def test_the_codes_of_a_column_give_it_back(column: pl.Series) -> None:
    table = as_table(pl.DataFrame({"x": column}), quasi="x")
    assert column_from_codes(table, "x", table.codes("x")).equals(column)
    swapped = column_from_codes(table, "x", table.codes("x")[::-1].copy())
    assert swapped.to_list() == column.to_list()[::-1]


def test_values_that_nobody_has_are_taken_from_the_taxonomy() -> None:
    numbers = Tree({"low": ["1", "2"], "high": ["3"]})
    table = as_table({"x": [2, None], "y": ["a", "a"]}, quasi=["x", "y"],
                     taxonomies={"x": numbers, "y": Tree({"any": ["a", "b"]})})  # fmt: skip
    assert table.taxonomy("x").n == 4
    assert column_from_codes(table, "x", np.arange(4, dtype=np.int32)).to_list() == [1, 2, 3, None]
    frame = frame_from_codes(table, {"y": np.array([1, 0], np.int32)})
    assert frame["y"].to_list() == ["b", "a"]
    both = with_codes(table.frame, table, "y", np.array([1, 1], np.int32))
    assert both["y"].to_list() == ["b", "b"]
    assert both.columns == ["x", "y"]


def test_values_are_listed_by_trees_and_files_only(tmp_path: Path) -> None:
    file = tmp_path / "jobs.csv"
    file.write_text("cook;*\nclerk;*\n")
    table = as_table(
        {"a": ["cook"], "b": ["cook"], "c": ["cook"]},
        quasi=["a", "b", "c"],
        taxonomies={"a": Csv(str(file)), "b": Tree({"any": ["cook"]})},
    )
    assert [is_listed(table, name) for name in "abc"] == [True, True, False]
