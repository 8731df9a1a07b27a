"""The tasks of a worker by name, and those that only test what happens on the way."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

from unlinkable.studio.errors import StudioError
from unlinkable.studio.tasks.session import Session
from unlinkable.typing import Progress

__all__ = ["crash", "find_task", "ready", "rest"]

_TASKS = {
    "catalogue": "ready rest crash",
    "plans": "check_plan edit_plan import_plan registry texts",
    "data": "look_at preview sheets try_reading invent",
    "taxonomies": "taxonomy whole_tree",
    "promises": "effect promises serving",
    "lattices": "lattice node",
    "runs": "anonymize publish publish_next history",
    "assessment": "attack check explain risk verify",
}
"""By file, the functions of that name."""

_HOMES = {task: home for home, tasks in _TASKS.items() for task in tasks.split()}


def find_task(name: str) -> Callable[..., Any]:
    """Find what does a task: a function of the session, a progress callback, and its arguments.

    Raises
    ------
    StudioError
        If there is no such task.
    """
    if name not in _HOMES:
        raise StudioError(f"there is no task {name!r}")
    home = import_module(f"unlinkable.studio.tasks.{_HOMES[name]}")
    found: Callable[..., Any] = getattr(home, name)
    return found


def ready(session: Session, tell: Progress) -> bool:
    """Have everything loaded that will be needed."""
    import unlinkable.tables.publishing.anonymizing.run  # noqa: F401

    return True


def rest(session: Session, tell: Progress, seconds: float) -> float:
    """Do nothing for a while, and tell of it."""
    started = time.monotonic()
    while (passed := time.monotonic() - started) < seconds:
        tell(passed / seconds, "resting")
        time.sleep(0.02)
    return seconds


def crash(session: Session, tell: Progress) -> None:
    """End as processes end that run out of memory."""
    os._exit(137)
