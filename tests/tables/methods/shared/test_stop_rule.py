"""When a search that could go on has to end."""

from __future__ import annotations

import time

import pytest
from attrs import evolve

from unlinkable.errors import ParameterError
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.shared.stop_rule import StopRule, is_seconds
from unlinkable.tables.metrics import ILoss

TASK = Task((), ILoss())


def test_it_counts_steps() -> None:
    stop_rule = StopRule.of(TASK, 2, None)
    assert [stop_rule.allows_another() for _ in range(4)] == [True, True, False, False]
    assert stop_rule.ended_early
    assert stop_rule.n_steps == 2


def test_it_watches_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 7.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    stop_rule = StopRule.of(TASK, None, 0.01)
    assert stop_rule.allows_another()
    now += 0.02
    assert not stop_rule.allows_another()
    assert stop_rule.ended_early


def test_it_listens() -> None:
    stop_rule = StopRule.of(evolve(TASK, is_stopped=lambda: True), None, None)
    assert stop_rule.is_over()
    assert not stop_rule.ended_early, "nothing was asked for yet"
    assert not stop_rule.allows_another()
    assert stop_rule.ended_early


def test_without_bounds_it_is_endless() -> None:
    stop_rule = StopRule.of(TASK, None, None)
    assert all(stop_rule.allows_another() for _ in range(100))
    assert not stop_rule.ended_early


@pytest.mark.parametrize("seconds", [0, -1, True, "3", float("inf"), float("nan")])
def test_a_time_is_a_positive_number(seconds: object) -> None:
    with pytest.raises(ParameterError, match="number of seconds above 0"):
        is_seconds(None, None, seconds)
    is_seconds(None, None, None)
    is_seconds(None, None, 0.5)
