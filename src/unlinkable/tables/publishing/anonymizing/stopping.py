"""Stopping a long search without losing what it has found.

The first interrupt (Ctrl-C) asks the search to end with the best release that it has; the second
one breaks it off, as an interrupt always does.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import FrameType

from unlinkable.typing import Progress

__all__ = ["breaking_off", "stopping_gently"]

_breaks_off: ContextVar[bool] = ContextVar("breaks_off", default=False)
"""Whether searches are broken off by the first interrupt."""


@contextmanager
def stopping_gently(progress: Progress, *, if_: bool) -> Iterator[Callable[[], bool]]:
    """Give a question that is answered with yes after the first interrupt, which is acknowledged.

    Interrupts are left alone if the search cannot stop, outside of the main thread, where the first
    one breaks off, and where the program treats them in its own way.

    Examples
    --------
    >>> with stopping_gently(lambda share, words: None, if_=True) as is_stopped:
    ...     is_stopped()
    False
    """
    stopped = threading.Event()

    def stop(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, before)
        stopped.set()
        progress(1.0, "stopping with the best release so far; Ctrl-C again gives up")

    before = signal.getsignal(signal.SIGINT)
    is_main = threading.current_thread() is threading.main_thread()
    is_ours = if_ and is_main and not _breaks_off.get()
    if not is_ours or before is not signal.default_int_handler:
        yield stopped.is_set
        return
    signal.signal(signal.SIGINT, stop)
    try:
        yield stopped.is_set
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def breaking_off() -> Iterator[None]:
    """Let the first interrupt break off all that is done here, also a search that could stop.

    One search among many that ended early would only make way for the next.

    Examples
    --------
    >>> with breaking_off(), stopping_gently(lambda share, words: None, if_=True):
    ...     signal.getsignal(signal.SIGINT) is signal.default_int_handler
    True
    """
    before = _breaks_off.set(True)
    try:
        yield
    finally:
        _breaks_off.reset(before)
