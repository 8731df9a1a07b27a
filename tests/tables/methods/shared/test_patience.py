"""When a search that could go on has to end."""

from __future__ import annotations

import time

import pytest
from attrs import evolve

from unlinkable.errors import ParameterError
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.shared.patience import Patience, is_seconds
from unlinkable.tables.metrics import ILoss

TASK = Task((), ILoss())


def test_it_counts_steps() -> None:
    patience = Patience.of(TASK, 2, None)
    assert [patience.allows_another() for _ in range(4)] == [True, True, False, False]
    assert patience.is_out
    assert patience.n_steps == 2


def test_it_watches_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 7.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    patience = Patience.of(TASK, None, 0.01)
    assert patience.allows_another()
    now += 0.02
    assert not patience.allows_another()
    assert patience.is_out


def test_it_listens() -> None:
    patience = Patience.of(evolve(TASK, is_stopped=lambda: True), None, None)
    assert patience.is_over()
    assert not patience.is_out, "nothing was asked for yet"
    assert not patience.allows_another()
    assert patience.is_out


def test_without_bounds_it_is_endless() -> None:
    patience = Patience.of(TASK, None, None)
    assert all(patience.allows_another() for _ in range(100))
    assert not patience.is_out


@pytest.mark.parametrize("seconds", [0, -1, True, "3", float("inf"), float("nan")])
def test_a_time_is_a_positive_number(seconds: object) -> None:
    with pytest.raises(ParameterError, match="number of seconds above 0"):
        is_seconds(None, None, seconds)
    is_seconds(None, None, None)
    is_seconds(None, None, 0.5)
