"""Why a release came out so, as the command line tells it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.conftest import Ran, Run


def test_a_changed_or_missing_table_explains_nothing(
    run: Run, released: Ran, patients: Path
) -> None:
    original = patients.read_text(encoding="utf-8")
    Path("kept.csv").write_text(original, encoding="utf-8")
    patients.write_text(original.replace("flu", "cold", 1), encoding="utf-8")
    ran = run("explain", "release")
    assert ran.code == 2
    assert "is not what the bundle was made from" in ran.err
    assert run("explain", "release", "--data", "kept.csv").code == 0
    patients.unlink()
    assert "no such file" in run("explain", "release").err


def test_explains_a_bundle(run: Run, released: Ran) -> None:
    ran = run("explain", "release", "--json")
    assert ran.code == 0, ran.err
    assert ran.json["loss"] == pytest.approx(released.json["metrics"]["iloss"])
    assert {a["name"] for a in ran.json["attributes"]} == {"age", "sex", "zip"}
    assert ran.json["what_if"]


def test_a_plan_with_the_address_of_a_database_is_for_its_owner_alone(run: Run) -> None:
    with closing(sqlite3.connect("people.db")) as database:
        database.executescript("create table t(age); insert into t values (1), (1), (2), (2);")
    address = "sqlite:///people.db"
    described = run("describe", address, "--query", "select * from t", "--plan", "p.toml")
    assert described.code == 0, described.err
    assert Path("p.toml").stat().st_mode & 0o777 == 0o600
    made = run("anonymize", address, "--query", "select age from t", "-q", "age", "-p",
               "k-anonymity(k=2)", "-o", "release")  # fmt: skip
    assert made.code == 0, made.err
    refused = run("explain", "release")
    assert refused.code == 2
    assert "no database is opened because a bundle names it" in refused.err
    assert run("explain", "release", "--data", address).code == 0
