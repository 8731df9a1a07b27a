"""Methods that do not generalize, on the command line."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from tests.cli.conftest import Run


@pytest.fixture
def staff(tmp_path: Path) -> Path:
    chance = random.Random(3)
    lines = ["age,sex,ill,pay"]
    lines += [
        f"{chance.randint(20, 60)},{chance.choice('fm')},{chance.choice(['flu', 'hiv', 'cold'])},"
        f"{chance.randint(1000, 5000)}"
        for _ in range(90)
    ]
    file = tmp_path / "staff.csv"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


ROLES = ("-q", "age,sex", "-s", "ill", "--others", "drop")


def test_buckets_from_a_file_to_a_measured_bundle(run: Run, staff: Path, tmp_path: Path) -> None:
    ran = run(
        "anonymize", staff, *ROLES, "-p", "frequency-l-diversity(l=2)", "-m", "anatomize",
        "-o", "release", "--json",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    assert ran.json["holds"]
    assert ran.json["node"] is None
    assert ran.json["records"] == 90
    public = {f.name for f in (tmp_path / "release" / "public").iterdir()}
    assert public == {"quasi.csv", "sensitive.csv", "release.json", "report.html"}
    for folder in ("release", "release/public"):
        assert run("verify", folder, "--json").json["holds"]
    measured = run("measure", "release", "--metric", "query-error", "--json")
    assert measured.code == 0, measured.err
    assert measured.json["metrics"]["query-error"] >= 0


def test_without_a_promise_people_are_told_so(run: Run, staff: Path) -> None:
    ran = run("anonymize", staff, *ROLES, "-m", "rank-swapping", "-o", "release")
    assert ran.code == 0, ran.err
    assert "Nothing is promised" in ran.err
    verified = run("verify", "release")
    assert verified.code == 0
    assert "nothing is promised" in verified.err


def test_a_search_still_needs_a_promise(run: Run, staff: Path) -> None:
    for method in ((), ("-m", "mondrian"), ("-m", "mdav")):
        ran = run("anonymize", staff, *ROLES, *method, "-o", "release")
        assert ran.code == 2
        assert "nothing is promised: add --privacy" in ran.err


def test_an_operation_stands_in_place_of_a_method(run: Run, staff: Path, tmp_path: Path) -> None:
    ran = run(
        "anonymize", staff, "-q", "age,sex", "-s", "pay", "--others", "drop",
        "-m", "additive-noise(scale=50, columns=pay)", "-o", "release", "--seed", "5", "--json",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    assert ran.json["method"].startswith("additive-noise(scale=50")
    manifest = json.loads((tmp_path / "release/public/release.json").read_text(encoding="utf-8"))
    assert manifest["treatment"] == "perturbed"
    ran = run("anonymize", staff, *ROLES, "-m", "microaggregation", "-o", "other")
    assert ran.code == 2
    assert "no method 'microaggregation'" in ran.err


def test_a_plan_may_promise_nothing_if_its_method_may(
    run: Run, staff: Path, tmp_path: Path
) -> None:
    (tmp_path / "plan.toml").write_text(
        f'[data]\nsource = "{staff.name}"\nothers = "drop"\n'
        '[columns.age]\nrole = "quasi-identifier"\n'
        '[method]\nname = "rank-swapping"\np = 10\n[release]\nout = "release"\n',
        encoding="utf-8",
    )
    ran = run("anonymize", "plan.toml", "--json")
    assert ran.code == 0, ran.err
    assert ran.json["models"] == []
    explained = run("explain", "release")
    assert explained.code == 2
    assert "does not generalize" in explained.err


def test_noise_is_priced_again_and_tells_nothing_that_was_not_paid_for(
    run: Run, staff: Path, tmp_path: Path
) -> None:
    (tmp_path / "sex.csv").write_text("f,*\nm,*\n", encoding="utf-8")
    ran = run(
        "anonymize", staff, "-q", "sex", "--others", "drop", "-t", "sex=sex.csv",
        "-p", "differential-privacy(epsilon=1)", "-m", "dp-histogram", "-o", "release", "--json",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    manifest = json.loads((tmp_path / "release/public/release.json").read_text(encoding="utf-8"))
    assert manifest["noise"]["events"]
    assert manifest["metrics"] == {}
    verified = run("verify", "release/public", "--json")
    assert verified.json["holds"]
    assert verified.json["models"][0]["basis"] == "ledger"


def test_metrics_of_a_release_without_usual_ones_must_be_named(run: Run, staff: Path) -> None:
    assert run("anonymize", staff, *ROLES, "-m", "rank-swapping", "-o", "release").code == 0
    ran = run("measure", "release")
    assert ran.code == 2
    assert "say what to measure of perturbed values" in ran.err
    assert run("measure", "release", "--metric", "iloss").code == 2


def test_methods_that_promise_nothing_are_compared_without_a_promise(
    run: Run, staff: Path, tmp_path: Path
) -> None:
    (tmp_path / "plan.toml").write_text(
        f'[data]\nsource = "{staff.name}"\nothers = "drop"\n'
        '[columns.age]\nrole = "quasi-identifier"\n[columns.pay]\nrole = "sensitive"\n',
        encoding="utf-8",
    )
    asked = ("compare", "plan.toml", "--metric", "query-error(dimension=1)", "--json")
    ran = run(*asked, "-m", "rank-swapping(p=[5, 20])", "-m", "additive-noise(scale=9)")
    assert ran.code == 0, ran.err
    assert [x["problem"] for x in ran.json["outcomes"]] == [None] * 3
    assert run(*asked, "-m", "rank-swapping", "-m", "mdav").code == 2


def test_the_choice_of_nothing_needs_no_quotation_marks(
    run: Run, staff: Path, tmp_path: Path
) -> None:
    (tmp_path / "sex.csv").write_text("f,*\nm,*\n", encoding="utf-8")
    ran = run(
        "anonymize", staff, "-q", "sex", "--others", "drop", "-t", "sex=sex.csv", "-p",
        "differential-privacy(epsilon=1)", "-m", "dp-histogram(consistent=none)", "-o", "out",
    )  # fmt: skip
    assert ran.code == 0, ran.err


def test_methods_of_all_kinds_are_compared(run: Run, staff: Path, tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(
        f'[data]\nsource = "{staff.name}"\nothers = "drop"\n'
        '[columns.age]\nrole = "quasi-identifier"\n[columns.sex]\nrole = "quasi-identifier"\n'
        '[columns.ill]\nrole = "sensitive"\n[[privacy]]\nmodel = "k-anonymity"\nk = 3\n',
        encoding="utf-8",
    )
    ran = run(
        "compare", "plan.toml", "-m", "mondrian", "-m", "mdav", "-m", "rank-swapping",
        "--metric", "iloss", "--metric", "query-error", "--json",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    mondrian, mdav, swapping = ran.json["outcomes"]
    assert set(mondrian["metrics"]) == {"iloss", "query-error"}
    assert set(mdav["metrics"]) == {"query-error"}
    assert "rank-swapping cannot keep" in swapping["problem"]
