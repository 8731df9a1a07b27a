"""Tasks that do nothing, or only that: to get ready, and to try what happens on the way."""

from __future__ import annotations

import os
import time

from unlinkable.studio.tasks.session import Session
from unlinkable.typing import Progress

__all__ = ["crash", "ready", "rest"]


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
