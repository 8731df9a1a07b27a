"""Jobs: requests to workers, their progress, and their results.

Every project has two pools of workers: an *interactive* one for what people wait for (previews,
taxonomies, effects), and a *batch* one for what takes long (searches, attacks, publishing), so that
one never waits for the other. A third pool, for *plans*, serves all projects: it reads and checks
plans and never sees a record. Cancelling kills the process; the next one starts from scratch.

Workers hold tables in memory: there are only so many at a time, for all projects together. An idle
one makes room for another project; if all are busy, jobs wait, the oldest first.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import time
from asyncio.subprocess import Process
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Any

from attrs import Factory, define, field

from unlinkable.studio.errors import BusyError, NotFoundError, TaskError
from unlinkable.studio.worker import WorkerProcess

__all__ = ["Job", "JobState", "Jobs", "Pool", "usual_workers"]


class JobState(StrEnum):
    """How far a job is."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


class Pool(StrEnum):
    """Which workers do it."""

    PLANS = "plans"
    """Plans and names: no records."""
    INTERACTIVE = "interactive"
    """What people wait for."""
    BATCH = "batch"
    """What takes long."""


@define(eq=False)
class Job:
    """A request to a worker, and its progress.

    Attributes
    ----------
    folder
        The project's folder.
    pool
        Which workers do it.
    task, arguments
        What to do.
    title
        What people see.
    is_quiet
        Whether it is too small to be listed.
    replaces
        A word; a job with the same word that is still waiting is not needed any more.
    after
        Called with the job when it is done, before those who wait for it go on.
    undo
        Called with the job when it has failed or was cancelled.
    lacks_worker
        Whether it had to wait because too many workers were busy, for whatever project.
    key
        Its id in addresses.
    state, share, text
        Its progress.
    result, error, kind, details
        An answer, or an error message and the kind of error.
    created, started, ended
        When, in seconds since 1970.
    """

    folder: Path = field(repr=False)
    pool: Pool
    task: str
    arguments: dict[str, Any] = field(repr=False)
    title: str = field(default=Factory(lambda self: self.task, takes_self=True))
    is_quiet: bool = False
    replaces: str | None = None
    after: Callable[[Job], None] | None = field(default=None, repr=False)
    undo: Callable[[Job], None] | None = field(default=None, repr=False)
    lacks_worker: bool = False
    key: str = field(factory=lambda: secrets.token_hex(8))
    state: JobState = JobState.QUEUED
    share: float = 0.0
    text: str = "waiting"
    result: Any = field(default=None, repr=False)
    error: str | None = None
    kind: str | None = None
    details: Any = None
    created: float = field(factory=time.time)
    started: float | None = None
    ended: float | None = None
    over: asyncio.Event = field(factory=asyncio.Event, repr=False)

    @property
    def project(self) -> str:
        """The key of its project; empty for plans, whose workers serve all projects."""
        return "" if self.pool is Pool.PLANS else self.folder.name

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come of it."""
        return self.state not in (JobState.QUEUED, JobState.RUNNING)

    @property
    def is_listed(self) -> bool:
        """Whether people see it: what is quick is not worth it, unless it has to wait."""
        return not self.is_quiet or (self.lacks_worker and not self.is_over)

    async def wait(self) -> Any:
        """Wait for the end, and give the answer.

        Raises
        ------
        TaskError
            If it has failed or was cancelled.
        """
        await self.over.wait()
        if self.error is not None:
            raise TaskError(self.error, self.kind or "StudioError", self.details)
        return self.result

    def to_json(self) -> dict[str, object]:
        """Give all but arguments and result, as plain values."""
        return {
            "id": self.key,
            "project": self.project,
            "task": self.task,
            "title": self.title,
            "state": self.state.value,
            "progress": self.share,
            "text": self.text,
            "error": self.error,
            "created": self.created,
            "started": self.started,
            "ended": self.ended,
        }


_CANCELLED = "this was cancelled"

_MEMORY_EACH = 1024**3
"""Bytes that a worker may need for a table and what is computed from it."""


def usual_workers() -> int:
    """Give the number of workers for this machine: by its cores, and by its memory if known."""
    by_cores = 2 * (os.cpu_count() or 1) + 2
    try:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return by_cores
    return max(2, min(by_cores, memory // _MEMORY_EACH))


@define(eq=False)
class _Slot:
    """One worker of a pool, and what it is doing."""

    member: WorkerProcess
    job: Job | None = None
    running: asyncio.Task[None] | None = None
    idle_since: float = field(factory=time.monotonic)


@define(eq=False)
class Jobs:
    """All jobs of all projects.

    Attributes
    ----------
    most_waiting
        How many jobs of a pool may wait.
    n_searches
        How many searches of a project run at the same time.
    most_workers
        How many workers of projects there are at the same time, 2 or more; one of them is kept for
        what people wait for.
    idle_seconds
        Seconds after which an idle worker is stopped.
    """

    most_waiting: int = 20
    n_searches: int = field(factory=lambda: min(2, os.cpu_count() or 1))
    most_workers: int = field(factory=usual_workers)
    idle_seconds: float = 1200.0
    most_kept: int = 60
    _jobs: dict[str, Job] = field(factory=dict, repr=False)
    _places: dict[tuple[str, Pool], list[_Slot]] = field(factory=dict, repr=False)
    _watchers: list[Callable[[Job], None]] = field(factory=list, repr=False)

    def start(self, job: Job) -> Job:
        """Submit a job. To be called within the event loop; it returns at once.

        Raises
        ------
        BusyError
            If too many are waiting already.
        """
        waiting = self._waiting(job.project, job.pool)
        old = [j for j in waiting if job.replaces is not None and j.replaces == job.replaces]
        n_waiting = len(waiting) - len(old)
        if n_waiting >= self.most_waiting:
            raise BusyError(f"{n_waiting} jobs are waiting: let some of them end, or cancel them")
        for replaced in old:
            self._end(replaced, JobState.CANCELLED, _CANCELLED, "Cancelled")
        self._jobs[job.key] = job
        self._forget_old(job.project)
        self._notify(job)
        self._pump()
        return job

    def warm(self, folder: Path, pool: Pool) -> None:
        """Have a worker get ready, so that the first job need not wait for it."""
        job = Job(folder, pool, "ready", {}, is_quiet=True)
        if not self._places.get((job.project, pool)):
            self.start(job)

    def find(self, key: str) -> Job:
        """Find a job.

        Raises
        ------
        NotFoundError
            If there is none, or it was over long ago.
        """
        if key not in self._jobs:
            raise NotFoundError(f"there is no job {key!r}, or it was over long ago")
        return self._jobs[key]

    def of(self, project: str) -> list[Job]:
        """Give the jobs of a project that people see, the last one first."""
        found = [j for j in self._jobs.values() if j.project == project and j.is_listed]
        return sorted(found, key=lambda j: j.created, reverse=True)

    def cancel(self, key: str) -> Job:
        """Stop a job, if it is not over: the process that does it is killed."""
        job = self.find(key)
        if job.state is JobState.QUEUED:
            self._end(job, JobState.CANCELLED, _CANCELLED, "Cancelled")
        elif job.state is JobState.RUNNING:
            self._end(job, JobState.CANCELLED, _CANCELLED, "Cancelled")
            for place in self._places.get((job.project, job.pool), []):
                if place.job is job:
                    place.member.kill()
        return job

    def close(self, project: str | None = None) -> list[Process]:
        """End all jobs and workers, of one project or of all; give the processes."""
        killed = []
        for job in list(self._jobs.values()):
            if (project is None or job.project == project) and not job.is_over:
                self._end(job, JobState.CANCELLED, _CANCELLED, "Cancelled")
        for key, places in list(self._places.items()):
            if project is None or key[0] == project:
                killed += [place.member.kill() for place in places]
                del self._places[key]
        return [process for process in killed if process is not None]

    async def close_all(self) -> None:
        """End everything, and wait until it has ended."""
        places = [place for places in self._places.values() for place in places]
        running = [place.running for place in places if place.running is not None]
        ends = [asyncio.ensure_future(process.wait()) for process in self.close()]
        if running or ends:
            await asyncio.wait([*running, *ends], timeout=5)

    def stop_idle_workers(self) -> None:
        """Stop workers that were idle for long."""
        for places in self._places.values():
            for place in places:
                if place.job is None and time.monotonic() - place.idle_since > self.idle_seconds:
                    place.member.kill()

    def watch(self, watcher: Callable[[Job], None]) -> Callable[[], None]:
        """Have a function called whenever a job gets further. Gives a function that ends it."""
        self._watchers.append(watcher)
        return lambda: self._watchers.remove(watcher) if watcher in self._watchers else None

    def pids(self, project: str) -> list[int]:
        """Name the processes that work for a project."""
        places = [p for (key, _), ps in self._places.items() if key == project for p in ps]
        return [pid for place in places if (pid := place.member.pid) is not None]

    def _waiting(self, project: str, pool: Pool) -> list[Job]:
        return [
            job
            for job in self._jobs.values()
            if (job.project, job.pool, job.state) == (project, pool, JobState.QUEUED)
        ]

    def _pump(self) -> None:
        """Give waiting jobs to idle workers, the oldest first."""
        for job in [job for job in self._jobs.values() if job.state is JobState.QUEUED]:
            place = self._place(job)
            if place is not None:
                place.job = job
                job.state, job.text, job.started = JobState.RUNNING, "starting", time.time()
                place.running = asyncio.get_running_loop().create_task(self._run(place, job))

    def _place(self, job: Job) -> _Slot | None:
        """Find a worker for a job, or start one; None if it has to wait."""
        places = self._places.setdefault((job.project, job.pool), [])
        free = [place for place in places if place.job is None]
        ready = next((place for place in free if place.member.is_alive), None)
        if ready is not None:
            return ready
        size = self.n_searches if job.pool is Pool.BATCH else 1
        if not free and len(places) >= size:
            return None
        if job.pool is not Pool.PLANS and not self._make_room(job.pool):
            if not job.lacks_worker:
                job.lacks_worker = True
                job.text = f"waiting: all {self.most_workers} workers are busy, for all projects"
                self._notify(job)
            return None
        if not free:
            places.append(_Slot(WorkerProcess(job.folder)))
        return free[0] if free else places[-1]

    def _make_room(self, pool: Pool) -> bool:
        """See whether one more worker may start; one that has nothing to do makes room for it."""
        workers = [
            (key[1], place)
            for key, places in self._places.items()
            for place in places
            if key[1] is not Pool.PLANS and (place.job is not None or place.member.is_alive)
        ]
        searching = [place for at, place in workers if at is Pool.BATCH and place.job is not None]
        if pool is Pool.BATCH and len(searching) >= self.most_workers - 1:
            return False
        if len(workers) < self.most_workers:
            return True
        idle = [place for _, place in workers if place.job is None]
        if idle:
            min(idle, key=lambda place: place.idle_since).member.kill()
        return bool(idle)

    async def _run(self, place: _Slot, job: Job) -> None:
        def heard(share: float, text: str) -> None:
            if not job.is_over:
                job.share, job.text = share, text
                self._notify(job)

        try:
            if job.is_over:  # It was cancelled before anything was done.
                return
            self._notify(job)
            result = await place.member.ask(job.task, job.arguments, job.key, heard)
        except TaskError as error:
            self._end(job, JobState.FAILED, str(error), error.kind, error.details)
        else:
            self._finish(job, result)
        finally:
            place.job, place.idle_since = None, time.monotonic()
            self._pump()

    def _finish(self, job: Job, result: Any) -> None:
        if job.is_over:
            return
        job.result = result
        try:
            if job.after is not None:
                job.after(job)
        except (TaskError, OSError) as error:
            self._end(job, JobState.FAILED, str(error), type(error).__name__)
        else:
            job.share = 1.0
            self._end(job, JobState.DONE, None, None)

    def _end(
        self, job: Job, state: JobState, error: str | None, kind: str | None, details: Any = None
    ) -> None:
        if job.is_over:
            return
        job.state, job.ended = state, time.time()
        job.error, job.kind, job.details = error, kind, details
        job.text = error or "done"
        if state is not JobState.DONE and job.undo is not None:
            job.undo(job)
        job.over.set()
        self._notify(job)

    def _notify(self, job: Job) -> None:
        for watcher in list(self._watchers):
            watcher(job)

    def _forget_old(self, project: str) -> None:
        over = [j for j in self._jobs.values() if j.project == project and j.is_over]
        for job in sorted(over, key=lambda j: j.created)[: -self.most_kept or None]:
            del self._jobs[job.key]
