"""A publisher that tests kill."""

from __future__ import annotations

import time
from multiprocessing.sharedctypes import Synchronized
from multiprocessing.synchronize import Event

from tests.tables.series.toys import PROMISE, Growing, people
from unlinkable.tables.series.history import History

__all__ = ["FIRST", "publish_and_tell", "publish_next"]

FIRST = 30
"""How many records the first release has; every other one has one more."""


def publish_next(address: str, home: str) -> None:
    """Publish the next release of a history."""
    history = History(address)
    table = people(0, FIRST + len(history))
    history.publish(table, policy=Growing(), privacy=PROMISE, out=home)


def publish_and_tell(address: str, home: str, ready: Event, took: Synchronized[float]) -> None:
    """Publish the next release, and say when that begins and how long it took."""
    ready.set()
    begun = time.monotonic()
    publish_next(address, home)
    took.value = time.monotonic() - begun
