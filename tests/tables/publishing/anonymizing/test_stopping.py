"""Stopping a long search without losing what it has found."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable

import pytest

from unlinkable.tables.publishing.anonymizing.stopping import stopping_gently

pytestmark = pytest.mark.usefixtures("interrupts")


def _heard(words: list[str]) -> Callable[[float, str], None]:
    return lambda share, told: words.append(told)


def _interrupt() -> None:
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.01)


def _interrupted(is_stopped: Callable[[], bool]) -> bool:
    _interrupt()
    return is_stopped()


def test_the_first_interrupt_is_heard_and_acknowledged() -> None:
    words: list[str] = []
    with stopping_gently(_heard(words), if_=True) as is_stopped:
        assert not is_stopped()
        _interrupt()
        assert is_stopped()
    assert len(words) == 1
    assert "Ctrl-C again" in words[0]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_the_second_interrupt_breaks_off() -> None:
    heard: list[bool] = []
    with pytest.raises(KeyboardInterrupt), stopping_gently(_heard([]), if_=True) as is_stopped:
        heard.extend([_interrupted(is_stopped), _interrupted(is_stopped)])
    assert heard == []
    assert is_stopped()


def test_a_search_that_cannot_stop_is_broken_off_at_once() -> None:
    with pytest.raises(KeyboardInterrupt), stopping_gently(_heard([]), if_=False):
        _interrupt()


def test_a_program_that_treats_interrupts_itself_goes_on_doing_so() -> None:
    heard: list[int] = []
    signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))
    with stopping_gently(_heard([]), if_=True) as is_stopped:
        _interrupt()
        assert heard == [signal.SIGINT]
        assert not is_stopped()


def test_outside_of_the_main_thread_interrupts_are_left_alone() -> None:
    found: list[bool] = []

    def run() -> None:
        with stopping_gently(_heard([]), if_=True) as is_stopped:
            found.append(is_stopped())

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert found == [False]
