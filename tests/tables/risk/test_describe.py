"""Describing a table: what it holds, and what each column probably is."""

from __future__ import annotations

import math
from datetime import date

import pytest

from unlinkable.errors import SchemaError
from unlinkable.examples import hospital
from unlinkable.tables.data import Role, as_table
from unlinkable.tables.risk import describe
from unlinkable.tables.risk.describe import suggest_taxonomy
from unlinkable.tables.taxonomies import observe


def profiles(columns: dict[str, list[object]]) -> dict[str, object]:
    about = describe(as_table(columns, insensitive=list(columns)))
    return {p.name: p for p in about.columns}


def test_counts_distinct_missing_and_unique_values() -> None:
    found = profiles({"a": ["x", "x", "y", None]})["a"]
    assert (found.distinct, found.missing, found.unique) == (2, 1, 0.25)  # type: ignore[attr-defined]
    assert math.isclose(found.entropy, 1.5)  # type: ignore[attr-defined]


def test_suggests_the_roles_of_a_hospital() -> None:
    patients = hospital(2_000)
    about = describe(as_table(patients, insensitive=patients.columns))
    roles = {p.name: p.role for p in about.columns}
    assert roles["patient_id"] is Role.IDENTIFIER
    assert roles["name"] is Role.IDENTIFIER
    assert roles["diagnosis"] is Role.SENSITIVE
    quasi = {name for name, role in roles.items() if role is Role.QUASI}
    assert {"age", "sex", "zip", "admission_date", "profession"} <= quasi


def test_a_column_about_which_nothing_is_known_is_taken_for_a_quasi_identifier() -> None:
    found = profiles({"colour": ["red", "blue"] * 20})["colour"]
    assert found.role is Role.QUASI  # type: ignore[attr-defined]


def test_a_column_of_names_is_an_identifier_whatever_it_is_called() -> None:
    found = profiles({"x": [f"person {i}" for i in range(50)]})["x"]
    assert found.role is Role.IDENTIFIER  # type: ignore[attr-defined]


def test_a_constant_column_is_harmless() -> None:
    found = profiles({"country": ["CH"] * 30})["country"]
    assert found.role is Role.INSENSITIVE  # type: ignore[attr-defined]


def test_a_column_without_any_value_is_harmless() -> None:
    found = profiles({"a": ["x", "y"], "country": [None, None]})["country"]
    assert found.role is Role.INSENSITIVE  # type: ignore[attr-defined]
    assert found.reason == "it has no value anywhere"  # type: ignore[attr-defined]


def test_a_column_that_only_some_have_a_value_in_tells_them_apart() -> None:
    found = profiles({"ward": ["north"] * 3 + [None] * 27})["ward"]
    assert found.role is Role.QUASI  # type: ignore[attr-defined]


def test_suggests_a_taxonomy_that_fits_the_values() -> None:
    def suggested(values: list[object]) -> dict[str, object]:
        return suggest_taxonomy(observe("x", values).domain)

    assert suggested(["00501", "13053"]) == {"mask": 5}
    assert suggested([date(2024, 1, 1), date(2024, 2, 1)]) == {
        "dates": ["month", "quarter", "year"]
    }
    assert suggested(list(range(17, 90))) == {"intervals": [5, 10, 20, 40]}
    assert suggested(["f", "m"]) == {"flat": True}
    assert suggested([f"job {chr(65 + i)}" for i in range(20)]) == {"auto": True}
    assert suggested([0.5, 1.25, 2.75]) == {"auto": True}


def test_an_empty_table_can_be_described() -> None:
    about = describe(as_table({"a": []}, insensitive=["a"]))
    assert about.n_records == 0
    assert about.to_json()["records"] == 0


def test_a_column_that_is_not_there_cannot_be_combined() -> None:
    table = as_table({"age": [1, 2]}, insensitive="age")
    with pytest.raises(SchemaError, match="no column 'agee' among 1"):
        describe(table, sets=["agee"])
