"""Mondrian on UCI Adult: figures that must not get worse."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.adult import needs_adult
from unlinkable.tables.data import Table
from unlinkable.tables.engines import count
from unlinkable.tables.methods import Mondrian
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.metrics import NormalizedCertaintyPenalty
from unlinkable.tables.metrics.base import Shown
from unlinkable.tables.models import EntropyLDiversity, KAnonymity, TCloseness
from unlinkable.tables.models.base import All, GroupModel

pytestmark = needs_adult


K5 = KAnonymity(5)
DIVERSE = EntropyLDiversity(3, sensitive="occupation")
CLOSE = TCloseness(Fraction(1, 5), sensitive="occupation")

FIGURES = [
    (Mondrian(), [K5], 3178, 0.0306),
    (Mondrian(), [KAnonymity(10)], 1765, 0.054),
    (Mondrian(), [KAnonymity(100)], 213, 0.2346),
    (Mondrian(strict=False), [K5], 3218, 0.0296),
    (Mondrian(split="best"), [K5], 3234, 0.0209),
    (Mondrian(labels="taxonomy"), [K5], 2610, 0.0669),
    (Mondrian(), [K5, DIVERSE], 2548, 0.0404),
    (Mondrian(), [K5, CLOSE], 83, 0.5328),
]


@pytest.mark.parametrize(("method", "models", "n_groups", "penalty"), FIGURES, ids=str)
def test_groups_and_certainty_penalty(
    adult: Table, method: Mondrian, models: list[GroupModel], n_groups: int, penalty: float
) -> None:
    privacy, metric = All(models), NormalizedCertaintyPenalty()
    finest = count(adult, privacy.needs()).finest
    found = method.search(finest, privacy, Task(adult.attributes, metric))
    assert privacy.holds(found.partition.groups())
    loss = metric.value(Shown.of(found.partition, adult.attributes))
    assert (found.partition.n_parts, round(loss, 4)) == (n_groups, penalty)
