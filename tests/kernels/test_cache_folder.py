"""Compiled kernels where nothing can be written: they are kept for one run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import unlinkable

PACKAGE = Path(unlinkable.__file__).parent
WARNING = "compiled code cannot be kept, so that this run takes longer"


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """Copy the library to where no compiled code can be kept, not even by root."""
    leave_out = shutil.ignore_patterns("__pycache__")
    shutil.copytree(PACKAGE, tmp_path / "lib" / "unlinkable", ignore=leave_out)
    (tmp_path / "lib" / "unlinkable" / "kernels" / "__pycache__").touch()
    (tmp_path / "temporary").mkdir()
    return tmp_path


def run(installed: Path, *arguments: str, temporary: str | None = None) -> tuple[int, str, str]:
    """Run Python without a home."""
    surroundings = {k: v for k, v in os.environ.items() if k not in ("NUMBA_CACHE_DIR", "TEMP")}
    nowhere = {"HOME": os.devnull, "XDG_CACHE_HOME": f"{os.devnull}/cache"}
    place = {"TMPDIR": temporary or str(installed / "temporary")}
    ran = subprocess.run(
        [sys.executable, *arguments],
        env={**surroundings, **nowhere, **place, "PYTHONPATH": str(installed / "lib")},
        cwd=installed,
        capture_output=True,
        text=True,
    )
    return ran.returncode, ran.stdout, ran.stderr


def test_a_command_runs_says_so_once_and_leaves_nothing(installed: Path) -> None:
    (installed / "people.csv").write_text("age,ill\n30,flu\n30,cold\n", encoding="utf-8")
    asked = ["check", "people.csv", "-q", "age", "-p", "k-anonymity(k=2)"]
    code, _, said = run(installed, "-m", "unlinkable.cli", *asked)
    assert (code, said.count(WARNING)) == (0, 1), said
    assert not any((installed / "temporary").iterdir())


CHILD = """
from subprocess import run
import sys
from numba import config
import unlinkable.kernels
import os
import stat

if "child" not in sys.argv:
    assert stat.S_IMODE(os.stat(config.CACHE_DIR).st_mode) == 0o700
    child = run([sys.executable, sys.argv[0], "child"], capture_output=True, text=True, check=True)
    assert (child.stdout.strip(), child.stderr) == (config.CACHE_DIR, ""), child
    assert os.path.isdir(config.CACHE_DIR)
else:
    print(config.CACHE_DIR)
"""


@pytest.mark.skipif(os.name != "posix", reason="permissions are those of POSIX")
def test_processes_share_the_folder_of_the_one_that_started_them(installed: Path) -> None:
    (installed / "parent.py").write_text(CHILD, encoding="utf-8")
    code, _, said = run(installed, "parent.py")
    assert (code, said.count(WARNING)) == (0, 1), said
    assert not any((installed / "temporary").iterdir())


def test_where_nothing_at_all_can_be_written_it_says_what_to_do(installed: Path) -> None:
    nothing = (
        "import tempfile\n"
        "def refuse(**_): raise FileNotFoundError(2, 'no usable temporary directory')\n"
        "tempfile.mkdtemp = refuse\n"
        "import unlinkable.kernels\n"
    )
    code, _, said = run(installed, "-c", nothing)
    assert code == 1
    assert "name a folder that can be written in the environment variable NUMBA_CACHE_DIR" in said
