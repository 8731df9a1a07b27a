"""Job: one thing that was asked of a worker, and how far it is."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Any

from attrs import define, field

from unlinkable.studio.errors import TaskError

__all__ = ["Job", "JobState", "Lane"]


class JobState(StrEnum):
    """How far a job is."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


class Lane(StrEnum):
    """Which workers do it."""

    CLERK = "clerk"
    """Plans and names: no records."""
    DESK = "desk"
    """What people wait for."""
    BENCH = "bench"
    """What takes long."""


@define(eq=False)
class Job:
    """One thing that was asked of a worker.

    Attributes
    ----------
    key
        What it is called in addresses.
    project
        The key of the project that it is about.
    task, arguments
        What was asked.
    title
        What people are told that it is.
    folder
        The project's folder.
    is_quiet
        Whether it is too small to be listed.
    lacks_worker
        Whether it had to wait because too many workers were busy, for whatever project.
    state, share, text
        How far it is.
    result, error, kind, details
        What came of it: an answer, or why not and what kind of error that is.
    created, started, ended
        When, in seconds since 1970.
    """

    project: str
    lane: Lane
    task: str
    arguments: dict[str, Any] = field(repr=False)
    title: str
    folder: Path = field(default=Path(), repr=False)
    is_quiet: bool = False
    lacks_worker: bool = False
    replaces: str | None = None
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
    after: Callable[[Job], None] | None = field(default=None, repr=False)
    undo: Callable[[Job], None] | None = field(default=None, repr=False)
    over: asyncio.Event = field(factory=asyncio.Event, repr=False)

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
