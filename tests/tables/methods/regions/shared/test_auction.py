"""Auction: groups are large enough and cost less, or nothing changes; effort is what it was."""

from __future__ import annotations

import time
from collections import Counter

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.methods.regions.setting import Setting
from unlinkable.tables.data import as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups, Partition
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.regions.shared import auction as module
from unlinkable.tables.methods.regions.shared.auction import Auction
from unlinkable.tables.methods.regions.shared.group_judging import Judge
from unlinkable.tables.methods.regions.shared.range_prices import Landscape
from unlinkable.tables.methods.regions.shared.sweep import swept
from unlinkable.tables.methods.shared.stop_rule import StopRule
from unlinkable.tables.metrics import NormalizedCertaintyPenalty
from unlinkable.tables.metrics.base import Shown
from unlinkable.tables.models import KAnonymity
from unlinkable.tables.models.base import All
from unlinkable.tables.taxonomies.builders import Intervals
from unlinkable.typing import CodeArray

METRIC = NormalizedCertaintyPenalty()


def cost(finest: Groups, labels: CodeArray, task: Task) -> float:
    tight = Partition.tight(finest, labels, int(labels.max()) + 1).inhabited()
    shown = tight.publishable(task.attributes, in_taxonomy=True)
    return float(METRIC.loss(Shown.of(shown, task.attributes)))


@given(
    tables(min_records=2, owner=False, max_records=16),
    st.integers(1, 4),
    st.integers(1, 3),
    st.randoms(use_true_random=False),
)
def test_groups_are_large_enough_and_cost_less_or_nothing_changes(
    random: RandomTable, least: int, n: int, chance: object
) -> None:
    setting = Setting.of(random)
    finest, task = setting.finest, setting.task
    assume(finest.n_records >= least)
    drawn = [chance.randrange(n) for _ in range(len(finest))]  # type: ignore[attr-defined]
    labels = np.unique(drawn, return_inverse=True)[1].astype(np.int32)
    if np.bincount(labels, finest.sizes).min() < least:
        labels[:] = 0
    land = Landscape.of(finest, setting.attributes, METRIC, in_taxonomy=True)
    auction = Auction(finest, land, least, Counter())
    stop_rule = StopRule.of(task, None, None)
    after, n_parts = auction.run(labels, int(labels.max()) + 1, stop_rule, task.progress)
    records = np.bincount(after, finest.sizes, n_parts)
    assert records.size == n_parts
    assert records.min() >= least
    if after is not labels:
        assert cost(finest, after, task) < cost(finest, labels, task)


def streets() -> tuple[Groups, Task, Landscape]:
    """Make a table of 144 places, some of them twice, in blocks of two and of six."""
    places = [(i, j) for i in range(12) for j in range(12) for _ in range(1 + (i * j) % 2)]
    people = as_table(
        {"x": [x for x, _ in places], "y": [y for _, y in places]},
        quasi=["x", "y"],
        taxonomies={"x": Intervals(2, 6), "y": Intervals(2, 6)},
    )
    finest, task = count(people).finest, Task(people.attributes, METRIC)
    return finest, task, Landscape.of(finest, task.attributes, METRIC, in_taxonomy=True)


def run(
    deadline: float = np.inf, stopped: bool = False
) -> tuple[CodeArray, CodeArray, Counter[str]]:
    finest, task, land = streets()
    labels = (np.arange(len(finest)) % 24).astype(np.int32)
    auction = Auction(finest, land, 5, Counter())
    stop_rule = StopRule(None, deadline, lambda: stopped)
    after, _ = auction.run(labels, 24, stop_rule, task.progress)
    return labels, after, auction.effort


def test_the_same_groups_are_found_with_the_same_effort() -> None:
    (labels, first, effort), (_, second, again) = run(), run()
    assert first.tolist() == second.tolist()
    assert effort == again
    finest, task, _ = streets()
    assert cost(finest, first, task) < cost(finest, labels, task) / 2


def test_effort_is_what_it_was() -> None:
    assert run()[2] == {"cells_listed": 148, "bids": 1248, "cells_opened": 34}


@pytest.mark.parametrize("when", ["stopped", "late"])
def test_nothing_changes_when_there_is_no_time(when: str) -> None:
    labels, after, effort = run(time.monotonic() if when == "late" else np.inf, when == "stopped")
    assert after is labels
    assert not effort


def test_good_groups_are_not_given_up() -> None:
    finest, task, land = streets()
    judge, stop_rule = Judge.of(finest, All([KAnonymity(5)])), StopRule.of(task, None, None)
    labels, n_parts, _ = swept(finest, judge, land, stop_rule, task.progress)
    assert (labels >= 0).all()
    after, _ = Auction(finest, land, 5, Counter()).run(labels, n_parts, stop_rule, task.progress)
    assert cost(finest, after, task) <= cost(finest, labels, task)


def test_groups_that_cost_nothing_stay() -> None:
    finest, task, land = streets()
    labels = np.arange(len(finest), dtype=np.int32)
    auction = Auction(finest, land, 1, Counter())
    after, _ = auction.run(labels, len(finest), StopRule.of(task, None, None), task.progress)
    assert after is labels


def test_lists_that_stay_too_long_end_the_auction(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_ROOM", 4)
    labels, after, effort = run()
    assert after is labels
    assert effort["cells_opened"] == 0


def test_an_auction_of_few_rounds_is_not_worth_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_LOOKS_AT_LEAST", 1)
    labels, after, effort = run()
    assert after is labels
    assert effort == {}
