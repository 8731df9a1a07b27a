"""Crowds: who is alike, and where they are put."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from tests.tables.methods.buckets.setting import bound
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.data.side import Side
from unlinkable.tables.methods.buckets.shared.crowd import Crowd
from unlinkable.tables.models import DeltaBounding

CHANCES = {"old": 0.3, "young": 0.1, "middle": 0.2, "teen": 0.1}


def crowd(who: list[str], ill: list[str], values: str | None = "x") -> tuple[Table, Crowd]:
    side = Side.of({"us": {"who": list(CHANCES), "value": ["x"] * 4, "p": list(CHANCES.values())}})
    table = as_table({"who": who, "ill": ill}, quasi="who", sensitive="ill")
    return table, Crowd.of(table, bound(table, [DeltaBounding(2, prior="us", values=values)], side))


def test_kinds_are_people_of_whom_the_same_is_believed_in_an_order_that_neighbours_share() -> None:
    who = ["old", "young", "middle", "teen", "old"]
    _, found = crowd(who, ["x", "y", "x", "y", "z"])
    assert found.n_kinds == 3
    odds = [math.exp(o) / (1 + math.exp(o)) for o in found.odds[found.kinds, 0]]
    assert odds == pytest.approx([CHANCES[w] for w in who])
    line = found.odds[:, 0].tolist()
    assert line in (sorted(line), sorted(line, reverse=True))
    assert found.values.tolist() == [0, -1, 0, -1, -1]
    assert found.n_values == 1


@pytest.mark.parametrize("joined", [0.0, 0.5, 1.0])
def test_buckets_have_a_guarded_value_once_and_enough_people(joined: float) -> None:
    rng = np.random.default_rng(1)
    who = rng.choice(list(CHANCES), 200).tolist()
    ill = rng.choice(["x", "y", "z"], 200, p=[0.2, 0.5, 0.3]).tolist()
    _, found = crowd(who, ill)
    buckets, _ = found.bucketed(2.0, rng, joined)
    assert (buckets >= 0).all() or joined == 1
    for g in np.unique(buckets[buckets >= 0]):
        inside = np.flatnonzero(buckets == g)
        own = Counter(ill[i] for i in inside)
        assert own["x"] <= 1
        if own["x"]:
            odds = found.odds[found.kinds[inside], 0]
            assert inside.size >= 1 + math.exp(odds.max() - odds.min())


def test_values_that_nobody_guards_are_spread_as_well() -> None:
    _, found = crowd(["old"] * 8, list("xyzuxyzu"))
    buckets, rounds = found.bucketed(4.0, np.random.default_rng(0))
    ill = np.array(list("xyzuxyzu"))
    assert [sorted(ill[buckets == g]) for g in (0, 1)] == [list("uxyz")] * 2
    assert rounds == 1


def test_excess_is_what_no_buckets_could_take() -> None:
    _, found = crowd(["old"] * 7, list("xxxxxyz"))
    assert found.n_excess(2.0) == 3
    assert found.n_excess(1.0) == 0
