"""Interrupts: a signal that ends a command does so within two seconds, whatever it is doing.

Python hears a signal between two steps of its own, and compiled code may run for minutes. So a
thread listens beside the command: if a signal that should end it has not done so after a moment,
the process is ended from there.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping

__all__ = ["end_when_interrupted", "stop_at_signals"]

_GRACE = 1.0
"""So many seconds a command has to end by itself."""

_ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
"""Signals that end a command as Ctrl-C does: what it was writing is taken back."""


def stop_at_signals() -> list[int]:
    """Have signals that end a process do so as Ctrl-C does; give a list that gets their numbers."""
    received: list[int] = []

    def stop(number: int, frame: object) -> None:
        for other in _ENDING:  # What is tidied up now must not be cut off as well.
            signal.signal(other, signal.SIG_IGN)
        received.append(number)
        raise KeyboardInterrupt

    is_main = threading.current_thread() is threading.main_thread()
    for number in _ENDING if is_main else ():
        # Whoever started us may want us to outlive them, as nohup does.
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, stop)
    return received


def end_when_interrupted(say_so: Callable[[], None]) -> None:
    """End the process if a signal that breaks off what it does has not ended it.

    An interrupt that asks a search to stop gently is left to the search, unless a second one comes
    before the first was heard. So are those that the command treats in its own way.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    own = {number: signal.getsignal(number) for number in _ENDING}
    threading.Thread(target=_listen, args=(reader, own, say_so), daemon=True).start()


def _listen(reader: int, own: Mapping[int, object], say_so: Callable[[], None]) -> None:
    """Wait for signals; what is read are their numbers."""
    n_unheard, gentle = 0, None
    while numbers := os.read(reader, 64):
        for number in own.keys() & set(numbers):
            # Its handler has others ignored.
            if signal.getsignal(number) in (own[number], signal.SIG_IGN):
                _end(say_so, number)
        if signal.SIGINT not in numbers:
            continue
        handler = signal.getsignal(signal.SIGINT)
        is_gentle = handler is not signal.default_int_handler
        # The handler of a gentle stop makes way for the default one as soon as it has run.
        n_unheard = n_unheard + numbers.count(signal.SIGINT) if handler is gentle else 1
        gentle = handler if is_gentle else None
        if not is_gentle or n_unheard > 1:
            _end(say_so, signal.SIGINT)


def _end(say_so: Callable[[], None], number: int) -> None:
    """Leave no process, no bundle that is not finished, no message and no hidden cursor behind."""
    time.sleep(_GRACE)
    for process in multiprocessing.active_children():
        process.kill()
    with contextlib.suppress(Exception):
        if (place := sys.modules.get("unlinkable.release.place")) is not None:
            for part in tuple(place.UNFINISHED):
                shutil.rmtree(part, ignore_errors=True)
        if sys.stderr.isatty():
            sys.stderr.write("\x1b[?25h\n")
        say_so()
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(128 + number)
