"""Where commands write: nothing is replaced unasked, and what a command reads never."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import OPTIONS, ROLES, Ran, Run
from tests.tables.publishing.saved_bundles import contents

EVERY = [
    "compare plan.toml --chart out.json",
    "choose-k plan.toml --k 2..3 --chart out.json",
    "attack --all release --out out.json",
    "report release --out out.json",
    "measure release --charts charts",
    "collect randomize patients.csv -c age --with bayes-reconstruction(scale=2) --out out.csv",
]


@pytest.fixture
def folder(tmp_path: Path, patients: Path, released: Ran) -> Path:
    """Give a folder with a table, a plan, a bundle, and files of the user."""
    (tmp_path / "plan.toml").write_text(ROLES, encoding="utf-8")
    (tmp_path / "charts").mkdir()
    for name in ("out.json", "out.csv", "charts/loss.svg"):
        (tmp_path / name).write_text("the user's", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("line", EVERY)
def test_a_file_that_is_there_is_not_replaced_unasked(run: Run, folder: Path, line: str) -> None:
    before = contents(folder)
    ran = run(*line.split())
    assert ran.code == 2, ran.out
    assert "exists: choose another name, or add --overwrite" in ran.err
    assert contents(folder) == before


@pytest.mark.parametrize(
    "line",
    [
        "compare plan.toml --chart beside.json",
        "choose-k plan.toml --k 2..3 --chart beside.json",
        "attack --all release --prior beside.json --out beside.json",
        "report release --out release/public/release.json",
        "report release --out release/private/mine.json",
        "measure release --charts release/public",
        "collect randomize patients.csv -c age --with bayes-reconstruction(scale=2) "
        "--out patients.csv",
    ],
)
def test_what_a_command_reads_is_never_replaced(run: Run, folder: Path, line: str) -> None:
    ledger = '[[privacy]]\nmodel = "k-map"\nk = 2\npopulation = "beside.json"\n'
    plan = folder / "plan.toml"
    plan.write_text(ROLES.replace("[method]", f"{ledger}[method]"), encoding="utf-8")
    (folder / "beside.json").write_text("the user's", encoding="utf-8")
    before = contents(folder)
    ran = run(*line.split(), "--overwrite")
    assert ran.code == 2, ran.out
    assert "belongs to what is read here and is not replaced" in ran.err
    assert contents(folder) == before


@pytest.mark.parametrize("line", [EVERY[3], EVERY[5]])
def test_a_file_is_replaced_if_asked(run: Run, folder: Path, line: str) -> None:
    before = contents(folder)
    assert run(*line.split(), "--overwrite").code == 0
    after = contents(folder)
    assert [name for name in before if before[name] != after[name]] == [line.split()[-1]]


def test_a_bundle_is_not_replaced_with_files_beside_it(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = folder / "release"
    (place / "data.csv").write_bytes((folder / "patients.csv").read_bytes())
    plan = ROLES.replace("patients.csv", "data.csv")
    (place / "plan.toml").write_text(plan, encoding="utf-8")
    before = contents(folder)
    monkeypatch.chdir(place)
    ran = run("anonymize", "plan.toml", "--out", ".", "--overwrite")
    assert ran.code == 2
    assert "holds data.csv and 1 more besides its bundle" in ran.err
    assert contents(folder) == before


def test_a_bundle_is_not_replaced_that_the_records_come_from(run: Run, folder: Path) -> None:
    before = contents(folder)
    ran = run("anonymize", "release/public/data.csv", *OPTIONS[:6], "-o", "release", "--overwrite")
    assert ran.code == 2
    assert "which would be replaced: choose another folder" in ran.err
    assert contents(folder) == before


def test_a_demo_changes_nothing_if_its_bundle_cannot_be_replaced(run: Run, tmp_path: Path) -> None:
    assert run("demo", "--patients", "100").code == 0
    (tmp_path / "demo" / "release" / "notes.txt").write_text("mine", encoding="utf-8")
    before = contents(tmp_path)
    ran = run("demo", "--patients", "120")
    assert ran.code == 2
    assert "holds notes.txt besides its bundle" in ran.err
    assert contents(tmp_path) == before
