"""What surrounds the library: licence, pins, targets, change fragments."""

from __future__ import annotations

import hashlib
import os
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PINS = [
    line
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


def normal(requirement: str) -> str:
    """The name in a requirement, as package indexes spell it."""
    (name,) = re.findall(r"^[A-Za-z0-9._-]+", requirement)
    return re.sub(r"[-_.]+", "-", name).lower()


def test_the_licence_is_the_unmodified_apache_2() -> None:
    digest = hashlib.sha256((ROOT / "LICENSE").read_bytes()).hexdigest()
    assert digest == "cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30"
    assert PROJECT["license"] == "Apache-2.0"


@pytest.mark.parametrize("line", PINS)
def test_a_pin_is_a_name_and_a_version_and_nothing_else(line: str) -> None:
    marker = r'python_version (<|>=) "3\.\d+"'
    assert re.fullmatch(rf"[a-z0-9-]+==[0-9a-z.]+( ; {marker}( and {marker})?)?", line)
    assert normal(line) != PROJECT["name"]


def test_everything_that_is_asked_for_is_pinned() -> None:
    groups = [PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()]
    asked = {normal(requirement) for group in groups for requirement in group}
    assert asked - {PROJECT["name"]} - {normal(line) for line in PINS} == set()


def test_the_library_asks_for_ranges() -> None:
    assert not [text for text in PROJECT["dependencies"] if "==" in text or "<" in text]


@pytest.mark.parametrize("target", ["demo", "test", "lint", "bench", "docs", "clean", "help"])
def test_every_target_is_there_and_explained(target: str) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(rf"^{target}:.*## \w+", makefile, re.MULTILINE)


@pytest.mark.skipif(os.name != "posix", reason="permissions are those of POSIX")
def test_the_checks_of_a_change_can_be_run() -> None:
    assert os.access(ROOT / ".ci" / "run", os.X_OK)


def test_every_change_is_one_sentence_of_a_known_kind() -> None:
    kinds = set(
        re.findall(r"^\| `(\w+)` \|", (ROOT / "changes" / "README.md").read_text(), re.MULTILINE)
    )
    assert "added" in kinds
    for file in (ROOT / "changes").iterdir():
        if file.name != "README.md":
            assert re.fullmatch(rf"[a-z0-9-]+\.({'|'.join(kinds)})\.md", file.name), file.name
            (sentence,) = file.read_text(encoding="utf-8").splitlines()
            assert sentence.endswith("."), file.name
