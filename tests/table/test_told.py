"""Published records, read from their file alone."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.errors import DataError
from unlinkable.table.domain import Kind
from unlinkable.table.told import as_kind, distinct_texts, number_texts, read_told, tellable
from unlinkable.table.writing import write_frame


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_texts_come_back_as_they_stand(tmp_path: Path, suffix: str) -> None:
    texts = ["007", "1e5", "", None, "NA", " x ", 'say "no"', "a,b", "a\nb", "*", "[30-35)"]
    frame = pl.DataFrame({"a": texts, "b": texts[::-1]})
    write_frame(frame, tmp_path / f"data.{suffix}")
    back = read_told(tmp_path / f"data.{suffix}")
    assert back.cast(pl.String).equals(frame)


def test_a_table_without_records_is_a_table(tmp_path: Path) -> None:
    write_frame(pl.DataFrame({"a": []}, schema={"a": pl.String}), tmp_path / "data.csv")
    assert read_told(tmp_path / "data.csv").height == 0


@given(st.lists(st.none() | st.floats(), min_size=1))
def test_numbers_that_count_as_one_are_written_as_one(values: list[float | None]) -> None:
    frame = tellable(pl.DataFrame({"x": pl.Series(values, dtype=pl.Float64)}), ["x"])
    as_numbers = {v for v in values if v is not None and v == v}
    assert len(set(frame["x"].drop_nulls().cast(pl.String))) == len(as_numbers)
    assert not frame["x"].is_nan().any()


def test_only_what_was_counted_is_rewritten() -> None:
    moments = pl.Series([datetime(2024, 1, 1, tzinfo=UTC)])
    frame = pl.DataFrame({"a": moments, "b": moments, "x": [-0.0], "y": [-0.0]})
    told = tellable(frame, ["a", "x"])
    assert told.schema["a"] == pl.Datetime("us")
    assert told.schema["b"] == pl.Datetime("us", "UTC")
    assert told.cast(pl.String)["y"].to_list() == ["-0.0"]


@pytest.mark.parametrize(
    ("texts", "kind", "values"),
    [
        (["7", "-12", None], Kind.NUMBER, [7, -12, None]),
        (["7", "1.5", "1e-7"], Kind.NUMBER, [7.0, 1.5, 1e-7]),
        (["2024-03-05", None], Kind.DATE, [date(2024, 3, 5), None]),
        (["2024-03-05T07:00:00.000001"], Kind.DATE, [datetime(2024, 3, 5, 7, 0, 0, 1)]),
        (["2024-03-05 07:00:00"], Kind.DATE, [datetime(2024, 3, 5, 7)]),
        (["7", "12"], Kind.CATEGORY, ["7", "12"]),
    ],
)
def test_texts_are_read_as_what_they_are_said_to_be(
    texts: list[str], kind: Kind, values: list[Any]
) -> None:
    frame = as_kind(pl.DataFrame({"a": texts, "b": texts}), "a", kind)
    assert frame["a"].to_list() == values
    assert frame["b"].to_list() == texts


@pytest.mark.parametrize("kind", [Kind.NUMBER, Kind.DATE])
def test_texts_that_are_something_else_are_refused(kind: Kind) -> None:
    with pytest.raises(DataError, match=f"column 'a' holds texts that are no {kind.value}s"):
        as_kind(pl.DataFrame({"a": ["1", "one"]}), "a", kind)


def test_a_column_with_a_type_keeps_it() -> None:
    frame = pl.DataFrame({"a": [1.5]})
    assert as_kind(frame, "a", Kind.DATE) is frame


def test_distinct_texts_are_those_that_are_shown() -> None:
    frame = pl.DataFrame({"a": [2, 10, None, 2]})
    assert distinct_texts(frame, "a") == ["10", "2", None]
    assert number_texts(frame, "a").observed.counts.tolist() == [1, 2, 1]
