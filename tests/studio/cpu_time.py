"""Time as a process has it: what others of the machine take in between does not count.

Linux tells of every thread how long it could have run and had to wait for a processor. Time that
passes without that is time in which a thread worked, or stood still by its own doing: it waited for
a file, a lock, or a pause.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from attrs import define, field

__all__ = ["Beat", "Span", "cpu_span", "seconds_waiting"]

PAUSE = 0.01


def seconds_waiting(process: int | None = None) -> float:
    """Give the seconds that a thread had to wait for a processor: of a process the first one."""
    own = threading.get_native_id()
    file = Path(f"/proc/self/task/{own}" if process is None else f"/proc/{process}") / "schedstat"
    if not file.is_file():
        pytest.skip("only Linux tells how long a thread waits for a processor")
    return int(file.read_text().split()[1]) / 1e9


@define
class Span:
    """How long something took."""

    seconds: float = 0.0


@contextmanager
def cpu_span(*processes: int) -> Iterator[Span]:
    """Measure what is done within, by this thread and by processes that it hands work to."""
    whose = (None, *processes)
    started, before = time.perf_counter(), [seconds_waiting(process) for process in whose]
    span = Span()
    yield span
    waited = sum(seconds_waiting(p) - b for p, b in zip(whose, before, strict=True))
    span.seconds = time.perf_counter() - started - waited


@define
class Beat:
    """Finds out how long an event loop does nothing but one thing."""

    gaps: list[float] = field(factory=lambda: [0.0])

    async def run(self) -> None:
        """Come again and again, and see how much too late that is."""
        while True:
            with cpu_span() as span:
                await asyncio.sleep(PAUSE)
            self.gaps.append(span.seconds - PAUSE)

    def worst(self) -> float:
        """Give the longest gap since the last time that somebody asked."""
        worst = max(self.gaps)
        self.gaps[:] = [0.0]
        return worst
