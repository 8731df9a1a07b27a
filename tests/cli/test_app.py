"""The command line as a whole."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.cli.conftest import Run

COMMANDS = "anonymize check compare demo describe explain key list measure verify".split()  # noqa: SIM905


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
