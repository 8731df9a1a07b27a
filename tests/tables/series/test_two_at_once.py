"""Two who publish with the same history at once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from tests.tables.series.toys import PROMISE, Growing, people, publish
from unlinkable.errors import ChannelError, HistoryError
from unlinkable.tables.methods.base.search import Method
from unlinkable.tables.series.history import History, Publication
from unlinkable.tables.series.policy import Past, Request


def slowly(started: threading.Event, go_on: threading.Event) -> Growing:
    class Slow(Growing):
        def method_for(self, request: Request, past: Past) -> Method:
            started.set()
            go_on.wait(20)
            return super().method_for(request, past)

    return Slow()


def in_the_background(work: Callable[[], object]) -> threading.Thread:
    thread = threading.Thread(target=work)
    thread.start()
    return thread


def test_of_two_who_publish_at_once_one_is_refused_after_a_while(address: str) -> None:
    publish(History(address))
    started, go_on = threading.Event(), threading.Event()
    slow = slowly(started, go_on)
    first = in_the_background(
        lambda: History(address).publish(people(0, 13), policy=slow, privacy=PROMISE)
    )
    assert started.wait(300)
    begun = time.monotonic()
    with pytest.raises(HistoryError, match=r"somebody else has been publishing for 0\.3 s"):
        publish(History(address, wait=0.3), n=14)
    assert time.monotonic() - begun < 100
    assert len(History(address)) == 1
    go_on.set()
    first.join(300)
    assert [line.records for line in History(address).releases()] == [12, 13]


def test_of_two_who_publish_at_once_one_waits_and_sees_what_the_other_did(address: str) -> None:
    publish(History(address))
    started, go_on = threading.Event(), threading.Event()
    slow = slowly(started, go_on)
    first = in_the_background(
        lambda: History(address).publish(people(0, 20), policy=slow, privacy=PROMISE)
    )
    assert started.wait(300)
    found: list[BaseException | Publication] = []

    def try_it() -> None:
        try:
            found.append(publish(History(address, wait=300), n=16))
        except ChannelError as error:
            found.append(error)

    second = in_the_background(try_it)
    time.sleep(0.3)
    assert not found
    go_on.set()
    first.join(300)
    second.join(300)
    # Alone it would have grown from 12 to 16; after the other it shrinks from 20.
    assert isinstance(found[0], ChannelError)
    assert [line.records for line in History(address).releases()] == [12, 20]
