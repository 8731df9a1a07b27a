"""Trying every cut: what is chosen does not depend on how much is tried at a time."""

from __future__ import annotations

import numpy as np
import pytest

from unlinkable.tables.data import as_table
from unlinkable.tables.engines import count
from unlinkable.tables.methods import Mondrian
from unlinkable.tables.methods.base.search import Solution, Task
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.models import DistinctLDiversity, EntropyLDiversity, KAnonymity
from unlinkable.tables.models.base import All


def search(method: Mondrian) -> Solution:
    rng = np.random.default_rng(11)
    data = {"a": rng.integers(0, 40, 400), "b": rng.integers(0, 5, 400)}
    hidden = {"s": rng.integers(0, 4, 400), "t": rng.integers(0, 9, 400) ** 2}
    people = as_table({**data, **hidden}, quasi=["a", "b"], sensitive=["s", "t"])
    privacy = All(
        [
            KAnonymity(3),
            DistinctLDiversity(3, sensitive="s"),
            EntropyLDiversity(3, sensitive="t"),
        ]
    )
    finest = count(people, privacy.needs()).finest
    return method.search(finest, privacy, Task(people.attributes, ILoss()))


@pytest.mark.parametrize(
    "method", [Mondrian(), Mondrian(split="best"), Mondrian(strict=False, split="best")], ids=str
)
@pytest.mark.parametrize("limit", ["bisection._ROWS", "region_cuts._ENTRIES", "bisection._CELLS"])
@pytest.mark.parametrize("most", [1, 50])
def test_small_portions_choose_the_same_cuts(
    method: Mondrian, limit: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_once = search(method)
    monkeypatch.setattr(f"unlinkable.tables.methods.regions.shared.{limit}", most)
    in_portions = search(method)
    assert in_portions.partition.n_parts > 20
    assert in_portions.partition.labels.tolist() == at_once.partition.labels.tolist()
    assert in_portions.effort == at_once.effort
