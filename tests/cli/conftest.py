"""Running commands as a user does, in this process."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from unlinkable.cli.app import main


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one document on standard output."""
        return json.loads(self.out)


Run = Callable[..., Ran]

ROLES = """
data = {source = "patients.csv"}
[columns]
age = {role = "quasi-identifier", taxonomy = {intervals = [5, 10, 20]}}
sex = {role = "quasi-identifier"}
zip = {role = "quasi-identifier", taxonomy = {mask = 5}}
disease = {role = "sensitive"}
[[privacy]]
model = "k-anonymity"
k = 4
[method]
suppression = 0.025
"""
"""A plan for the patients."""

OPTIONS = [
    "-q", "age,sex,zip", "-s", "disease", "-p", "k-anonymity(k=4)", "-p",
    "distinct-l-diversity(l=2)", "-t", "age=intervals:5,10,20", "-t", "zip=mask:5",
]  # fmt: skip
"""What is promised of the patients."""


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """Give a function that runs a command in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")

    def call(*arguments: object) -> Ran:
        monkeypatch.setattr("sys.argv", ["unlinkable", *map(str, arguments)])
        code = 0
        try:
            main()
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else 1
        said = capsys.readouterr()
        return Ran(code, said.out, said.err)

    return call


@pytest.fixture
def patients(tmp_path: Path) -> Path:
    """Write a small table of patients."""
    lines = ["age,sex,zip,disease"]
    for i in range(40):
        disease = ("flu", "cold", "hiv", "ulcer")[i % 4]
        lines.append(f"{20 + i},{'fm'[i // 2 % 2]},0{1300 + i // 10},{disease}")
    file = tmp_path / "patients.csv"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


@pytest.fixture
def released(run: Run, patients: Path) -> Ran:
    """Publish them."""
    return run("anonymize", patients, *OPTIONS, "--out", "release", "--json")


@pytest.fixture
def roles(patients: Path) -> str:
    """Write a plan for the patients."""
    (patients.parent / "roles.toml").write_text(ROLES, encoding="utf-8")
    return "roles.toml"
