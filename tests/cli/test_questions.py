"""What can be asked of a bundle and of a plan: measure, explain, compare."""

from __future__ import annotations

import sqlite3
import tomllib
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.conftest import Ran, Run


def test_measures_a_bundle(run: Run, released: Ran) -> None:
    ran = run("measure", "release", "--metric", "iloss", "--metric", "discernibility", "--json")
    assert ran.code == 0, ran.err
    expected = {name: released.json["metrics"][name] for name in ("iloss", "discernibility")}
    assert ran.json["metrics"] == pytest.approx(expected)


def test_measures_a_table_before_and_after(run: Run, patients: Path, released: Ran) -> None:
    described = run("describe", patients, "--plan", "plan.toml")
    assert described.code == 0, described.err
    plan = tomllib.loads(Path("plan.toml").read_text(encoding="utf-8"))
    assert plan["columns"]["disease"]["role"] == "sensitive"
    Path("roles.toml").write_text(
        'data = {source = "patients.csv"}\n[columns]\nage = {role = "quasi-identifier", '
        'taxonomy = {intervals = [5, 10, 20]}}\nsex = {role = "quasi-identifier"}\n'
        'zip = {role = "quasi-identifier", taxonomy = {mask = 5}}\n'
        'disease = {role = "sensitive"}\n',
        encoding="utf-8",
    )
    ran = run(
        "measure", "--original", patients, "--released", "release/public/data.csv",
        "--plan", "roles.toml", "--metric", "iloss", "--metric", "discernibility", "--json",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    expected = {name: released.json["metrics"][name] for name in ("iloss", "discernibility")}
    assert ran.json["metrics"] == pytest.approx(expected)


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
    assert run("explain", "release").code == 0
    assert run("explain", "release", "--data", address).code == 0


def test_figures_of_a_damaged_private_half_are_refused(run: Run, released: Ran) -> None:
    Path("release/private/taxonomies.json").write_text("{}", encoding="utf-8")
    ran = run("measure", "release", "--json")
    assert ran.code == 2
    assert "taxonomies.json was changed" in ran.json["error"]


def test_explains_a_bundle(run: Run, released: Ran) -> None:
    ran = run("explain", "release", "--json")
    assert ran.code == 0, ran.err
    assert ran.json["loss"] == pytest.approx(released.json["metrics"]["iloss"])
    assert {a["name"] for a in ran.json["attributes"]} == {"age", "sex", "zip"}
    assert ran.json["what_if"]


def test_compares_methods(run: Run, patients: Path) -> None:
    run("describe", patients, "--plan", "plan.toml")
    ran = run(
        "compare", "plan.toml", "-m", "optimal", "-m", "mondrian", "-p", "k-anonymity(k=3)",
        "--json",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    assert [o["method"] for o in ran.json["outcomes"]] == ["optimal", "mondrian"]
    people = run("compare", "plan.toml", "-m", "mondrian", "-p", "k-anonymity(k=3)")
    assert "mondrian" in people.err


def test_nothing_that_can_be_compared_ends_with_1(run: Run, patients: Path) -> None:
    run("describe", patients, "--plan", "plan.toml")
    ran = run("compare", "plan.toml", "-p", "k-anonymity(k=41)", "--json")
    assert ran.code == 1
    assert "at most 40" in ran.json["outcomes"][0]["problem"]


@pytest.mark.parametrize(
    ("plan", "privacy", "message"),
    [
        ("plan.toml", 'distinct-l-diversity(l=2, sensitive="this and that")', "'this and that'"),
        ("plan.toml", "k-anonymity(k=2) and", "cannot read"),
        ("patients.csv", "k-anonymity(k=2)", "is no plan"),
    ],
)
def test_comparing_what_means_nothing_ends_with_2(
    run: Run, patients: Path, plan: str, privacy: str, message: str
) -> None:
    run("describe", patients, "--plan", "plan.toml")
    ran = run("compare", plan, "-p", privacy)
    assert ran.code == 2
    assert message in ran.err
