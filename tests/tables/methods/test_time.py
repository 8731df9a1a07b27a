"""Every search that takes a time, or can be asked to stop, ends as soon as that is so.

Searches look at the clock between portions of their work. So the clock is moved on here, and what
is counted is how often a search reports progress after its time is up.
"""

from __future__ import annotations

import math
import time

import attrs
import numpy as np
import polars as pl
import pytest

from unlinkable.registry.lookup import entries, make
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.engines import count
from unlinkable.tables.methods.base.search import Method, Search, Task
from unlinkable.tables.methods.regions.mondrian import Mondrian
from unlinkable.tables.methods.shared.stop_rule import StopRule
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.models import KAnonymity, LKCPrivacy
from unlinkable.tables.models.base import All

OUT_OF_PLACE = {"greedy-personalized"}
"""Searches that need more than the promise of k-anonymity; they have tests of their own."""


def _people(n: int = 400) -> Table:
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(
        {
            "age": rng.integers(0, 60, n),
            "town": rng.integers(0, 50, n),
            "job": rng.choice([*"abcdef"], n),
            "class": rng.choice(["x", "y"], n),
        }
    )
    return as_table(frame, quasi=["age", "town", "job"], target="class")


def _searches_with_a_time() -> list[str]:
    return [
        e.name
        for e in entries("method")
        if "time" in {f.name for f in attrs.fields(e.make)}
        and issubclass(e.make, Search)
        and e.name not in OUT_OF_PLACE
    ]


def test_there_are_such_searches() -> None:
    assert {"best", "optimal", "k-optimize", "genetic", "hdtds"} <= {*_searches_with_a_time()}


@pytest.mark.parametrize("name", _searches_with_a_time())
def test_a_time_that_is_up_at_once_leaves_a_release(name: str) -> None:
    """Whatever comes before the first look at the clock is all that is done."""
    table = _people()
    method = make("method", f"{name}(time=0.000001)").bind(table.schema)
    assert isinstance(method, Search)
    told: list[str] = []
    task = Task(table.attributes, ILoss(), progress=lambda share, words: told.append(words))
    finest = count(table, [*method.needs(table.schema)]).finest
    found = method.search(finest, All([KAnonymity(3)]), task)
    assert KAnonymity(3).holds(found.partition.groups())
    assert not found.is_complete or name == "cluster-framework"
    assert len(told) <= 12


@pytest.mark.parametrize("name", ["best", "mondrian", "optimal", "infogain-mondrian"])
def test_a_search_that_is_stopped_while_it_goes_on_ends_with_what_it_has(name: str) -> None:
    table = _people()
    method = make("method", name).bind(table.schema)
    assert isinstance(method, Search)
    looks = iter(range(1_000_000))
    task = Task(table.attributes, ILoss(), is_stopped=lambda: next(looks) >= 3)
    finest = count(table, [*method.needs(table.schema)]).finest
    found = method.search(finest, All([KAnonymity(3)]), task)
    assert KAnonymity(3).holds(found.partition.groups())
    assert not found.is_complete
    assert next(looks) < 60


def test_cutting_for_somebody_who_knows_few_columns_can_be_stopped() -> None:
    table = _people()
    promise = LKCPrivacy(l=2, k=3, c=1)
    task = Task(table.attributes, ILoss(), is_stopped=lambda: True)
    found = Mondrian().search(count(table).finest, All([promise]), task)
    assert (found.partition.n_parts, found.is_complete) == (1, False)


def test_methods_that_take_a_time_can_be_stopped() -> None:
    for entry in entries("method"):
        if "time" in {f.name for f in attrs.fields(entry.make)}:
            assert issubclass(entry.make, Method)
            assert entry.make.stoppable, entry.name


def test_half_of_a_time_ends_before_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    whole = StopRule.of(Task((), ILoss()), None, 10)
    half = whole.half()
    assert (half.deadline, whole.share_spent) == (105.0, 0.0)
    now[0] = 106.0
    assert half.is_over()
    assert not whole.is_over()
    assert whole.share_spent == pytest.approx(0.6)
    limited = half.limits(Task((), ILoss()))
    assert limited.is_stopped()
    assert StopRule.of(Task((), ILoss()), None, None).half().deadline == math.inf
