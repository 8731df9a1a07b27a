"""A table and its populations, in one numbering of values."""

from __future__ import annotations

import polars as pl
import pytest

from unlinkable.errors import DataError, SchemaError
from unlinkable.tables.data import as_table
from unlinkable.tables.data.populations import population_table, with_populations
from unlinkable.tables.data.side import SideTable
from unlinkable.tables.taxonomies.builders import Auto, Intervals


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
