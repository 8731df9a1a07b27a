"""Timing that can be compared between machines.

A peer's time is scaled by the *unit*: how long numpy takes on this machine to sort a fixed array,
against how long it took on the machine on which the peer was timed.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

T = TypeVar("T")

REFERENCE_UNIT = 0.098
"""The unit on the machine on which the peers' figures were taken."""


def unit() -> float:
    """CPU seconds of a stable argsort of a million fixed numbers, best of 7."""
    numbers = np.random.default_rng(0).integers(0, 1 << 40, 1_000_000)
    return min(cpu(lambda: np.argsort(numbers, kind="stable"))[0] for _ in range(7))


def cpu(work: Callable[[], T]) -> tuple[float, float, T]:
    """Run once; give CPU seconds, wall seconds and the result."""
    wall, own = time.perf_counter(), time.process_time()
    result = work()
    return time.process_time() - own, time.perf_counter() - wall, result


def best(work: Callable[[], T], times: int = 5) -> tuple[float, float, T]:
    """Run several times after a warm-up; give the best CPU and wall seconds, and a result."""
    result = work()
    runs = [cpu(work) for _ in range(times)]
    return min(r[0] for r in runs), min(r[1] for r in runs), result


def peak_memory() -> int:
    """Most memory that this process has used, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


@dataclass(frozen=True)
class Row:
    """One line of the table of ratios.

    ``peer`` is the peer's figure on the reference machine in seconds, or a limit in seconds if
    ``is_limit``; ``must`` and ``stretch`` are the largest ratios we aim at.
    """

    task: str
    ours: float
    peer: float
    must: float
    stretch: float
    who: str
    note: str = ""
    is_limit: bool = False

    def scaled_peer(self, unit_here: float) -> float:
        """Give the peer's time on this machine."""
        return self.peer if self.is_limit else self.peer * unit_here / REFERENCE_UNIT

    def ratio(self, unit_here: float) -> float:
        """Give our time as a share of the peer's."""
        return self.ours / self.scaled_peer(unit_here)

    def verdict(self, unit_here: float) -> str:
        """Say which target is reached."""
        ratio = self.ratio(unit_here)
        return "stretch" if ratio <= self.stretch else "must" if ratio <= self.must else "MISSED"
