"""Which tasks there are, and where they are done."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from unlinkable.studio.errors import StudioError

__all__ = ["find_task"]

_TASKS = {
    "waiting": "ready rest crash",
    "plans": "check_plan edit_plan import_plan registry texts",
    "data": "look_at preview",
    "reading": "sheets try_reading",
    "inventing": "invent",
    "taxonomies": "taxonomy",
    "by_hand": "by_hand",
    "effects": "effect",
    "promises": "promises serving",
    "lattices": "lattice node",
    "runs": "anonymize",
    "findings": "attack check explain risk verify",
    "publishing": "publish publish_next history",
}
"""By file, the functions of that name."""

_HOMES = {task: home for home, tasks in _TASKS.items() for task in tasks.split()}


def find_task(name: str) -> Callable[..., Any]:
    """Find what does a task: a function of the session, of whom to tell, and of its arguments.

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
