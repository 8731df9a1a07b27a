"""What was lost, as the command line tells it."""

from __future__ import annotations

import tomllib
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


def test_figures_of_a_damaged_private_half_are_refused(run: Run, released: Ran) -> None:
    Path("release/private/taxonomies.json").write_text("{}", encoding="utf-8")
    ran = run("measure", "release", "--json")
    assert ran.code == 2
    assert "taxonomies.json was changed" in ran.json["error"]


TABLES = ["--original", "patients.csv", "--released", "release/public/data.csv", "--plan"]


def test_metrics_are_told_with_their_parts(run: Run, released: Ran) -> None:
    ran = run("measure", "release", "--metric", "iloss", "--metric", "discernibility", "--json")
    assert ran.code == 0, ran.err
    assert set(ran.json["details"]) == {"iloss"}
    parts = ran.json["details"]["iloss"]
    assert list(parts) == ["age", "sex", "zip"]
    assert sum(parts.values()) / 3 == pytest.approx(ran.json["metrics"]["iloss"])
    people = run("measure", "release", "--metric", "iloss")
    assert people.out == ""
    lines = [line.split() for line in people.err.splitlines()]
    assert ["iloss", f"{ran.json['metrics']['iloss']:.4g}"] in lines
    assert ["age", f"{parts['age']:.4g}"] in lines


def test_all_usual_metrics_are_told_without_their_parts(run: Run, released: Ran) -> None:
    people = run("measure", "release")
    assert people.code == 0, people.err
    words = people.err.split()
    assert {"iloss", "discernibility"} <= set(words)
    assert "age" not in words
    assert run("measure", "release", "--json").json["metrics"] == pytest.approx(
        released.json["metrics"]
    )


def test_metrics_that_need_the_records_find_them_or_are_told_where(
    run: Run, released: Ran, patients: Path
) -> None:
    ask = "measure", "release", "--metric", "nonuniform-entropy", "--json"
    there = run(*ask)
    assert there.code == 0, there.err
    patients.rename("moved.csv")
    gone = run(*ask)
    assert gone.code == 2
    assert "say where they are with --original" in gone.json["error"]
    moved = run(*ask, "--original", "moved.csv", "--charts", "drawn")
    assert moved.json == there.json
    assert len(list(Path("drawn").iterdir())) == 3
    changed = Path("moved.csv").read_text(encoding="utf-8").replace("20,f", "59,f", 1)
    Path("moved.csv").write_text(changed, encoding="utf-8")
    refused = run(*ask, "--original", "moved.csv")
    assert refused.code == 2
    assert "is not what the release was made from" in refused.json["error"]


def test_perturbed_tables_are_measured_as_such(run: Run, patients: Path, roles: str) -> None:
    noisy = [line.replace("flu", "cold") for line in patients.read_text("utf-8").splitlines()]
    Path("noisy.csv").write_text("\n".join(noisy) + "\n", encoding="utf-8")
    ask = ["measure", "--original", patients, "--released", "noisy.csv", "--plan", roles, "--json"]
    ran = run(*ask, "--metric", "kl-divergence", "--treatment", "perturbed")
    assert ran.code == 0, ran.err
    assert ran.json["metrics"]["kl-divergence"] >= 0
    drawn = run(*ask, "--metric", "propensity", "--treatment", "perturbed", "--charts", "drawn")
    assert drawn.code == 0, drawn.err
    assert [file.name for file in Path("drawn").iterdir()] == ["before-after.svg"]
    refused = run(*ask, "--metric", "iloss", "--treatment", "perturbed")
    assert refused.code == 2
    assert "iloss cannot measure a perturbed release" in refused.json["error"]
    unknown = run(*ask, "--metric", "iloss", "--treatment", "noisy")
    assert unknown.code == 2
    assert "no treatment 'noisy' among 2" in unknown.json["error"]


def test_charts_of_a_bundle_and_of_tables_go_into_a_folder(
    run: Run, released: Ran, roles: str
) -> None:
    names = ["before-after.svg", "group-sizes.svg", "loss.svg"]
    ran = run("measure", "release", "--metric", "iloss", "--charts", "drawn")
    assert ran.code == 0, ran.err
    assert sorted(file.name for file in Path("drawn").iterdir()) == names
    assert "They stay with the holder." in ran.err
    ran = run("measure", *TABLES, roles, "--metric", "iloss", "--charts", "again", "--json")
    assert ran.code == 0, ran.err
    assert sorted(file.name for file in Path("again").iterdir()) == names
    assert set(ran.json) == {"metrics", "details"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["release", "--plan", "roles.toml"],
            "give a bundle, or --original, --released and --plan",
        ),
        (["release", "--released", "x.csv"], "give a bundle, or --original, --released and --plan"),
        (["release", "--treatment", "perturbed"], "--treatment is for tables"),
        (["--original", "patients.csv"], "all of --original, --released and --plan"),
        ([], "all of --original, --released and --plan"),
        (["release", "--metric", "ilos"], "did you mean 'iloss'"),
        (["release", "--metric", "iloss", "--charts", "patients.csv"], "cannot write charts here"),
        (["nowhere"], "no folder nowhere"),
    ],
)
def test_measuring_what_means_nothing_ends_with_2(
    run: Run, released: Ran, arguments: list[str], message: str
) -> None:
    ran = run("measure", *arguments)
    assert ran.code == 2
    assert message in ran.err
