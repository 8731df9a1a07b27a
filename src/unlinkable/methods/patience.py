"""Patience: when a search that could go on has to end."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Self

from attrs import define, field

from unlinkable.errors import ParameterError
from unlinkable.methods.base import Task

__all__ = ["Patience", "is_seconds"]


def is_seconds(instance: object, attribute: object, value: float | None) -> None:
    """Check that a number of seconds is positive, if it is given."""
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < math.inf:
        raise ParameterError(f"time must be a number of seconds above 0, got {value!r}")


@define(eq=False)
class Patience:
    """Counts the steps of a search, and tells when there have been enough.

    Attributes
    ----------
    most
        How many steps may be made; None if any number.
    deadline
        When the time is up, by `time.monotonic`.
    is_stopped
        Whether somebody has asked the search to stop.
    n_steps
        How many steps were made.
    is_out
        Whether the search has been ended early.
    """

    most: int | None
    deadline: float
    is_stopped: Callable[[], bool]
    n_steps: int = 0
    is_out: bool = field(default=False, init=False)

    @classmethod
    def of(cls, task: Task, steps: int | None, seconds: float | None) -> Self:
        """Start the clock.

        Examples
        --------
        >>> from unlinkable.utility import ILoss
        >>> patience = Patience.of(Task((), ILoss()), 2, None)
        >>> [patience.allows_another() for _ in range(3)], patience.is_out
        ([True, True, False], True)
        """
        deadline = math.inf if seconds is None else time.monotonic() + seconds
        return cls(steps, deadline, task.is_stopped)

    def allows_another(self) -> bool:
        """Count one more step, if there may be one."""
        if (self.most is not None and self.n_steps >= self.most) or self.is_over():
            self.is_out = True
            return False
        self.n_steps += 1
        return True

    def is_over(self) -> bool:
        """Whether the time is up, or somebody has asked to stop; steps are not counted."""
        return time.monotonic() >= self.deadline or self.is_stopped()
