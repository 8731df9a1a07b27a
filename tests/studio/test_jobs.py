"""Jobs: what workers do, what stops them, and what is left when they die."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, BinaryIO, cast

import pytest

from tests.studio.cpu_time import cpu_span
from unlinkable.studio.errors import BusyError, NotFoundError, TaskError
from unlinkable.studio.jobs import Job, Jobs, JobState, Pool, usual_workers
from unlinkable.studio.worker import pack, unpack

Work = Callable[[Jobs], Awaitable[Any]]


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., Any]:
    """Do something with jobs in a loop of their own; workers are gone afterwards."""

    def runs(work: Work, **settings: Any) -> Any:
        async def within() -> Any:
            jobs = Jobs(**settings)
            try:
                return await work(jobs)
            finally:
                await jobs.close_all()

        return asyncio.run(within())

    return runs


def rest(jobs: Jobs, folder: Path, seconds: float = 0.05, **options: Any) -> Job:
    pool = options.pop("pool", Pool.INTERACTIVE)
    return jobs.start(Job(folder, pool, "rest", {"seconds": seconds}, **options))


async def until(state: JobState, job: Job) -> None:
    while job.state is not state:
        await asyncio.sleep(0.01)


def test_a_job_tells_how_far_it_is_and_gives_its_answer(run: Any, tmp_path: Path) -> None:
    async def work(jobs: Jobs) -> None:
        seen: list[tuple[str, float]] = []
        jobs.watch(lambda job: seen.append((job.state.value, job.share)))
        job = rest(jobs, tmp_path, 0.5, title="Resting")
        assert job.state is JobState.RUNNING
        assert await job.wait() == 0.5
        assert (job.state, job.share, job.text) == (JobState.DONE, 1.0, "done")
        shares = [share for state, share in seen if state == "running"]
        assert shares == sorted(shares)
        assert any(0 < share < 1 for share in shares)
        assert [j.title for j in jobs.of(tmp_path.name)] == ["Resting"]

    run(work)


def test_the_worker_stays_for_the_next_job(run: Any, tmp_path: Path) -> None:
    async def work(jobs: Jobs) -> None:
        await rest(jobs, tmp_path).wait()
        first = jobs.pids(tmp_path.name)
        await rest(jobs, tmp_path).wait()
        assert jobs.pids(tmp_path.name) == first
        assert len(first) == 1

    run(work)


def test_what_the_library_refuses_is_told_in_its_words(run: Any, tmp_path: Path) -> None:
    async def work(jobs: Jobs) -> None:
        job = jobs.start(Job(tmp_path, Pool.PLANS, "registry", {"kind": "model "}))
        with pytest.raises(TaskError, match="did you mean 'model'") as caught:
            await job.wait()
        assert (job.state, caught.value.kind) == (JobState.FAILED, "ParameterError")
        unknown = jobs.start(Job(tmp_path, Pool.PLANS, "nothing", {}))
        with pytest.raises(TaskError, match="there is no task 'nothing'"):
            await unknown.wait()

    run(work)


def test_a_defect_names_its_place_and_nothing_of_the_data(run: Any, tmp_path: Path) -> None:
    async def work(jobs: Jobs) -> None:
        job = jobs.start(Job(tmp_path, Pool.INTERACTIVE, "rest", {"seconds": "a secret value"}))
        with pytest.raises(TaskError, match="something went wrong inside unlinkable") as caught:
            await job.wait()
        assert "secret" not in str(caught.value)
        assert "Traceback" not in str(caught.value)

    run(work)


def test_a_running_job_can_be_cancelled_at_once_and_the_next_one_runs(
    run: Any, tmp_path: Path
) -> None:
    async def work(jobs: Jobs) -> None:
        undone: list[str] = []
        job = rest(jobs, tmp_path, 600, undo=lambda job: undone.append(job.key))
        while job.share == 0:
            await asyncio.sleep(0.01)
        (pid,) = jobs.pids(tmp_path.name)
        with cpu_span() as span:
            jobs.cancel(job.key)
            with pytest.raises(TaskError, match="cancelled") as caught:
                await job.wait()
        assert caught.value.kind == "Cancelled"
        assert span.seconds < 0.2
        assert undone == [job.key]
        assert await rest(jobs, tmp_path, 0.01).wait() == 0.01
        assert jobs.pids(tmp_path.name) != [pid]
        assert not _lives(pid)
        assert jobs.cancel(job.key).state is JobState.CANCELLED

    run(work)


def test_a_waiting_job_is_cancelled_without_harm_to_the_one_that_runs(
    run: Any, tmp_path: Path
) -> None:
    async def work(jobs: Jobs) -> None:
        first, second = rest(jobs, tmp_path, 0.3), rest(jobs, tmp_path, 600)
        assert second.state.value == "queued"
        jobs.cancel(second.key)
        assert await first.wait() == 0.3
        assert second.state is JobState.CANCELLED

    run(work)


def test_a_worker_that_dies_is_told_of_and_replaced(run: Any, tmp_path: Path) -> None:
    async def work(jobs: Jobs) -> None:
        crash = jobs.start(Job(tmp_path, Pool.INTERACTIVE, "crash", {}))
        waiting = rest(jobs, tmp_path, 0.01)
        with pytest.raises(TaskError, match="has died") as caught:
            await crash.wait()
        assert caught.value.kind == "Crashed"
        assert await waiting.wait() == 0.01
        (pid,) = jobs.pids(tmp_path.name)
        os.kill(pid, signal.SIGKILL)
        while jobs.pids(tmp_path.name):
            await asyncio.sleep(0.01)
        assert await rest(jobs, tmp_path, 0.02).wait() == 0.02

    run(work)


def test_lanes_do_not_wait_for_each_other(run: Any, tmp_path: Path) -> None:
    async def work(jobs: Jobs) -> None:
        long = [rest(jobs, tmp_path, 600, pool=Pool.BATCH) for _ in range(3)]
        assert [job.state.value for job in long] == ["running", "running", "queued"]
        assert await rest(jobs, tmp_path, 0.01).wait() == 0.01
        assert not any(job.is_over for job in long)

    run(work, n_searches=2)


def test_projects_do_not_wait_for_each_other(run: Any, tmp_path: Path) -> None:
    async def work(jobs: Jobs) -> None:
        one, two = tmp_path / "one", tmp_path / "two"
        long = rest(jobs, one, 600)
        assert await rest(jobs, two, 0.01).wait() == 0.01
        jobs.close("one")
        assert long.state is JobState.CANCELLED
        assert jobs.pids("one") == []
        assert len(jobs.pids("two")) == 1

    run(work)


def test_only_so_many_jobs_may_wait(run: Any, tmp_path: Path) -> None:
    async def work(jobs: Jobs) -> None:
        for _ in range(3):
            rest(jobs, tmp_path, 600)
        with pytest.raises(BusyError, match="2 jobs are waiting"):
            rest(jobs, tmp_path)

    run(work, most_waiting=2)


def test_a_question_that_is_asked_anew_replaces_the_one_that_waits(
    run: Any, tmp_path: Path
) -> None:
    async def work(jobs: Jobs) -> None:
        running = rest(jobs, tmp_path, 0.3, replaces="effect")
        old = [rest(jobs, tmp_path, 600, replaces="effect") for _ in range(10)]
        new = rest(jobs, tmp_path, 0.01, replaces="effect")
        assert await running.wait() == 0.3
        assert await new.wait() == 0.01
        assert {job.state for job in old} == {JobState.CANCELLED}

    run(work, most_waiting=1)


def test_what_comes_after_is_done_before_anybody_goes_on(run: Any, tmp_path: Path) -> None:
    async def work(jobs: Jobs) -> None:
        done: list[Any] = []
        await rest(jobs, tmp_path, 0.01, after=lambda job: done.append(job.result)).wait()
        assert done == [0.01]

        def full(job: Job) -> None:
            raise OSError(28, "No space left on device")

        job = rest(jobs, tmp_path, 0.01, after=full)
        with pytest.raises(TaskError, match="No space left"):
            await job.wait()
        assert job.state is JobState.FAILED

    run(work)


def test_workers_without_work_are_sent_home(run: Any, tmp_path: Path) -> None:
    async def work(jobs: Jobs) -> None:
        await rest(jobs, tmp_path).wait()
        (pid,) = jobs.pids(tmp_path.name)
        jobs.stop_idle_workers()
        assert jobs.pids(tmp_path.name) == [pid]
        jobs.idle_seconds = 0
        await asyncio.sleep(0.01)
        jobs.stop_idle_workers()
        assert jobs.pids(tmp_path.name) == []
        assert await rest(jobs, tmp_path, 0.01).wait() == 0.01

    run(work)


def test_old_jobs_are_forgotten(run: Any, tmp_path: Path) -> None:
    async def work(jobs: Jobs) -> None:
        first = rest(jobs, tmp_path, 0.01)
        for _ in range(4):
            await rest(jobs, tmp_path, 0.01).wait()
        with pytest.raises(NotFoundError, match="over long ago"):
            jobs.find(first.key)

    run(work, most_kept=2)


def test_a_worker_can_be_killed_before_it_has_started(run: Any, tmp_path: Path) -> None:
    async def work(jobs: Jobs) -> None:
        job = rest(jobs, tmp_path, 600)
        jobs.cancel(job.key)
        assert await rest(jobs, tmp_path, 0.01).wait() == 0.01
        assert len(jobs.pids(tmp_path.name)) == 1

    run(work)


def test_workers_end_with_the_server(tmp_path: Path) -> None:
    """A server that is killed leaves no processes behind, however busy they are."""
    import subprocess
    import sys

    code = (
        "import asyncio, sys\n"
        "from pathlib import Path\n"
        "from unlinkable.studio.jobs import Job, Jobs, Pool\n"
        "async def main():\n"
        "    jobs = Jobs()\n"
        "    job = jobs.start(Job(Path(sys.argv[1]), Pool.INTERACTIVE, 'rest', {'seconds': 600}))\n"
        "    while job.share == 0: await asyncio.sleep(0.01)\n"
        "    print(*jobs.pids(Path(sys.argv[1]).name), flush=True)\n"
        "    await asyncio.sleep(600)\n"
        "asyncio.run(main())\n"
    )
    server = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    pid = int(server.stdout.readline())
    assert _lives(pid)
    server.kill()
    server.wait()
    until = time.monotonic() + 60
    while _lives(pid) and time.monotonic() < until:
        time.sleep(0.02)
    assert not _lives(pid)


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/status")
    return not status.exists() or "State:\tZ" not in status.read_text()


def folders(home: Path, n: int) -> list[Path]:
    made = [home / f"project{i}" for i in range(n)]
    for folder in made:
        folder.mkdir()
    return made


def test_so_many_workers_serve_all_projects_and_no_more(run: Any, tmp_path: Path) -> None:
    async def work(jobs: Jobs) -> None:
        many, most = folders(tmp_path, 6), 0
        started = [
            rest(jobs, f, 0.2, pool=pool) for f in many for pool in (Pool.INTERACTIVE, Pool.BATCH)
        ]
        while not all(job.is_over for job in started):
            most = max(most, sum(len(jobs.pids(folder.name)) for folder in many))
            await asyncio.sleep(0.01)
        assert [job.state for job in started] == [JobState.DONE] * 12
        assert most == 3

    run(work, most_workers=3)


def test_a_job_that_waits_for_a_worker_says_so_to_people(run: Any, tmp_path: Path) -> None:
    async def work(jobs: Jobs) -> None:
        first, second, third = folders(tmp_path, 3)
        busy = [rest(jobs, first, 600), rest(jobs, second, 600)]
        job = rest(jobs, third, 0.01, is_quiet=True)
        assert job.state is JobState.QUEUED
        words = "waiting: all 2 workers are busy, for all projects"
        assert job.to_json()["text"] == words
        assert jobs.of(third.name) == [job]
        jobs.cancel(busy[1].key)
        assert await job.wait() == 0.01
        assert jobs.of(third.name) == []

    run(work, most_workers=2)


def test_a_worker_that_has_nothing_to_do_makes_room(run: Any, tmp_path: Path) -> None:
    async def work(jobs: Jobs) -> None:
        first, second, third = folders(tmp_path, 3)
        await rest(jobs, first, 0.01).wait()
        await rest(jobs, second, 0.01).wait()
        kept = jobs.pids(second.name)
        await rest(jobs, third, 0.01).wait()
        assert jobs.pids(first.name) == []
        assert jobs.pids(second.name) == kept
        assert await rest(jobs, first, 0.01).wait() == 0.01

    run(work, most_workers=2)


def test_searches_leave_a_worker_to_what_people_wait_for(run: Any, tmp_path: Path) -> None:
    async def work(jobs: Jobs) -> None:
        first, second, third = folders(tmp_path, 3)
        long = [rest(jobs, folder, 600, pool=Pool.BATCH) for folder in (first, second, third)]
        assert [job.state for job in long] == [JobState.RUNNING] * 2 + [JobState.QUEUED]
        assert await rest(jobs, third, 0.01).wait() == 0.01

    run(work, most_workers=3)


def test_those_who_wait_longest_come_first(run: Any, tmp_path: Path) -> None:
    async def work(jobs: Jobs) -> None:
        many = folders(tmp_path, 5)
        busy = [rest(jobs, folder, 600) for folder in many[:2]]
        ended: list[str] = []
        waiting = [
            rest(jobs, folder, 0.01, after=lambda job: ended.append(job.project))
            for folder in many[2:]
        ]
        jobs.cancel(busy[0].key)
        for job in waiting:
            await job.wait()
        assert ended == [folder.name for folder in many[2:]]

    run(work, most_workers=2)


def test_the_usual_number_of_workers_is_by_cores_and_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pages = {"SC_PAGE_SIZE": 4096, "SC_PHYS_PAGES": 4 * 1024**3 // 4096}
    monkeypatch.setattr(os, "sysconf", pages.__getitem__)
    for cores, workers in ((1, 4), (16, 4)):
        monkeypatch.setattr(os, "cpu_count", lambda cores=cores: cores)
        assert usual_workers() == workers
    pages["SC_PHYS_PAGES"] *= 100
    assert usual_workers() == 34
    pages["SC_PHYS_PAGES"] = 1
    assert usual_workers() == 2


WRITING = """
import sys, time
from pathlib import Path
from unlinkable.release.bundle.place import beside
from unlinkable.studio import worker
from unlinkable.studio.tasks import catalogue

def write(session, tell, place):
    with beside(Path(place)):
        tell(0.5, "writing")
        time.sleep(600)

worker.find_task = catalogue.find_task = lambda name: write
worker.main()
"""


@pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")
@pytest.mark.parametrize("end", ["server", "SIGTERM", "SIGHUP"])
def test_a_worker_takes_back_what_it_was_writing(tmp_path: Path, end: str) -> None:
    worker = subprocess.Popen(
        [sys.executable, "-c", WRITING], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert worker.stdin is not None
    assert worker.stdout is not None
    asked = {"id": "1", "task": "write", "arguments": {"place": str(tmp_path / "release")}}
    worker.stdin.write(pack(asked))
    worker.stdin.flush()
    while "share" not in (unpack(cast("BinaryIO", worker.stdout)) or {"share": None}):
        pass
    assert any(tmp_path.iterdir())
    if end == "server":
        worker.stdin.close()
    else:
        worker.send_signal(signal.Signals[end])
    worker.wait()
    worker.stdout.close()
    assert not any(tmp_path.iterdir())
