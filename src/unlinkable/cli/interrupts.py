"""Interrupts: Ctrl-C ends a command within two seconds, whatever it is doing.

Python hears a signal between two steps of its own, and compiled code may run for minutes. So a
thread listens beside the command: if an interrupt that should end it has not done so after a
moment, the process is ended from there.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable

__all__ = ["end_when_interrupted"]

_GRACE = 1.0
"""So many seconds a command has to end by itself."""


def end_when_interrupted(say_so: Callable[[], None], code: int) -> None:
    """End the process with a code if an interrupt that breaks off what it does has not ended it.

    An interrupt that asks a search to stop gently is left to the search, unless a second one comes
    before the first was heard. So are those that the command treats in its own way.
    """
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    threading.Thread(target=_listen, args=(reader, say_so, code), daemon=True).start()


def _listen(reader: int, say_so: Callable[[], None], code: int) -> None:
    """Wait for interrupts; what is read are the numbers of signals."""
    n_unheard, gentle = 0, None
    while numbers := os.read(reader, 64):
        if signal.SIGINT not in numbers:
            continue
        handler = signal.getsignal(signal.SIGINT)
        is_gentle = handler is not signal.default_int_handler
        # The handler of a gentle stop makes way for the default one as soon as it has run.
        n_unheard = n_unheard + numbers.count(signal.SIGINT) if handler is gentle else 1
        gentle = handler if is_gentle else None
        if not is_gentle or n_unheard > 1:
            time.sleep(_GRACE)
            _end(say_so, code)


def _end(say_so: Callable[[], None], code: int) -> None:
    """Leave no process, no message and no hidden cursor behind."""
    for process in multiprocessing.active_children():
        process.kill()
    with contextlib.suppress(Exception):
        if sys.stderr.isatty():
            sys.stderr.write("\x1b[?25h\n")
        say_so()
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)
