"""Exchange: groups keep the promise and never lose more, and effort is what it was."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.methods.regions.setting import Promised, Setting, promised, regions_of
from unlinkable.tables.data import as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups, Partition
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.regions.shared.exchange import Exchange
from unlinkable.tables.methods.regions.shared.group_judging import Judge
from unlinkable.tables.methods.regions.shared.range_prices import Landscape
from unlinkable.tables.methods.shared.stop_rule import StopRule
from unlinkable.tables.metrics import NormalizedCertaintyPenalty
from unlinkable.tables.metrics.base import Shown
from unlinkable.tables.models import KAnonymity
from unlinkable.tables.models.base import All

METRIC = NormalizedCertaintyPenalty()


def cost(finest: Groups, labels: np.ndarray, task: Task, in_taxonomy: bool) -> float:
    tight = Partition.tight(finest, labels, int(labels.max()) + 1).inhabited()
    shown = tight.publishable(task.attributes, in_taxonomy=in_taxonomy)
    return float(task.metric.loss(Shown.of(shown, task.attributes)))


@given(
    tables(min_records=1, owner=False, max_records=14),
    promised(),
    st.booleans(),
    st.integers(1, 4),
    st.randoms(use_true_random=False),
)
def test_groups_keep_the_promise_and_lose_no_more(
    random: RandomTable, promise: Promised, in_taxonomy: bool, n: int, chance: object
) -> None:
    setting = Setting.of(random)
    finest, privacy, task = setting.finest, All(promise.models), setting.task
    keeps = setting.keeps(promise)
    # Any groups that keep the promise will do to begin with.
    drawn = [chance.randrange(n) for _ in range(len(finest))]  # type: ignore[attr-defined]
    labels = np.unique(drawn, return_inverse=True)[1].astype(np.int32)
    if not all(keeps(np.flatnonzero(labels == g).tolist()) for g in set(labels.tolist())):
        labels[:] = 0
    assume(keeps(np.flatnonzero(labels == 0).tolist()))
    land = Landscape.of(finest, setting.attributes, METRIC, in_taxonomy=in_taxonomy)
    judge, stop_rule = Judge.of(finest, privacy), StopRule.of(task, None, None)
    exchange = Exchange(finest, judge, land, Counter())
    n_parts = int(labels.max()) + 1
    after = exchange.run(labels.copy(), n_parts, stop_rule, task.rng, task.progress)
    partition = Partition.tight(finest, after, int(after.max()) + 1).inhabited()
    assert all(keeps(rows) for rows in regions_of(partition))
    before = cost(finest, labels, task, in_taxonomy)
    assert cost(finest, after, task, in_taxonomy) <= before + 1e-9


def grid() -> tuple[Groups, Task]:
    """Make a table of 144 places, some of them twice."""
    places = [(i, j) for i in range(12) for j in range(12) for _ in range(1 + (i * j) % 2)]
    people = as_table({"x": [x for x, _ in places], "y": [y for _, y in places]}, quasi=["x", "y"])
    return count(people).finest, Task(people.attributes, METRIC)


def run(deadline: float = np.inf, stopped: bool = False) -> tuple[float, Counter[str]]:
    finest, task = grid()
    land = Landscape.of(finest, task.attributes, METRIC, in_taxonomy=False)
    exchange = Exchange(finest, Judge.of(finest, All([KAnonymity(5)])), land, Counter())
    labels = (np.arange(len(finest)) % 24).astype(np.int32)
    stop_rule = StopRule(None, deadline, lambda: stopped)
    after = exchange.run(labels, 24, stop_rule, task.rng, task.progress)
    return cost(finest, after, task, False), exchange.effort


def test_the_same_seed_gives_the_same_groups_with_the_same_effort() -> None:
    first, second = run(), run()
    assert first == second
    assert first[1]["regions_rebuilt"] > 0
    finest, task = grid()
    labels = (np.arange(len(finest)) % 24).astype(np.int32)
    assert first[0] < cost(finest, labels, task, False) / 2


def test_nothing_is_tried_when_somebody_has_asked_to_stop() -> None:
    finest, task = grid()
    labels = (np.arange(len(finest)) % 24).astype(np.int32)
    assert run(stopped=True) == (cost(finest, labels, task, False), Counter())
