"""Clusters on UCI Adult: figures that must not get worse."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from tests.adult import needs_adult
from unlinkable.tables.data import Table
from unlinkable.tables.engines import count
from unlinkable.tables.methods.base.search import Search, Task
from unlinkable.tables.methods.regions.greedy_cell import GreedyCell
from unlinkable.tables.methods.regions.oka import OKA
from unlinkable.tables.metrics import NormalizedCertaintyPenalty
from unlinkable.tables.metrics.base import Shown
from unlinkable.tables.models import AlphaKAnonymity, EntropyLDiversity, KAnonymity
from unlinkable.tables.models.base import All, GroupModel

pytestmark = needs_adult

K5, K100 = KAnonymity(5), KAnonymity(100)
DIVERSE = EntropyLDiversity(3, sensitive="occupation")
ALPHA = AlphaKAnonymity(alpha=Fraction(1, 3), k=5, sensitive="occupation")

FIGURES: list[tuple[Search, list[GroupModel], int, float]] = [
    (GreedyCell(), [K5], 3011, 0.0395),
    (GreedyCell(), [K100], 183, 0.193),
    (GreedyCell(labels="intervals"), [K5], 3143, 0.0249),
    (GreedyCell(), [ALPHA], 551, 0.1936),
    (GreedyCell("top-down"), [K5], 3095, 0.0387),
    (GreedyCell("top-down"), [K5, DIVERSE], 2248, 0.0583),
    (OKA(), [K5], 3687, 0.0537),
    (OKA("enhanced"), [K5], 3700, 0.0793),
    (OKA(), [DIVERSE], 2050, 0.0922),
]


@pytest.mark.parametrize(("method", "models", "n_groups", "penalty"), FIGURES, ids=str)
def test_groups_and_certainty_penalty(
    adult: Table, method: Search, models: list[GroupModel], n_groups: int, penalty: float
) -> None:
    privacy, metric = All(models), NormalizedCertaintyPenalty()
    finest = count(adult, privacy.needs()).finest
    task = Task(adult.attributes, metric, rng=np.random.default_rng(0))
    found = method.search(finest, privacy, task)
    assert privacy.holds(found.partition.groups())
    loss = metric.value(Shown.of(found.partition, adult.attributes))
    assert (found.partition.n_parts, round(loss, 4)) == (n_groups, penalty)
