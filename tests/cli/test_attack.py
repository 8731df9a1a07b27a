"""``unlinkable attack``, as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import OPTIONS, Run


@pytest.fixture
def release(run: Run, patients: Path, tmp_path: Path) -> Path:
    ran = run("anonymize", patients, *OPTIONS, "--others", "drop", "-o", "release")
    assert ran.code == 0, ran.err
    return tmp_path / "release"


@pytest.fixture
def voters(tmp_path: Path, patients: Path) -> Path:
    first = patients.read_text(encoding="utf-8").splitlines()
    header = first[0].split(",")
    rows = [dict(zip(header, line.split(","), strict=True)) for line in first[1:4]]
    lines = ["name,age,sex,zip"]
    lines += [f"P{i},{r['age']},{r['sex']},{r['zip']}" for i, r in enumerate(rows)]
    lines += ["Nobody,99,male,99999"]
    file = tmp_path / "voters.csv"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def test_an_attack_on_a_bundle(run: Run, release: Path) -> None:
    ran = run("attack", "attribute-linkage", release, "--json")
    told = ran.json
    assert ran.code == (1 if told["succeeded"] else 0)
    assert told["attack"] == "attribute-linkage"
    assert 0 < told["highest_confidence"] <= 1
    assert told["victims"][0]["confidence"] == told["highest_confidence"]
    assert told["needs"]
    assert told["remedy"]


def test_the_limit_decides_about_the_exit_code(run: Run, release: Path) -> None:
    strict = run("attack", "attribute-linkage", release, "--limit", "0.01")
    assert strict.code == 1
    assert "fall" in strict.err
    assert run("attack", "attribute-linkage", release, "--limit", "1").code == 0
    assert run("attack", "attribute-linkage(limit=1)", release).code == 0


def test_people_of_a_list_are_looked_for(run: Run, release: Path, voters: Path) -> None:
    for source in (release, release / "public"):
        ran = run("attack", "record-linkage", source, "--external", voters, "--json")
        told = ran.json
        assert told["attacked"] == 4
        assert told["highest_confidence"] <= 1 / 4
        names = [victim["who"]["name"] for victim in told["victims"] if victim["confidence"]]
        assert sorted(names) == ["P0", "P1", "P2"]


def test_all_attacks_and_a_section_for_a_report(run: Run, release: Path, tmp_path: Path) -> None:
    for suffix in ("md", "html", "json"):
        file = tmp_path / f"findings.{suffix}"
        ran = run("attack", "--all", release, "--seconds", "1", "--out", file)
        assert ran.code in (0, 1), ran.err
        assert "attacks were tried" in ran.err
        text = file.read_text(encoding="utf-8")
        assert "record-linkage" in text
    told = json.loads((tmp_path / "findings.json").read_text(encoding="utf-8"))
    assert all(attack["victims"] == [] for attack in told["attacks"])
    documents = run("attack", "--all", release, "--seconds", "1", "--json").json
    assert [a["attack"].split("(")[0] for a in documents["attacks"]] == [
        a["attack"].split("(")[0] for a in told["attacks"]
    ]
    assert documents["skipped"]


def test_a_table_of_another_tool_and_a_plan(run: Run, patients: Path) -> None:
    ran = run("attack", "attribute-linkage", patients, "-q", "age,sex,zip", "-s", "disease")
    assert ran.code == 1, ran.err
    run("describe", patients, "--plan", "plan.toml")
    assert run("attack", "attribute-linkage", "plan.toml").code == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("attribute-linkage",), "write unlinkable attack NAME SOURCE"),
        (("--all", "attribute-linkage", "release"), "write unlinkable attack --all SOURCE"),
        (("linkage", "release"), "no attack 'linkage'"),
        (("attribute-linkage", "nowhere"), "nowhere: there is no such bundle, plan or table"),
        (("attribute-linkage", "release", "--as", "age=integer"), "is a bundle"),
        (("attribute-linkage", "release", "--limit", "2"), "limit"),
        (("attribute-linkage", "release", "--limit", "much"), "'much'"),
        (("attribute-linkage", "release", "--seed", "-1"), "seed must be a whole number"),
        (("attribute-linkage", "patients.csv", "-q", "age", "--original", "a.csv"), "for bundles"),
        (("attribute-linkage", "patients.csv"), "say which columns of patients.csv"),
        (("attribute-linkage", "release", "-q", "age"), "is a bundle"),
        (("attribute-linkage", "release", "--out", "a.md"), "--out is for the findings of --all"),
        (("--all", "release", "--out", "a.pdf"), "format of findings"),
        (("--all", "release", "--out", "no/a.md"), "there is no folder no"),
        (("proximity", "release"), "proximity cannot be tried here"),
        (("record-linkage", "release/public"), "give the list of people with --external FILE"),
        (("table-linkage", "release"), "could be in the release with --population FILE"),
        (("record-linkage", "release", "--external", "none.csv"), "none.csv"),
        (("corruption(n=0.5)", "release"), "corruption"),
        (("corruption", "release", "--seconds", "1"), "--seconds is of no use to corruption"),
        (
            ("corruption", "release", "--prior", "patients.csv"),
            "--prior is of no use to corruption",
        ),
        (("difference", "release", "release", "--seconds", "1"), "--seconds is for one release"),
        (("table-linkage", "release"), "population"),
    ],
    ids=lambda x: " ".join(x) if isinstance(x, tuple) else "",
)
def test_wrong_use_is_told(run: Run, release: Path, arguments: tuple[str, ...], said: str) -> None:
    ran = run("attack", *arguments)
    assert ran.code == 2
    assert said in ran.err
    assert "Traceback" not in ran.err


def test_seconds_are_for_a_single_attack_as_well(run: Run, release: Path) -> None:
    told = run("attack", "minimality", release, "--seconds", "5", "--json").json
    assert "seconds=5" in told["attack"]


def test_every_attack_is_listed(run: Run) -> None:
    listed = run("list", "attack", "--json").json
    names = [entry["name"] for entry in listed]
    assert len(names) == 12 + 7  # on one release, and on several
    models = {entry["name"] for entry in run("list", "model", "--json").json}
    models |= {entry["name"] for entry in run("list", "policy", "--json").json}
    for entry in listed:
        assert entry["needs"]
        assert entry["remedy"]
        assert {*entry["stopped_by"]} <= models, entry["name"]
        families = [w for w in entry["remedy"].split() if w.strip(",;:.") == "l-diversity"]
        assert not families, f"{entry['name']}: there is no model of this name"
    assert "record-linkage" in names
    assert [e["kind"] for e in run("list", "risk", "--json").json] == ["risk"] * 4


def test_a_missing_original_is_told(run: Run, release: Path, patients: Path) -> None:
    patients.rename(patients.with_name("moved.csv"))
    ran = run("attack", "attribute-linkage", release)
    assert "warning: the original records are not where they were" in ran.err
    assert "--original" in ran.err
    told = run("attack", "attribute-linkage", release, "--original", "moved.csv", "--json").json
    assert told["doubt"] is None


def test_a_table_of_the_adversary_is_read_as_it_is_written(
    run: Run, release: Path, tmp_path: Path
) -> None:
    text = "name;age;sex;zip\nJürgen;20;f;01300\n"
    (tmp_path / "latin.csv").write_bytes(text.encode("cp1252"))
    ran = run(
        "attack", "record-linkage", release, "--external", "latin.csv", "--encoding", "cp1252",
        "--separator", ";", "--json",
    )  # fmt: skip
    assert ran.json["victims"][0]["who"] == {"name": "Jürgen"}


def test_a_limit_may_be_a_fraction(run: Run, release: Path) -> None:
    assert (
        run("attack", "attribute-linkage", release, "--limit", "1/3", "--json").json["limit"]
        == 1 / 3
    )
