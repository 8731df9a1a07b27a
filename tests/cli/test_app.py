"""The command line as a whole."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run

COMMANDS = [
    "anonymize",
    "check",
    "choose-k",
    "collect",
    "compare",
    "demo",
    "describe",
    "explain",
    "key",
    "list",
    "measure",
    "verify",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(run: Run, command: str) -> None:
    ran = run(command, "--help")
    assert ran.code == 0
    assert "Usage" in ran.out


def test_help_lists_every_command(run: Run) -> None:
    ran = run("--help")
    assert all(command in ran.out for command in COMMANDS)


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys; sys.argv = ['unlinkable', '--help']\n"
        "from unlinkable.cli.app import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print([m for m in ('numba', 'polars', 'scipy', 'pydantic', 'numpy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith("[]")


def test_the_version_is_printed(run: Run) -> None:
    assert run("--version").out.startswith("unlinkable ")


def test_an_unknown_command_ends_with_2(run: Run) -> None:
    assert run("anonymise").code == 2


def test_lists_what_there_is(run: Run) -> None:
    found = run("list", "--json").json
    names = {(entry["kind"], entry["name"]) for entry in found}
    assert {
        ("model", "k-anonymity"),
        ("model", "t-closeness"),
        ("metric", "iloss"),
        ("method", "optimal"),
        ("method", "mondrian"),
        ("operation", "pseudonymization"),
    } <= names
    entry = next(e for e in found if e["name"] == "k-anonymity")
    assert set(entry) == {"kind", "name", "summary", "parameters", "reference"}
    assert entry["parameters"][0]["name"] == "k"


def test_lists_one_kind(run: Run) -> None:
    assert {entry["kind"] for entry in run("list", "metric", "--json").json} == {"metric"}


def test_an_unknown_kind_is_refused(run: Run) -> None:
    ran = run("list", "modle")
    assert ran.code == 2
    assert "did you mean 'model'" in ran.err


def test_wrong_use_is_told_to_programs_too(run: Run) -> None:
    ran = run("list", "--frobnicate", "--json")
    assert ran.code == 2
    assert "--frobnicate" in ran.json["error"]
    assert "--frobnicate" in ran.err


def test_documents_are_plain_ascii(run: Run, tmp_path: Path) -> None:
    (tmp_path / "ü.csv").write_text("ü,b\n1,2\n", encoding="utf-8")
    ran = run("check", "ü.csv", "-q", "ü", "-p", "k-anonymity(k=1)", "--json")
    assert ran.out.isascii()
    assert ran.json["models"][0]["worst"]["group"] == {"ü": "1"}


def test_names_are_printed_as_they_are_and_never_as_markup(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "[red]:smile:.csv"
    file.write_text("[bold]a,:smile:\x1b[2J\n1,2\n3,4\n", encoding="utf-8")
    ran = run("describe", file.name)
    assert "[bold]a" in ran.err
    assert ":smile:\\x1b[2J" in ran.err
    assert "[red]:smile:.csv" in run("describe", file.name, "--columns", "c", "--sheet", "x").err


def test_a_failing_disk_ends_with_2_and_no_traceback(run: Run, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("", encoding="utf-8")
    ran = run("demo", "--patients", "50", "--out", "taken", "--json")
    assert ran.code == 2
    assert "taken" in ran.json["error"]


def test_no_password_is_printed_even_of_an_address_with_a_slip(run: Run) -> None:
    ran = run("describe", "postgres//ann:s3cret@host/db", "--json")
    assert ran.code == 2
    assert "s3cret" not in ran.out + ran.err


def _start(*arguments: str, folder: Path, **streams: Any) -> subprocess.Popen[str]:
    code = "from unlinkable.cli.app import main; main()"
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments], cwd=folder, text=True, **streams
    )


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    assert _start("list", folder=tmp_path, stderr=writer).wait() == 141
    assert _start("list", "--json", folder=tmp_path, stdout=writer).wait() == 141
    os.close(writer)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
def test_a_full_disk_is_reported_once(tmp_path: Path) -> None:
    with Path("/dev/full").open("w") as full:
        ran = _start("list", "--json", folder=tmp_path, stdout=full, stderr=subprocess.PIPE)
        _, said = ran.communicate()
    assert ran.returncode == 2
    assert said == "error: No space left on device: check the path\n"


@pytest.mark.usefixtures("interrupts")
@pytest.mark.parametrize("step", ["write_public", "verify"])
def test_ctrl_c_leaves_nothing_behind(
    run: Run, patients: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def press_ctrl_c(*_: object, **__: object) -> None:
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(f"unlinkable.release.bundle.saving.{step}", press_ctrl_c)
    given = ("anonymize", patients, "-q", "age", "--others", "drop", "-p", "k-anonymity(k=2)")
    ran = run(*given, "-o", "x/y/z", "--json")
    assert (ran.code, ran.json, ran.err) == (130, {"error": "stopped"}, "error: stopped\n")
    assert [file.name for file in tmp_path.iterdir()] == [patients.name]


def test_a_defect_of_ours_is_told_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from unlinkable.cli import app

    def fail() -> None:
        raise ZeroDivisionError("a value of a record")

    monkeypatch.setattr(app, "_command", lambda: fail)
    assert app._run(as_json=False) == 2
    said = capsys.readouterr().err
    assert "ZeroDivisionError in test_app.py" in said
    assert "a value of a record" not in said


def test_progress_is_told_in_texts_and_not_in_markup() -> None:
    from unlinkable.cli.output import _started_bar

    bar, task = _started_bar("[/red] [bold]x")
    try:
        bar.update(task, description="[/red] \x1b[31m")
        assert "[/red]" in str(bar.columns[0].render(bar.tasks[0]))  # type: ignore[union-attr]
    finally:
        bar.stop()
