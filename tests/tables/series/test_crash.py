"""Publishers that are killed: either all of a release is there, or nothing of it."""

from __future__ import annotations

import multiprocessing
import random
import signal
import time
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from tests.sampling import is_deep
from tests.tables.series.publisher import FIRST, publish_and_tell, publish_next
from unlinkable.release.verify import verify
from unlinkable.tables.series.history import History

CLEAN = multiprocessing.get_context("forkserver")
CLEAN.set_forkserver_preload(["tests.tables.series.loaded_publisher"])


def assert_whole(address: str, home: Path, before: int) -> int:
    """Assert that the last release is there or not at all; give how many there are."""
    history = History(address)
    history.recover()
    lines = history.releases()
    assert len(lines) in (before, before + 1)
    assert [line.number for line in lines] == list(range(1, len(lines) + 1))
    assert [line.records for line in lines] == [FIRST + i for i in range(len(lines))]
    assert [line.waiting for line in lines] == [None] * len(lines)
    published = sorted(path.name for path in home.glob("[0-9]*")) if home.is_dir() else []
    assert published == [f"{line.number:03d}" for line in lines]
    if len(lines) > before:
        assert verify(home / published[-1]).holds
    editions = history.series().editions
    assert [len(edition.target) for edition in editions] == [FIRST + i for i in range(len(lines))]
    return len(lines)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("where", "kills"),
    [("file", 100), ("server", 20)] if is_deep() else [("file", 12), ("server", 4)],
)
def test_a_publisher_that_is_killed_at_any_moment_loses_and_halves_nothing(
    where: str, kills: int, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    chance = random.Random(kills)
    home = tmp_path / "releases"
    address = (
        str(tmp_path / "history.db") if where == "file" else request.getfixturevalue("postgres")
    )
    took = CLEAN.Value("d", 0.0)

    def begin() -> BaseProcess:
        ready = CLEAN.Event()
        process = CLEAN.Process(
            target=publish_and_tell, args=(address, str(home), ready, took), daemon=True
        )
        process.start()
        assert ready.wait(60)
        return process

    begin().join(60)
    there, stopped = assert_whole(address, home, 0), 0
    assert there == 1
    for _ in range(kills):
        process = begin()
        # Bundle and record are settled at the end: half of the kills are close to it.
        time.sleep(took.value * chance.uniform(chance.choice([0, 0.8]), 1.1))
        process.kill()  # whoever has ended already stays as it ended
        process.join(60)
        was_stopped = process.exitcode == -signal.SIGKILL
        stopped += was_stopped
        # Whoever ends says how long it took. How fast the machine is changes: as long as nobody
        # ends, the moments of the kills move on until somebody does.
        took.value *= 1.05 if was_stopped else 1
        there = assert_whole(address, home, there)
    if is_deep():  # Where the kills fall is a matter of time: few of them may all miss.
        assert stopped > kills // 3
        assert there > 1
    # Nothing is left over, and the next one goes on as if nothing had happened.
    publish_next(address, str(home))
    assert_whole(address, home, there)
    assert sorted(path.name for path in home.iterdir()) == [
        f"{i + 1:03d}" for i in range(there + 1)
    ]
