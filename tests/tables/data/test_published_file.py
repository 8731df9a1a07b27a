"""Published records, read from their file alone."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.errors import DataError
from unlinkable.tables.data.published_file import (
    as_kind,
    canonical_values,
    distinct_texts,
    number_texts,
    read_published,
    shows_rows,
)
from unlinkable.tables.data.writing import write_frame
from unlinkable.tables.taxonomies.domain import Kind


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_texts_come_back_as_they_stand(tmp_path: Path, suffix: str) -> None:
    texts = ["007", "1e5", "", None, "NA", " x ", 'say "no"', "a,b", "a\nb", "*", "[30-35)"]
    frame = pl.DataFrame({"a": texts, "b": texts[::-1]})
    write_frame(frame, tmp_path / f"data.{suffix}")
    back = read_published(tmp_path / f"data.{suffix}")
    assert back.cast(pl.String).equals(frame)


def test_a_table_without_records_is_a_table(tmp_path: Path) -> None:
    write_frame(pl.DataFrame({"a": []}, schema={"a": pl.String}), tmp_path / "data.csv")
    assert read_published(tmp_path / "data.csv").height == 0


@given(st.lists(st.none() | st.floats(), min_size=1))
def test_numbers_that_count_as_one_are_written_as_one(values: list[float | None]) -> None:
    frame = canonical_values(pl.DataFrame({"x": pl.Series(values, dtype=pl.Float64)}), ["x"])
    as_numbers = {v for v in values if v is not None and v == v}
    assert len(set(frame["x"].drop_nulls().cast(pl.String))) == len(as_numbers)
    assert not frame["x"].is_nan().any()


def test_only_what_was_counted_is_rewritten() -> None:
    moments = pl.Series([datetime(2024, 1, 1, tzinfo=UTC)])
    frame = pl.DataFrame({"a": moments, "b": moments, "x": [-0.0], "y": [-0.0]})
    told = canonical_values(frame, ["a", "x"])
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


HELD = pl.DataFrame(
    {
        "text": ["a", "", None, "b"],
        "dictionary": pl.Series(["a", "", None, "b"], dtype=pl.Categorical),
        "number": [1, None, 3, 4],
        "share": [0.1, 0.7, -0.0, None],
        "odd": [float("nan"), 1.0, None, 2.5],
        "short": pl.Series([0.1, 0.2, None, 0.3], dtype=pl.Float32),
        "flag": [True, None, False, True],
        "day": [date(2024, 1, 5), None, date(2023, 1, 5), date(2024, 1, 5)],
        "time": [datetime(2024, 1, 5, 1), None, datetime(2024, 1, 5, 2, 3, 4, 5), None],
        "zone": [datetime(2024, 1, 5, 1, tzinfo=UTC), None, None, None],
        "hour": [time(1), None, time(2), time(3)],
    }
)
ROWS = np.array([0, 2, 3])


def written(frame: pl.DataFrame, folder: Path, suffix: str) -> pl.DataFrame:
    write_frame(frame, folder / f"data.{suffix}")
    return read_published(folder / f"data.{suffix}")


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
@pytest.mark.parametrize("name", HELD.columns)
def test_what_was_published_as_it_was_is_recognized(tmp_path: Path, suffix: str, name: str) -> None:
    for frame in (HELD, canonical_values(HELD, HELD.columns)):
        told = written(frame[ROWS], tmp_path, suffix)
        assert shows_rows(told, HELD, name, ROWS)


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
@pytest.mark.parametrize("name", [name for name in HELD.columns if name not in ("zone", "hour")])
def test_other_values_are_not_taken_for_those_that_were_published(
    tmp_path: Path, suffix: str, name: str
) -> None:
    """Of each column one value is missing, or another one."""
    others = [rows for rows in ([1, 2, 3], [0, 0, 3], [0, 2, 1]) if is_other(name, rows)]
    assert others
    for rows in others:
        assert not shows_rows(written(HELD[rows], tmp_path, suffix), HELD, name, ROWS)


def is_other(name: str, rows: list[int]) -> bool:
    """What is not a number is missing."""
    column = canonical_values(HELD, [name])[name]
    return not column[rows].equals(column[ROWS.tolist()])


def test_values_of_another_kind_are_others() -> None:
    assert not shows_rows(
        pl.DataFrame({"x": ["one"]}), pl.DataFrame({"x": [1]}), "x", np.array([0])
    )
    assert not shows_rows(
        pl.DataFrame({"x": ["one"]}), pl.DataFrame({"x": [date(2024, 1, 1)]}), "x", np.array([0])
    )
    assert shows_rows(pl.DataFrame({"x": [1.0]}), pl.DataFrame({"x": [1]}), "x", np.array([0]))
