"""The whole report: its parts, its words, and what it does not tell."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given

from tests.strategies import RandomTable, tables
from tests.tables.risk.drawn import taken
from unlinkable.errors import ParameterError, SchemaError
from unlinkable.examples import hospital
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.risk import (
    ReIdentification,
    SpecialUniques,
    Uniqueness,
    assess,
    individual_risk,
    safe_harbor,
)


@pytest.fixture
def patients() -> Table:
    """A hospital, as it stands."""
    frame = hospital(300)
    others = [name for name in frame.columns if name not in ("age", "sex", "zip")]
    return as_table(frame, quasi=["age", "sex", "zip"], insensitive=others)


@given(tables())
def test_has_what_each_measure_says(random: RandomTable) -> None:
    table = taken(random)
    report = assess(table, fraction=0.1, threshold="1/3")
    found = ReIdentification(threshold=Fraction(1, 3), fraction=0.1).measure(table)
    assert report.re_identification.to_json() == found.to_json()
    assert report.uniqueness.to_json() == Uniqueness(fraction=0.1).measure(table).to_json()
    special = SpecialUniques(fraction=0.1).measure(table)
    assert report.special_uniques.to_json() == special.to_json()
    assert report.flags == safe_harbor(table)
    assert json.loads(json.dumps(report.to_json(), allow_nan=False))["records"] == len(table)


def test_the_same_table_has_the_same_report(patients: Table) -> None:
    assert assess(patients).to_json() == assess(patients).to_json()


def test_a_limit_is_passed_or_not(patients: Table) -> None:
    report = assess(patients)
    assert report.highest == 1
    assert report.is_within(1)
    assert not report.is_within("99/100")
    pairs = assess(as_table({"a": [1, 1, 2, 2, 2]}, quasi="a"))
    assert pairs.is_within("1/2")


def test_says_in_words_what_matters(patients: Table) -> None:
    said = list(assess(patients, fraction=0.1).sentences())
    assert said[0].startswith("Whoever knows age, sex and zip of somebody")
    assert "of 300 records" in said[1]
    assert "are about people who are unique in the population" in said[2]
    assert said[4].startswith("If 'zip' were not known") or said[4].startswith("If 'age'")
    safe = list(assess(as_table({"a": [1] * 9}, quasi="a")).sentences())
    assert safe[1] == "No record has a risk above 0.2."
    pairs = list(assess(as_table({"a": [1, 1, 2, 2]}, quasi="a")).sentences())
    assert pairs[1].endswith("above 0.2; each of them looks like others in the table.")
    alone = list(assess(as_table({"a": [1]}, quasi="a")).sentences())
    assert alone[1].startswith("1 of 1 record (100.0%) has a risk above 0.2;")


def test_figures_that_do_not_fit_each_other_are_pointed_at() -> None:
    everybody = as_table({"a": range(30)}, quasi="a")
    said = " ".join(assess(everybody, fraction=0.1).sentences())
    assert "About 100.00% of the records" in said
    assert "gives less: 0.2558 on average. Go by the higher figure." in said
    counted = " ".join(assess(everybody, population={"a": range(40)}).sentences())
    assert "gives less" not in counted
    assert "nobody of the population" not in counted
    other = " ".join(assess(everybody, population={"a": range(1, 40)}).sentences())
    assert "1 record looks like nobody of the population" in other


def test_says_how_many_columns_special_uniques_were_looked_for_in(patients: Table) -> None:
    told = "Special uniques were looked for in sets of up to 2 of 3 columns"
    assert any(said.startswith(told) for said in assess(patients, largest=2).sentences())
    assert not any("Special uniques" in said for said in assess(patients).sentences())


def test_populations_come_as_frames_and_as_files(patients: Table, tmp_path: Path) -> None:
    town = hospital(900, seed=1)
    file = tmp_path / "town.csv"
    town.write_csv(file)
    by_frame, by_file = assess(patients, population=town), assess(patients, population=file)
    assert by_frame.to_json() == by_file.to_json()
    assert by_frame.special_uniques.fraction == pytest.approx(1 / 3)
    assert by_frame.to_json() != assess(patients).to_json()


def test_weights_serve_all_measures() -> None:
    columns = {"a": [1, 2, 2, 3], "w": [10.0, 20.0, 20.0, 30.0]}
    report = assess(as_table(columns, quasi="a", weight="w"))
    assert report.uniqueness.fraction == report.special_uniques.fraction == 0.05
    expected = individual_risk(*(pl.Series(x).to_numpy() for x in ([1, 2, 1], [10.0, 40.0, 30.0])))
    assert report.re_identification.journalist.highest == pytest.approx(expected.max())


def test_a_notebook_is_shown_no_values(patients: Table) -> None:
    report = assess(as_table(patients.frame.rename({"zip": "<zip>"}), quasi=["age", "<zip>"],
        insensitive=[c for c in patients.frame.columns if c not in ("age", "zip")]))  # fmt: skip
    html = report._repr_html_()
    assert "&lt;zip&gt;" in html
    assert "<zip>" not in html
    for name in patients.frame["name"].to_list():
        assert name not in html
        assert name not in json.dumps(report.to_json())


def test_refuses_what_means_nothing(patients: Table) -> None:
    with pytest.raises(ParameterError, match="give one of them"):
        assess(patients, fraction=0.1, size=10_000)
    with pytest.raises(SchemaError, match="no column 'wage'"):
        assess(patients, columns=["wage"])
    with pytest.raises(ParameterError, match="largest must be at least 1"):
        assess(patients, largest=0)
    for limit in (2, 0, "-1/2", 1.0001):
        with pytest.raises(ParameterError, match=r"limit of a risk must lie in \(0, 1\]"):
            assess(patients).is_within(limit)
