"""The default path: the plan that `describe` writes, run as it is, tells nobody's number."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import numpy as np
import pytest

from tests.cli.conftest import Run

VISITS, PATIENTS = 8_000, 4_094


@pytest.fixture
def visits(tmp_path: Path) -> tuple[Path, set[str]]:
    """Write visits of patients, everybody at least one, and give the numbers of the patients."""
    rng = np.random.default_rng(7)
    numbers = rng.choice(np.arange(10**9, 10**9 + 10**6), PATIENTS, replace=False)
    who = np.concatenate([np.arange(PATIENTS), rng.integers(0, PATIENTS, VISITS - PATIENTS)])
    rng.shuffle(who)
    age, sex = rng.integers(0, 95, PATIENTS), rng.choice(["m", "w"], PATIENTS)
    ill = rng.choice(["J10", "E11", "I10", "C34"], VISITS)
    lines = ["Patientennummer,Alter,Geschlecht,Diagnose"]
    lines += [f"{numbers[w]},{age[w]},{sex[w]},{s}" for w, s in zip(who, ill, strict=True)]
    file = tmp_path / "visits.csv"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file, {str(n) for n in numbers}


@pytest.mark.parametrize("method", [None, "best(time=2)", "mondrian"])
def test_no_number_of_a_patient_is_published(
    run: Run, visits: tuple[Path, set[str]], tmp_path: Path, method: str | None
) -> None:
    file, numbers = visits
    assert run("describe", file, "--plan", "plan.toml").code == 0
    chosen = [] if method is None else ["--method", method]
    ran = run("anonymize", "plan.toml", "--out", "out", *chosen, "--json")
    assert ran.code == 0, ran.err
    assert ran.json["holds"]
    for published in (tmp_path / "out" / "public").iterdir():
        text = published.read_text("utf-8", errors="replace")
        assert not numbers & set(re.findall(r"\d{10}", text)), published.name
    header = (tmp_path / "out" / "public" / "data.csv").read_text("utf-8").partition("\n")[0]
    assert header == "Alter,Geschlecht,Diagnose"


def test_the_starting_plan_counts_people(run: Run, visits: tuple[Path, set[str]]) -> None:
    file, _ = visits
    assert run("describe", file, "--plan", "plan.toml").code == 0
    plan = Path("plan.toml").read_text("utf-8")
    assert '[columns.Patientennummer]\nrole = "owner"' in plan


def test_numbers_of_patients_as_quasi_identifier_are_refused(
    run: Run, visits: tuple[Path, set[str]]
) -> None:
    file, numbers = visits
    ran = run(
        "anonymize", file, "-q", "Alter,Patientennummer", "-s", "Diagnose", "--others", "drop",
        "-p", "k-anonymity(k=2)", "-m", "best", "-o", "out",
    )  # fmt: skip
    assert ran.code == 2
    assert "'Patientennummer' looks like medical record numbers" in ran.err
    assert not numbers & set(re.findall(r"\d{10}", ran.err))


def test_several_visits_of_a_patient_are_warned_of(run: Run, visits: tuple[Path, set[str]]) -> None:
    file, _ = visits
    ran = run(
        "anonymize", file, "-q", "Alter,Geschlecht", "-s", "Diagnose", "--identifier",
        "Patientennummer", "-p", "k-anonymity(k=2)", "-o", "out",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    assert "8,000 records have 4,094 values of 'Patientennummer'" in " ".join(ran.err.split())


def test_a_unique_number_is_an_identifier_where_safe_harbor_flags_it(
    run: Run, tmp_path: Path
) -> None:
    rows = "".join(f"{i},{20 + i % 60},{'fm'[i % 2]}\n" for i in range(1, 892))
    (tmp_path / "titanic.csv").write_text(f"PassengerId,Age,Sex\n{rows}", encoding="utf-8")
    told = run("describe", tmp_path / "titanic.csv", "--json").json
    assert told["columns"][0]["role"] == "identifier"
    assert [flag["column"] for flag in told["safe_harbor"]] == ["PassengerId"]


@pytest.mark.parametrize(("n_columns", "method"), [(4, "optimal"), (60, "mondrian")])
def test_the_starting_plan_has_a_method_that_ends(
    run: Run, tmp_path: Path, n_columns: int, method: str
) -> None:
    rng = np.random.default_rng(3)
    names = [f"answer{j}" for j in range(n_columns)]
    rows = rng.choice(["yes", "no", "perhaps"], (200, n_columns))
    text = "\n".join([",".join(names), *(",".join(row) for row in rows)])
    (tmp_path / "survey.csv").write_text(text + "\n", encoding="utf-8")
    assert run("describe", "survey.csv", "--plan", "plan.toml").code == 0
    plan = tomllib.loads(Path("plan.toml").read_text("utf-8"))
    assert plan["method"]["name"] == method
    assert ("time" in plan["method"]) == (method == "optimal")
    assert run("anonymize", "plan.toml", "--out", "out").code == 0
