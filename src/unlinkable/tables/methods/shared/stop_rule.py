"""Stop rule: when a search that could go on has to end."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any, Self

from attrs import define, evolve, field, frozen

from unlinkable.errors import ParameterError
from unlinkable.tables.methods.base.search import Task

__all__ = ["StopRule", "is_seconds"]


@frozen
class Seconds:
    """Refuses what is no time that a search could take; None is no limit."""

    bounds: str = "greater than 0"

    def __call__(self, instance: object, attribute: object, value: Any) -> None:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if value is not None and not (is_number and 0 < value < math.inf):
            raise ParameterError(f"time must be a number of seconds above 0, got {value!r}")


is_seconds = Seconds()
"""Refuse what is no time that a search could take; None is no limit."""


@define(eq=False)
class StopRule:
    """Counts the steps of a search, and tells when there have been enough.

    Attributes
    ----------
    most
        How many steps may be made; None if any number.
    deadline
        When the time is up, by `time.monotonic`.
    is_stopped
        Whether the search was asked to stop.
    n_steps
        How many steps were made.
    started
        When the clock was started.
    ended_early
        Whether the search has been ended early.
    """

    most: int | None
    deadline: float
    is_stopped: Callable[[], bool]
    n_steps: int = 0
    started: float = field(factory=time.monotonic)
    ended_early: bool = field(default=False, init=False)

    @classmethod
    def of(cls, task: Task, steps: int | None, seconds: float | None) -> Self:
        """Start the clock.

        Examples
        --------
        >>> from unlinkable.tables.metrics import ILoss
        >>> stop_rule = StopRule.of(Task((), ILoss()), 2, None)
        >>> [stop_rule.allows_another() for _ in range(3)], stop_rule.ended_early
        ([True, True, False], True)
        """
        now = time.monotonic()
        deadline = math.inf if seconds is None else now + seconds
        return cls(steps, deadline, task.is_stopped, started=now)

    def allows_another(self) -> bool:
        """Count one more step, if there may be one."""
        if (self.most is not None and self.n_steps >= self.most) or self.is_over():
            self.ended_early = True
            return False
        self.n_steps += 1
        return True

    def is_over(self) -> bool:
        """Whether the time is up or the search was asked to stop; steps are not counted."""
        return time.monotonic() >= self.deadline or self.is_stopped()

    @property
    def share_spent(self) -> float:
        """The share of the time that is spent; 0 if any time may be."""
        return min((time.monotonic() - self.started) / (self.deadline - self.started), 1.0)

    def half(self) -> StopRule:
        """Give half of the time that is left, for a first part of the search; any steps will do."""
        return StopRule(None, (time.monotonic() + self.deadline) / 2, self.is_stopped)

    def limits(self, task: Task) -> Task:
        """Hand the limit on to another search: its task is stopped when this one is over."""
        return evolve(task, is_stopped=self.is_over)
