"""Many tries on several processes: each has a seed and a limit of time, and all are counted."""

from __future__ import annotations

import contextlib
import importlib
import multiprocessing
import os
import re
import shutil
import signal
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import TextIO

from tools.fuzz.trial import Result, run

__all__ = ["Count", "fuzz"]

_SHOWN = 3
"""So many failures of a kind are printed in full; all are counted."""


@dataclass
class Count:
    """What was tried, and what came of it."""

    name: str
    seconds: float = 0.0
    outcomes: Counter[str] = field(default_factory=Counter)
    done: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    failures: list[Result] = field(default_factory=list)

    @property
    def tried(self) -> int:
        """How many tries have ended."""
        return self.outcomes.total()

    def add(self, result: Result) -> None:
        """Count one more."""
        self.outcomes[result.outcome] += 1
        if result.outcome == "failed":
            self.failures.append(result)
        else:
            kinds = self.done if result.outcome == "done" else self.refusals
            kinds[result.about] += 1

    def alike(self, result: Result) -> int:
        """Count the failures that begin alike, or end alike if they are tracebacks."""
        return sum(_kind(other.about) == _kind(result.about) for other in self.failures)

    def line(self) -> str:
        """Tell the figures in one line."""
        rate = self.tried / self.seconds if self.seconds else 0.0
        return (
            f"{self.name}: {self.tried} tried, {self.outcomes['done']} done, "
            f"{self.outcomes['refused']} refused, {self.outcomes['failed']} failed "
            f"({self.seconds:.0f} s, {rate:.1f} a second)"
        )


def fuzz(
    name: str,
    *,
    number: int,
    seed: int,
    seconds: float,
    workers: int,
    limit: float = 600.0,
    out: TextIO = sys.stderr,
) -> Count:
    """Run tries with the seeds from ``seed`` on, until there are enough or the time is over.

    Ctrl-C ends it early, with the figures so far. A try that takes longer than ``limit`` is killed
    with its process, and is a failure.
    """
    count = Count(name)
    started = time.monotonic()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    crew = _Crew(name, workers, limit)
    try:
        for result in crew.results(seed, number, started + seconds):
            count.add(result)
            count.seconds = time.monotonic() - started
            if result.outcome == "failed" and count.alike(result) <= _SHOWN:
                _tell(result, name, out)
            elif out.isatty() or count.tried % 500 == 0:
                end = "\r" if out.isatty() else "\n"
                print(f"{count.line()} ", end=end, file=out, flush=True)
    except KeyboardInterrupt:
        print("\nstopped", file=out)
    finally:
        crew.end()
    return count


def _kind(about: str) -> str:
    lines = about.strip().splitlines() or [""]
    return re.sub(r"[^A-Za-z ]+", "", lines[-1 if lines[0].startswith("Traceback") else 0])[:40]


def _tell(result: Result, name: str, out: TextIO) -> None:
    print(
        f"\nFAILED, again with: python -m tools.fuzz {name} --number 1 --seed {result.seed}\n"
        f"{result.about}",
        file=out,
        flush=True,
    )


@dataclass
class _Worker:
    process: BaseProcess
    connection: Connection
    folder: Path
    seed: int = -1
    since: float = 0.0


class _Crew:
    """The processes that try, one seed at a time each."""

    def __init__(self, name: str, workers: int, limit: float) -> None:
        self._name, self._limit = name, limit
        self._workers = [self._hire() for _ in range(workers)]

    def _hire(self) -> _Worker:
        ours, theirs = multiprocessing.Pipe()
        folder = Path(tempfile.mkdtemp(prefix="fuzz-", dir=_memory()))
        context = multiprocessing.get_context("spawn")
        with _few_threads():
            process = context.Process(target=_work, args=(self._name, theirs, folder), daemon=True)
            process.start()
        theirs.close()
        return _Worker(process, ours, folder)

    def results(self, seed: int, number: int, until: float) -> Iterator[Result]:
        """Hand out seeds while there is time, and give results as they come."""
        seeds = iter(range(seed, seed + number))
        busy: list[_Worker] = []
        for worker in self._workers:
            busy += self._hand(worker, seeds, until)
        while busy:
            ready = wait([worker.connection for worker in busy], timeout=1.0)
            for worker in list(busy):
                if worker.connection in ready:
                    busy.remove(worker)
                    yield self._received(worker)
                elif time.monotonic() - worker.since > self._limit:
                    busy.remove(worker)
                    yield self._replaced(worker, f"did not end within {self._limit:.0f} s")
                else:
                    continue
                busy += self._hand(worker, seeds, until)

    def _hand(self, worker: _Worker, seeds: Iterator[int], until: float) -> list[_Worker]:
        seed = next(seeds, None)
        if seed is None or time.monotonic() > until:
            return []
        worker.seed, worker.since = seed, time.monotonic()
        worker.connection.send(seed)
        return [worker]

    def _received(self, worker: _Worker) -> Result:
        try:
            result = worker.connection.recv()
        except EOFError:
            return self._replaced(worker, "the process died")
        if not isinstance(result, Result):
            raise TypeError(f"a worker sent {type(result).__name__}")
        return result

    def _replaced(self, worker: _Worker, about: str) -> Result:
        """Kill a worker that hangs or has died, and put another one in its place."""
        _dismiss(worker)
        fresh = self._hire()
        worker.process, worker.connection = fresh.process, fresh.connection
        worker.folder = fresh.folder
        return Result(worker.seed, "failed", about)

    def end(self) -> None:
        """End all processes and remove their folders."""
        for worker in self._workers:
            _dismiss(worker)


def _dismiss(worker: _Worker) -> None:
    worker.process.kill()
    worker.process.join()
    worker.connection.close()
    shutil.rmtree(worker.folder, ignore_errors=True)


def _memory() -> str | None:
    """A folder in memory where there is one: writing to disk is most of the time of a bundle."""
    shared = Path("/dev/shm")
    return str(shared) if os.access(shared, os.W_OK) else None


@contextlib.contextmanager
def _few_threads() -> Iterator[None]:
    """Start a process with a thread for each library: tables are small, and processes many."""
    names = ("POLARS_MAX_THREADS", "NUMBA_NUM_THREADS", "OMP_NUM_THREADS")
    before = {name: os.environ.get(name) for name in names}
    os.environ.update(dict.fromkeys(names, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _work(name: str, connection: Connection, folder: Path) -> None:
    os.setsid()  # Ctrl-C is for the parent alone, which then ends its workers.
    tempfile.tempdir = str(folder)
    warnings.simplefilter("ignore")
    trial = importlib.import_module(f"tools.fuzz.{name}").trial
    with contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            seed = connection.recv()
            place = folder / str(seed)
            place.mkdir()
            connection.send(run(trial, seed, place))
            shutil.rmtree(place, ignore_errors=True)
