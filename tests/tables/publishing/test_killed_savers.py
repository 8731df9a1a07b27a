"""Savers that are stopped at any file operation: nothing is lost, and nothing is left behind."""

from __future__ import annotations

import multiprocessing
import signal
from pathlib import Path

import pytest

from tests.sampling import is_deep
from tests.tables.publishing.killed_saver import NOHUP, PEOPLE, PLAN, save_by_command
from tests.tables.publishing.saved_bundles import contents
from unlinkable.release.verify import verify

CLEAN = multiprocessing.get_context("forkserver")
CLEAN.set_forkserver_preload(["tests.tables.publishing.killed_saver"])

NEVER = 0


def stopped(folder: Path, number: int, what: signal.Signals, *options: str) -> tuple[int, int]:
    """Save a bundle, stop it at the n-th operation, and give its exit code and how many it did."""
    counted = CLEAN.Value("i", 0)
    arguments = (str(folder), number, int(what), list(options), counted)
    process = CLEAN.Process(target=save_by_command, args=arguments)
    process.start()
    process.join()
    assert process.exitcode is not None
    return process.exitcode, counted.value


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "people.csv").write_text(PEOPLE, encoding="utf-8")
    (tmp_path / "plan.toml").write_text(PLAN, encoding="utf-8")
    (tmp_path / "out").mkdir()
    return tmp_path


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "out").iterdir())


REPLACING = ("--overwrite", "--format", "parquet")


@pytest.mark.slow
def test_a_signal_while_a_bundle_is_replaced_leaves_the_old_one_or_the_new_one(
    folder: Path,
) -> None:
    place = folder / "out" / "release"
    assert stopped(folder, NEVER, signal.SIGTERM)[0] == 0
    code, total = stopped(folder, NEVER, signal.SIGTERM, *REPLACING)
    assert (code, names(folder)) == (0, ["release"])
    before = contents(folder)
    for number in spread(total):
        code, _ = stopped(folder, number, signal.SIGTERM, *REPLACING)
        assert (code, names(folder)) == (128 + signal.SIGTERM, ["release"]), number
        if contents(folder) != before:
            assert verify(place).holds
            before = contents(folder)


@pytest.mark.parametrize("what", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_while_a_bundle_is_written_leaves_nothing(
    folder: Path, what: signal.Signals
) -> None:
    for number in (1, 30):
        code, _ = stopped(folder, number, what)
        assert (code, names(folder)) == (128 + what, []), number


def test_a_process_that_is_to_outlive_its_terminal_does_so(folder: Path) -> None:
    code, _ = stopped(folder, 30, signal.SIGHUP, NOHUP)
    assert (code, names(folder)) == (0, ["release"])


@pytest.mark.slow
def test_what_a_killed_saver_leaves_is_found_and_swept(folder: Path) -> None:
    place = folder / "out" / "release"
    assert stopped(folder, NEVER, signal.SIGKILL)[0] == 0
    _, total = stopped(folder, NEVER, signal.SIGKILL, *REPLACING)
    left = 0
    for number in spread(total):
        code, _ = stopped(folder, number, signal.SIGKILL, *REPLACING)
        assert code == -signal.SIGKILL, number
        left += names(folder) != ["release"]
        assert verify(place).holds, number
        code, _ = stopped(folder, NEVER, signal.SIGKILL, *REPLACING)
        assert (code, names(folder)) == (0, ["release"]), number
        assert verify(place).holds
    assert left > (5 if is_deep() else 1)


def test_what_was_left_for_another_bundle_is_swept_as_well(folder: Path) -> None:
    assert stopped(folder, 30, signal.SIGKILL)[0] == -signal.SIGKILL
    assert any(name.endswith(".part") for name in names(folder))
    code, _ = stopped(folder, NEVER, signal.SIGKILL, "--out", "out/other")
    assert (code, names(folder)) == (0, ["other"])


def spread(total: int) -> list[int]:
    """Choose operations: some of those that write, and more of the end, where bundles change."""
    few = 1 if is_deep() else 3
    return [*range(1, total - 26, 24 * few), *range(total - 26, total + 1, 3 * few)]
