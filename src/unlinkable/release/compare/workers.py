"""Workers: processes of their own that run the settings of a comparison, and end when they must.

A search cannot be broken off from within its process while compiled code runs. So a worker is
killed when its time is up or the comparison is interrupted, and nothing is left behind.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Generic, TypeVar

from attrs import define, frozen

__all__ = ["Lost", "Workers"]

Item = TypeVar("Item")
Result = TypeVar("Result")


@frozen
class Lost(Generic[Item]):
    """An item without a result: its worker ran out of time, or died."""

    item: Item
    is_late: bool


@define(eq=False)
class _Worker(Generic[Item]):
    """A process, what it is about, and when it must be done."""

    process: SpawnProcess
    connection: Connection
    item: Item | None = None
    deadline: float = math.inf
    is_ready: bool = False

    def begin(self, item: Item, seconds: float | None) -> None:
        """Hand an item over; its time begins when the process can begin with it."""
        self.item = item
        if self.is_ready:
            self.deadline = math.inf if seconds is None else time.monotonic() + seconds
            self.connection.send(item)

    def kill(self) -> None:
        self.process.kill()
        self.process.join()
        self.connection.close()


@frozen(eq=False)
class Workers(Generic[Item, Result]):
    """Some processes that do the same to many items.

    Attributes
    ----------
    work
        What is done to an item; it is sent to every process once.
    n
        How many processes there are at most.
    seconds
        How long each item may take; any time if None.
    """

    work: Callable[[Item], Result]
    n: int
    seconds: float | None = None

    def run(self, items: Sequence[Item]) -> Iterator[Result | Lost[Item]]:
        """Yield results as they come. Whatever ends this ends all processes."""
        waiting, busy = list(reversed(items)), list[_Worker[Item]]()
        idle: list[_Worker[Item]] = []
        try:
            while waiting or busy:
                while waiting and len(busy) < self.n:
                    worker = idle.pop() if idle else self._start()
                    busy.append(worker)
                    worker.begin(waiting.pop(), self.seconds)
                for worker in self._next(busy):
                    result = _result(worker)
                    if not worker.is_ready and not isinstance(result, Lost):
                        worker.is_ready = True
                        worker.begin(worker.item, self.seconds)
                        continue
                    busy.remove(worker)
                    if isinstance(result, Lost):
                        worker.kill()
                    else:
                        idle.append(worker)
                    yield result
        finally:
            for worker in (*busy, *idle):
                worker.kill()

    def _start(self) -> _Worker[Item]:
        # Forked processes would share the locks of the frames' threads: new ones share nothing.
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(theirs, self.work), daemon=True)
        with _undisturbed():
            process.start()
        theirs.close()
        return _Worker(process, ours)

    def _next(self, busy: Sequence[_Worker[Item]]) -> list[_Worker[Item]]:
        """Wait for workers that are done, dead or late."""
        left = min(worker.deadline for worker in busy) - time.monotonic()
        ready = wait([w.connection for w in busy], None if left == math.inf else max(left, 0))
        now = time.monotonic()
        return [w for w in busy if w.connection in ready or w.deadline <= now]


def _result(worker: _Worker[Item]) -> Result | Lost[Item]:
    """Take what a worker has sent; if nothing, it is dead or late."""
    assert worker.item is not None
    try:
        if not worker.connection.poll():
            return Lost(worker.item, is_late=True)
        is_good, sent = worker.connection.recv()
    except (EOFError, OSError):
        return Lost(worker.item, is_late=False)
    if not is_good:
        raise sent
    result: Result = sent
    return result


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Start processes that hear no interrupt: whoever started them decides what becomes of them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(connection: Connection, work: Callable[[Item], Result]) -> None:
    """In a process of its own: do what is asked for, one item after the other."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    connection.send((True, None))
    while True:
        item = connection.recv()
        try:
            answer: tuple[bool, object] = True, work(item)
        except Exception as error:
            answer = False, error
        connection.send(answer)


def _end_with_parent() -> None:
    """Leave nothing running, and no records in memory, when the one who asked is gone."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
