"""Pin every package of the development environment, for every Python that is supported.

Asks pip what it would install on the first release of each Python, so that a pin holds on the
later ones too, and writes ``constraints.txt``. Where the answers differ, each pin is marked with
the Pythons it is for. Names and versions only: no hosts, no paths.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import tomllib
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).parent.parent
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
HEADER = """\
# Exact versions for a repeatable development environment; written by `make constraints`.
# What the library itself accepts is in pyproject.toml.
"""


def main() -> None:
    """Resolve for every Python and write the file."""
    pins: dict[str, dict[str, str]] = {}
    for python in PYTHONS:
        for name, version in resolve(requirements(), python).items():
            pins.setdefault(name, {})[python] = version
    lines = [line for name in sorted(pins) for line in pinned(name, pins[name])]
    (ROOT / "constraints.txt").write_text(HEADER + "\n".join(lines) + "\n", encoding="utf-8")


def requirements() -> list[str]:
    """List what the project and all its extras ask for, the project itself left out."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = [project["dependencies"], *project["optional-dependencies"].values()]
    own = re.compile(rf"{project['name']}\b")
    return [text for group in groups for text in group if not own.match(text)]


def resolve(wanted: list[str], python: str) -> dict[str, str]:
    """Ask pip which versions it would install."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        options = ["--quiet", "--dry-run", "--ignore-installed", "--only-binary=:all:"]
        where = ["--target", folder, "--python-version", python, "--report", str(report)]
        subprocess.run(
            [sys.executable, "-m", "pip", "install", *options, *where, *wanted], check=True
        )
        found = json.loads(report.read_text(encoding="utf-8"))["install"]
    return {
        re.sub(r"[-_.]+", "-", item["metadata"]["name"]).lower(): item["metadata"]["version"]
        for item in found
    }


def pinned(name: str, versions: dict[str, str]) -> list[str]:
    """Write one line for every run of Pythons that get the same version.

    >>> pinned("a", dict.fromkeys(PYTHONS, "1"))
    ['a==1']
    >>> pinned("a", {"3.11": "1", "3.12": "2", "3.13": "2", "3.14": "2"})
    ['a==1 ; python_version < "3.12"', 'a==2 ; python_version >= "3.12"']
    >>> pinned("a", {"3.12": "1", "3.13": "1"})
    ['a==1 ; python_version >= "3.12" and python_version < "3.14"']
    """
    lines = []
    for version, run in groupby(PYTHONS, key=versions.get):
        pythons = list(run)
        first, after = pythons[0], PYTHONS.index(pythons[-1]) + 1
        marks = [f'python_version >= "{first}"'] if first != PYTHONS[0] else []
        marks += [f'python_version < "{PYTHONS[after]}"'] if after < len(PYTHONS) else []
        if version is not None:
            lines.append(f"{name}=={version}" + (f" ; {' and '.join(marks)}" if marks else ""))
    return lines


if __name__ == "__main__":
    main()
