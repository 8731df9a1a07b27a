"""Compiled kernels on the disk: processes do not get in each other's way."""

from __future__ import annotations

import pickle
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from numba.core.caching import IndexDataCacheFile

import unlinkable.kernels  # noqa: F401 (holds the lock)

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
