"""Compiled kernels: installations share them; where nothing can be written, they last for a run."""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
import sys
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from numba.core.caching import IndexDataCacheFile

import unlinkable
import unlinkable.kernels

PACKAGE = Path(unlinkable.__file__).parent

WARNING = "compiled code cannot be kept, so that this run takes longer"


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """Copy the library to where no compiled code can be kept, not even by root."""
    leave_out = shutil.ignore_patterns("__pycache__")
    shutil.copytree(PACKAGE, tmp_path / "lib" / "unlinkable", ignore=leave_out)
    kernels = tmp_path / "lib" / "unlinkable" / "kernels"
    for folder in [kernels, *(each for each in kernels.iterdir() if each.is_dir())]:
        (folder / "__pycache__").touch()
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


CALLED = """
from numba import njit

@njit(cache=True)
def called():
    return 1
"""

CALLING = """
from numba import njit
from unlinkable.kernels.called import called

@njit(cache=True)
def calling():
    return called()

if __name__ == "__main__":
    from unlinkable.kernels.deeper.calling import calling

    print(calling(), sum(calling.stats.cache_hits.values()))
"""


def copied(folder: Path) -> Path:
    """Copy the kernels, and add two that stand in different files, one of which calls the other."""
    kernels = folder / "lib" / "unlinkable" / "kernels"
    (kernels / "deeper").mkdir(parents=True)
    (kernels.parent / "__init__.py").touch()
    for name in ("errors.py", "file_lock.py"):
        shutil.copy(PACKAGE / name, kernels.parent)
    shutil.copytree(PACKAGE / "kernels" / "cache", kernels / "cache")
    shutil.copy(PACKAGE / "kernels" / "__init__.py", kernels)
    (kernels / "called.py").write_text(CALLED, encoding="utf-8")
    (kernels / "deeper" / "calling.py").write_text(CALLING, encoding="utf-8")
    return folder


def call(folder: Path, home: Path) -> tuple[int, int]:
    """Call the kernel: give what it says, and how often its code was loaded from the disk."""
    ran = subprocess.run(
        [sys.executable, "-m", "unlinkable.kernels.deeper.calling"],
        env={
            **{k: v for k, v in os.environ.items() if k != "NUMBA_CACHE_DIR"},
            "HOME": str(home),
            "XDG_CACHE_HOME": str(home / "cache"),
            "PYTHONPATH": str(folder / "lib"),
        },
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert (ran.returncode, ran.stderr) == (0, ""), ran.stderr
    said, loaded = map(int, ran.stdout.split())
    return said, loaded


on_linux = pytest.mark.skipif(sys.platform != "linux", reason="XDG_CACHE_HOME is read on Linux")


@on_linux
def test_installations_share_what_was_compiled_as_long_as_no_kernel_differs(tmp_path: Path) -> None:
    one, other = copied(tmp_path / "one"), copied(tmp_path / "other")
    assert call(one, tmp_path) == (1, 0)
    assert call(one, tmp_path) == (1, 1)
    assert call(other, tmp_path) == (1, 1)
    changed = other / "lib" / "unlinkable" / "kernels" / "called.py"
    changed.write_text(CALLED.replace("1", "2"), encoding="utf-8")
    assert call(other, tmp_path) == (2, 0)
    assert call(one, tmp_path) == (1, 1)


@on_linux
def test_a_folder_that_others_can_write_to_is_not_used(tmp_path: Path) -> None:
    one, other = copied(tmp_path / "one"), copied(tmp_path / "other")
    assert call(one, tmp_path) == (1, 0)
    (shared,) = (tmp_path / "cache" / "unlinkable").iterdir()
    before = sorted(shared.rglob("*"))
    for folder in (shared, shared.parent):
        folder.chmod(0o777)
        assert call(other, tmp_path)[0] == 1
        folder.chmod(0o700)
    assert sorted(shared.rglob("*")) == before
    assert call(one, tmp_path) == (1, 1)


@on_linux
def test_versions_that_were_not_used_for_longest_are_removed(tmp_path: Path) -> None:
    shared = tmp_path / "cache" / "unlinkable"
    shared.mkdir(parents=True, mode=0o700)
    for age in range(5):
        (shared / f"kernels-{age}").mkdir()
        (shared / f"kernels-{age}" / "code.nbc").touch()
        os.utime(shared / f"kernels-{age}", (1e9 - age, 1e9 - age))
    assert call(copied(tmp_path / "one"), tmp_path) == (1, 0)
    kept = {each.name for each in shared.iterdir()}
    assert {"kernels-0", "kernels-1", "kernels-2"} < kept
    assert len(kept) == 4


STAMP = ("source", 1)


def cache(folder: Path) -> Any:
    untyped: Any = IndexDataCacheFile
    return untyped(str(folder), "kernel", STAMP)


def add(folder: str, first: int) -> None:
    for key in range(first, first + 40):
        cache(Path(folder)).save(key, f"code {key}")


def test_two_processes_never_take_the_same_number(tmp_path: Path) -> None:
    context = get_context("spawn")
    writers = [context.Process(target=add, args=(str(tmp_path), 100 * i)) for i in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
        assert writer.exitcode == 0
    found = cache(tmp_path)
    keys = [100 * i + j for i in range(3) for j in range(40)]
    assert [found.load(key) for key in keys] == [f"code {key}" for key in keys]


def test_a_process_that_is_killed_while_it_writes_leaves_nothing_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "kernel.1.nbc").write_bytes(pickle.dumps("code of an older version"))

    def killed(self: object, *given: object) -> None:
        raise KeyboardInterrupt

    for step in ("_save_data", "_save_index"):
        with monkeypatch.context() as patched:
            patched.setattr(IndexDataCacheFile, step, killed)
            with pytest.raises(KeyboardInterrupt):
                cache(tmp_path).save("types", "code")
        assert cache(tmp_path).load("types") is None
    cache(tmp_path).save("types", "code")
    assert cache(tmp_path).load("types") == "code"


def test_code_is_replaced_in_its_place(tmp_path: Path) -> None:
    cache(tmp_path).save("types", "old")
    cache(tmp_path).save("types", "new")
    assert cache(tmp_path).load("types") == "new"
    assert len(list(tmp_path.glob("*.nbc"))) == 1


def test_a_folder_that_a_newer_version_removed_is_not_missed(tmp_path: Path) -> None:
    cache(tmp_path / "removed").save("types", "code")
    assert cache(tmp_path / "removed").load("types") is None
