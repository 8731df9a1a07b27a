"""Side tables: given, read from files, and refused with a reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from unlinkable.errors import DataError, ParameterError, SchemaError
from unlinkable.tables.data import as_table
from unlinkable.tables.data.side import Side, SideTable, population_table, with_populations
from unlinkable.tables.taxonomies.builders import Auto, Intervals


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


def side(**columns: list[object]) -> SideTable:
    return SideTable("people", pl.DataFrame(columns))


def test_taxonomies_cover_the_values_of_all() -> None:
    patients = as_table(
        {"age": [30, 41], "ill": ["flu", "cold"]},
        quasi="age",
        sensitive="ill",
        taxonomies={"age": Intervals(10)},
    )
    patients, populations = with_populations(patients, {"people": side(age=[30, 35, 62])})
    taxonomy = patients.taxonomy("age")
    assert taxonomy is populations["people"].taxonomy("age")
    assert taxonomy.domain.values.tolist() == [30, 35, 41, 62]
    assert patients.schema.sensitive == ("ill",)


def test_no_population_changes_nothing() -> None:
    patients = as_table({"age": [30]}, quasi="age")
    assert with_populations(patients, {}) == (patients, {})


def test_numbers_that_are_texts_are_brought_into_the_same_form() -> None:
    patients = as_table({"age": [30]}, quasi="age")
    _, populations = with_populations(patients, {"people": side(age=["30", "31"])})
    assert populations["people"].frame.get_column("age").to_list() == [30, 31]


def test_a_dictionary_of_texts_fits_any_other() -> None:
    frame = pl.DataFrame({"job": pl.Series(["a", "b"], dtype=pl.Categorical)})
    patients, _ = with_populations(as_table(frame, quasi="job"), {"people": side(job=["c"])})
    assert patients.taxonomy("job").domain.values.tolist() == ["a", "b", "c"]


def test_values_of_another_kind_are_refused() -> None:
    with pytest.raises(DataError, match="column 'age' of 'people' is not of the kind"):
        with_populations(as_table({"age": [30]}, quasi="age"), {"people": side(age=["old"])})


def test_a_population_without_a_column_is_refused() -> None:
    patients = as_table({"age": [30]}, quasi="age")
    with pytest.raises(SchemaError, match=r"no column 'age' among 1 .* in 'people'"):
        with_populations(patients, {"people": side(job=["cook"])})
    with pytest.raises(SchemaError, match=r"no column 'age' among 1 .* in 'people'"):
        population_table(side(job=["cook"]), patients)


def test_a_taxonomy_that_follows_hidden_values_is_refused() -> None:
    patients = as_table(
        {"job": ["a", "b"], "ill": ["x", "y"]},
        quasi="job",
        sensitive="ill",
        taxonomies={"job": Auto(by_hidden=True)},
    )
    with pytest.raises(SchemaError, match="'job' follows the sensitive columns"):
        with_populations(patients, {"people": side(job=["a"])})
