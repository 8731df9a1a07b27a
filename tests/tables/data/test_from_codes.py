"""Columns from codes: every type of column, values that nobody has, missing ones."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from unlinkable.tables.data import as_table
from unlinkable.tables.data.from_codes import (
    column_from_codes,
    frame_from_codes,
    is_listed,
    with_codes,
)
from unlinkable.tables.taxonomies.builders import Csv, Tree


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
