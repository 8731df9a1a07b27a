"""Signals: what must not be cut off in between is done first."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["signals_later"]

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")


@contextmanager
def signals_later() -> Iterator[None]:
    """Hold signals back that would break off what is done meanwhile; they are handled at the end.

    Those without a handler are left alone, and so are all outside of the main thread, which does
    not handle them.

    Examples
    --------
    >>> try:
    ...     with signals_later():
    ...         signal.raise_signal(signal.SIGINT)
    ...         print("done")
    ... except KeyboardInterrupt:
    ...     print("interrupted")
    done
    interrupted
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    known = [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]
    before = {number: signal.getsignal(number) for number in known}
    received: list[int] = []
    handled = {number: handler for number, handler in before.items() if callable(handler)}
    for number in handled:
        signal.signal(number, lambda number, frame: received.append(number))
    try:
        yield
    finally:
        for number, handler in handled.items():
            signal.signal(number, handler)
        for number in received[:1]:
            signal.raise_signal(number)
