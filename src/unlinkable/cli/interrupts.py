"""Interrupts: a signal that ends a command does so within two seconds, whatever it is doing.

Python hears a signal between two steps of its own, and compiled code may run for minutes. So a
thread listens beside the command: if a signal that should end it has not done so after a moment,
the process is ended from there.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress

__all__ = ["ending_signals"]

_GRACE = 1.0
"""So many seconds a command has to end by itself."""

_ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
"""Signals that end a command as Ctrl-C does: what it was writing is taken back."""


@contextmanager
def ending_signals(say_so: Callable[[], None]) -> Iterator[list[int]]:
    """Have signals that end a process do so as Ctrl-C does, and in time; give those that came.

    An interrupt that asks a search to stop gently is left to the search, unless a second one comes
    before the first was heard. So are those that the command treats in its own way.

    Parameters
    ----------
    say_so
        Tells whoever sent a signal that the command was stopped, if it could not say so by itself.
    """
    received: list[int] = []

    def stop(number: int, frame: object) -> None:
        for other in _ENDING:  # What is tidied up now must not be cut off as well.
            signal.signal(other, signal.SIG_IGN)
        received.append(number)
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield received
        return
    before = {number: signal.getsignal(number) for number in _ENDING}
    # Whoever started us may want us to outlive them, as nohup does.
    own = [number for number, handler in before.items() if handler is not signal.SIG_IGN]
    for number in own:
        signal.signal(number, stop)
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    heard_before = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    listener = _Listener(reader, stop, own, say_so)
    threading.Thread(target=listener.run, daemon=True).start()
    try:
        yield received
    finally:
        listener.is_over.set()
        signal.set_wakeup_fd(heard_before)
        os.close(writer)
        for number, handler in before.items():
            signal.signal(number, handler)


class _Listener:
    """Waits for signals beside a command, and ends the process if they have not."""

    def __init__(
        self, reader: int, stop: object, own: Collection[int], say_so: Callable[[], None]
    ) -> None:
        self._reader, self._stop, self._own, self._say_so = reader, stop, own, say_so
        self.is_over = threading.Event()

    def run(self) -> None:
        """Listen until the command is over; what is read are the numbers of signals."""
        n_unheard, gentle = 0, None
        with os.fdopen(self._reader, "rb", buffering=0) as stream:
            while numbers := stream.read(64):
                for number in self._own:
                    # The handler has further signals ignored.
                    is_own = signal.getsignal(number) in (self._stop, signal.SIG_IGN)
                    if number in numbers and is_own:
                        self._end(number)
                if signal.SIGINT not in numbers:
                    continue
                handler = signal.getsignal(signal.SIGINT)
                is_gentle = handler is not signal.default_int_handler
                # The handler of a gentle stop makes way for the default one once it has run.
                n_unheard = n_unheard + numbers.count(signal.SIGINT) if handler is gentle else 1
                gentle = handler if is_gentle else None
                if not is_gentle or n_unheard > 1:
                    self._end(signal.SIGINT)

    def _end(self, number: int) -> None:
        """Leave no process, no unfinished bundle, no message and no hidden cursor behind."""
        if self.is_over.wait(_GRACE):
            return
        # Commands that start no processes do without the module.
        if (started := sys.modules.get("multiprocessing")) is not None:
            for process in started.active_children():
                process.kill()
        with suppress(Exception):
            if (place := sys.modules.get("unlinkable.release.bundle.place")) is not None:
                for part in tuple(place.UNFINISHED):
                    shutil.rmtree(part, ignore_errors=True)
            if sys.stderr.isatty():
                sys.stderr.write("\x1b[?25h\n")
            self._say_so()
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(128 + number)
