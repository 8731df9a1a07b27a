"""Workers: processes that are ended when their time is up."""

from __future__ import annotations

import os
import time

import pytest

from unlinkable.release.compare.workers import Lost, Workers


def _work(n: int) -> int:
    """Do as many seconds of nothing as asked for; die for -1, fail for -2."""
    if n == -1:
        os._exit(3)
    if n == -2:
        raise ValueError("minus two")
    time.sleep(n)
    return n


def test_what_takes_too_long_is_ended_and_the_rest_goes_on() -> None:
    found = [*Workers(_work, 1, seconds=1).run([0, 600, 0])]
    assert found == [0, Lost(600, is_late=True), 0]


def test_a_process_that_dies_is_told() -> None:
    assert [*Workers(_work, 1).run([-1, 0])] == [Lost(-1, is_late=False), 0]


def test_errors_come_back() -> None:
    with pytest.raises(ValueError, match="minus two"):
        list(Workers(_work, 2).run([-2]))
