"""``unlinkable risk``: a page, a document, and how it ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Ran, Run

PLAN = """
data = {source = "patients.csv"}
[columns]
age = {role = "quasi-identifier", taxonomy = {intervals = [5, 10, 20]}}
sex = {role = "quasi-identifier"}
zip = {role = "quasi-identifier"}
disease = {role = "sensitive"}
"""


def test_tells_the_risk_of_a_table(run: Run, patients: Path) -> None:
    ran = run("risk", patients, "-q", "age,sex,zip", "--json")
    assert ran.code == 0, ran.err
    assert ran.json["records"] == ran.json["people"] == 40
    assert ran.json["quasi"] == ["age", "sex", "zip"]
    found = ran.json["re_identification"]
    assert found["prosecutor"] == {
        "highest": 1.0, "average": 1.0, "above": 1.0, "records_above": 40, "records_at_highest": 40,
    }  # fmt: skip
    assert found["journalist"]["basis"] == "bound"
    assert [c["column"] for c in found["columns"]] == ["age", "zip", "sex"]
    assert ran.json["uniqueness"]["sample"] == {"records": 40, "share": 1.0}
    assert ran.json["special_uniques"]["by_size"] == {"1": 40, "2": 0, "3": 0}
    assert [flag["column"] for flag in ran.json["safe_harbor"]] == ["zip"]
    assert "within_limit" not in ran.json


def test_people_read_a_page(run: Run, patients: Path) -> None:
    ran = run("risk", patients, "-q", "sex,zip", "--fraction", "0.01")
    assert ran.code == 0, ran.err
    assert ran.out == ""
    for words in (
        "40 records, known by sex, zip",
        "Whoever knows sex and zip of somebody in the table",
        "prosecutor",
        "marketer",
        "Group sizes",
        "in the population",
        "pitman",
        "By column",
        "HIPAA Safe Harbor",
    ):
        assert words in ran.err
    assert "01300" not in ran.err


def test_a_plan_says_what_its_columns_are(run: Run, patients: Path) -> None:
    Path("plan.toml").write_text(PLAN, encoding="utf-8")
    by_plan = run("risk", "plan.toml", "--json")
    by_table = run("risk", patients, "-q", "age,sex,zip", "--json")
    assert by_plan.code == 0, by_plan.err
    assert by_plan.json == by_table.json


def test_a_bundle_is_compared_with_the_original(run: Run, released: Ran, patients: Path) -> None:
    ran = run("risk", "release", "--json")
    assert ran.code == 0, ran.err
    assert ran.json["before"]["re_identification"]["prosecutor"]["highest"] == 1
    assert ran.json["re_identification"]["prosecutor"]["highest"] <= 0.25
    public = run("risk", "release/public", "--json")
    assert "before" not in public.json
    people = run("risk", "release")
    assert "prosecutor, before" in people.err
    moved = patients.rename("moved.csv")
    assert "before" not in run("risk", "release", "--json").json
    assert run("risk", "release", "--original", moved, "--json").json == ran.json


def test_a_population_is_counted(run: Run, patients: Path, released: Ran) -> None:
    header, *rows = patients.read_text("utf-8").splitlines()
    Path("town.csv").write_text("\n".join([header, *rows, *rows]) + "\n", encoding="utf-8")
    ran = run("risk", patients, "-q", "age,sex,zip", "--population", "town.csv", "--json")
    assert ran.code == 0, ran.err
    assert ran.json["re_identification"]["journalist"]["highest"] == 0.5
    assert ran.json["re_identification"]["journalist"]["basis"] == "counted"
    assert ran.json["uniqueness"]["population"]["share"] == 0
    after = run("risk", "release", "--population", "town.csv", "--json").json
    found = after["re_identification"]
    assert found["journalist"]["highest"] == pytest.approx(found["prosecutor"]["highest"] / 2)


def test_a_limit_that_is_passed_ends_with_1(run: Run, patients: Path, released: Ran) -> None:
    table = run("risk", patients, "-q", "age,sex,zip", "--limit", "0.5", "--json")
    assert table.code == 1
    assert table.json["within_limit"] is False
    said = run("risk", patients, "-q", "age,sex,zip", "--limit", "0.5")
    assert said.code == 1
    assert "limit: the highest risk is 1, and 0.5 is allowed" in said.err
    bundle = run("risk", "release", "--limit", "1/4", "--json")
    assert bundle.code == 0, bundle.err
    assert bundle.json["within_limit"] is True


def test_the_size_of_the_sets_that_were_looked_at_is_told(run: Run, patients: Path) -> None:
    ran = run("risk", patients, "-q", "age,sex,zip", "--largest", "1")
    assert "share in special uniques of up to 1 column)" in " ".join(ran.err.split())
    assert "looked for in sets of up to 1 of 3 columns" in ran.err
    ran = run("risk", patients, "-q", "age,sex,zip")
    assert "share in special uniques of up to 3 columns)" in " ".join(ran.err.split())


def test_one_record_is_unique_by_no_column(run: Run) -> None:
    Path("one.csv").write_text("job,pay\ncook,10\n", encoding="utf-8")
    ran = run("risk", "one.csv", "-q", "job,pay")
    assert ran.code == 0, ran.err
    assert "1 record, known by job, pay" in ran.err
    assert "by no column" in ran.err
    assert "nobody else is in the table" in ran.err
    assert "1 records" not in ran.err
    Path("two.csv").write_text("job,who\ncook,a\nclerk,a\n", encoding="utf-8")
    assert (
        "2 records about 1 person, known by job"
        in run("risk", "two.csv", "-q", "job", "--owner", "who").err
    )


def test_owners_and_weights_count(run: Run) -> None:
    Path("visits.csv").write_text(
        "job,who,w\ncook,a,10\ncook,a,10\nclerk,b,5\nclerk,c,5\n", encoding="utf-8"
    )
    ran = run("risk", "visits.csv", "-q", "job", "--owner", "who", "--weight", "w", "--json")
    assert ran.code == 0, ran.err
    assert (ran.json["records"], ran.json["people"]) == (4, 3)
    found = ran.json["re_identification"]
    assert found["prosecutor"]["records_above"] == 4
    assert found["prosecutor"]["average"] == 0.75
    assert found["journalist"]["basis"] == "weights"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["patients.csv"], "name columns with --quasi"),
        (["nowhere"], "nowhere: there is no such bundle, plan or table"),
        (["patients.csv", "-q", "agee"], "no column 'agee' among 4"),
        (["patients.csv", "-q", "age", "--threshold", "high"], "expected a number"),
        (["patients.csv", "-q", "age", "--threshold", "3"], "threshold must be at most 1"),
        (["patients.csv", "-q", "age", "--fraction", "2"], r"fraction must lie in (0, 1]"),
        (["patients.csv", "-q", "age", "--fraction", "0.1", "--size", "500"], "give one of them"),
        (["patients.csv", "-q", "age", "--size", "5"], "the table has 40 of them"),
        (["patients.csv", "-q", "age", "--estimator", "pittman"], "did you mean 'pitman'"),
        (["patients.csv", "-q", "age", "--limit", "low"], "expected a number"),
        (["patients.csv", "-q", "age", "--limit", "2"], "must lie in (0, 1], got 2"),
        (["patients.csv", "-q", "age", "--limit", "0"], "must lie in (0, 1], got 0"),
        (["patients.csv", "-q", "age", "--original", "x.csv"], "--original is for a bundle"),
        (["patients.csv", "-q", "age", "--population", "nowhere.csv"], "nowhere.csv"),
        (["release", "-q", "age"], "release is a bundle, which says itself"),
        (["release", "--separator", ";"], "leave the options for tables out"),
        (["nowhere.csv", "-q", "age"], "nowhere.csv"),
    ],
)
def test_asking_what_means_nothing_ends_with_2(
    run: Run, released: Ran, arguments: list[str], message: str
) -> None:
    ran = run("risk", *arguments, "--json")
    assert ran.code == 2
    assert message in ran.json["error"]


def test_describe_flags_identifiers(run: Run) -> None:
    Path("people.csv").write_text("mail,x\nann@x.org,1\nbob@y.org,2\n", encoding="utf-8")
    ran = run("describe", "people.csv", "--json")
    assert ran.json["safe_harbor"][0]["item"] == "F"
    assert "F: email addresses" in run("describe", "people.csv").err
