"""Side tables: given, read from files, and refused with a reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from unlinkable.errors import DataError, ParameterError, SchemaError
from unlinkable.tables.data.side import Side, SideTable


def test_a_given_table_comes_before_a_file_of_the_same_name(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("age\n1\n")
    side = Side.of({"people.csv": {"age": [30, 40]}}, tmp_path)
    assert side.open("people.csv").frame.rows() == [(30,), (40,)]


def test_a_file_is_read_once_from_its_folder(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("age;job\n30;cook\n40;\n")
    side = Side.of(folder=tmp_path)
    people = side.open("people.csv")
    assert side.open("people.csv") is people
    assert list(side.opened()) == [people]
    assert people.columns == ("age", "job")
    assert len(people) == 2
    assert people.texts("job") == ["cook", None]
    assert people.numbers("age").tolist() == [30.0, 40.0]
    assert side.path("ledger.json") == tmp_path / "ledger.json"


def test_a_list_of_values_is_a_table(tmp_path: Path) -> None:
    (tmp_path / "jobs.csv").write_text("job\ncook\nclerk\n")
    assert Side.of(folder=tmp_path).open("jobs.csv").texts("job") == ["cook", "clerk"]


def test_what_is_neither_given_nor_a_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"no side table 'peple.csv': .*; given are 'people'"):
        Side.of({"people": {"age": [1]}}, tmp_path).open("peple.csv")


def test_a_table_in_place_of_its_name_is_refused_and_not_shown() -> None:
    table: Any = {"name": ["Ann"]}
    with pytest.raises(ParameterError, match=r"given with side=.* got a dict for the name$"):
        Side().open(table)


def test_a_missing_column_is_named() -> None:
    table = SideTable("prior", pl.DataFrame({"value": ["a"], "p": [0.5]}))
    with pytest.raises(SchemaError, match=r"no column 'q' among 2 .* in 'prior'"):
        table.numbers("q")


@pytest.mark.parametrize("values", [["a", "1"], [None, 1.0], [float("nan"), 1.0]])
def test_what_is_no_number_is_refused(values: list[object]) -> None:
    table = SideTable("prior", pl.DataFrame({"p": values}, strict=False))
    with pytest.raises(DataError, match="'p' of 'prior' must hold a number in every row"):
        table.numbers("p")
