"""UCI Adult: the best cuts, proved, and what it takes to prove them.

Skipped where the data is not at hand. Losses do not depend on the machine.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest

from tests.adult import needs_adult, records, trees
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.engines import count
from unlinkable.tables.methods.base.search import Search, Solution, Task
from unlinkable.tables.methods.cuts.k_optimize import KOptimize
from unlinkable.tables.methods.cuts.l_plus_optimize import LPlusOptimize
from unlinkable.tables.methods.cuts.mu_argus import MuArgus
from unlinkable.tables.metrics import ClassificationMetric, Discernibility, ILoss
from unlinkable.tables.metrics.base import GroupMetric, Shown
from unlinkable.tables.models import ConfidenceBounding, KAnonymity, LKCPrivacy
from unlinkable.tables.models.base import All, GroupModel

pytestmark = needs_adult

FIVE = ("age", "sex", "race", "marital-status", "education")
EIGHT = (*FIVE, "native-country", "workclass", "occupation")


@cache
def adult(quasi: tuple[str, ...]) -> Table:
    frame = records(*quasi, "salary-class")
    return as_table(frame, quasi=quasi, sensitive="salary-class", taxonomies=trees(quasi))


def search(
    method: Search,
    metric: GroupMetric,
    *models: GroupModel,
    quasi: tuple[str, ...] = FIVE,
    suppression: str = "0",
) -> tuple[Solution, float]:
    table, privacy = adult(quasi), All(models)
    metric = metric.bind(table.schema)
    finest = count(table, privacy.needs() | metric.needs(table.schema)).finest
    found = method.search(finest, privacy, Task(table.attributes, metric, Fraction(suppression)))
    return found, metric.value(Shown.of(found.partition, table.attributes))


@pytest.mark.parametrize(
    ("k", "loss", "n_suppressed", "looked_at"),
    [(5, 6710559, 29, 117), (10, 9233161, 53, 63), (25, 12064264, 22, 19), (100, 17849229, 75, 18)],
)
def test_the_best_cut_for_discernibility(
    k: int, loss: int, n_suppressed: int, looked_at: int
) -> None:
    found, reached = search(KOptimize(), Discernibility(), KAnonymity(k), suppression="0.05")
    assert found.optimal
    assert (reached, found.partition.n_suppressed) == (loss, n_suppressed)
    assert found.effort["looked_at"] == looked_at


def test_the_best_cut_for_iloss() -> None:
    found, loss = search(KOptimize(), ILoss(), KAnonymity(5), suppression="0.05")
    assert found.optimal
    assert loss == pytest.approx(0.07428403288906571)
    assert found.partition.n_suppressed == 1407


@pytest.mark.parametrize(
    ("metric", "least", "looked_at"),
    [
        (ILoss(), 0.25319215521896055, 99),
        (Discernibility(), 5758292, 202),
        (ClassificationMetric(), 0.186492938134076, 416),
    ],
    ids=str,
)
def test_the_best_cut_that_bounds_what_can_be_inferred(
    metric: GroupMetric, least: float, looked_at: int
) -> None:
    rich = ConfidenceBounding("-> salary-class = >50K <= 0.8")
    found, loss = search(LPlusOptimize(), metric, rich)
    assert found.optimal
    assert loss == pytest.approx(least)
    assert found.effort["looked_at"] == looked_at


def test_no_three_values_are_rare() -> None:
    promise = LKCPrivacy(l=3, k=5, c=1)
    found, loss = search(MuArgus(), ILoss(), promise, quasi=EIGHT)
    assert promise.holds(found.partition.groups())
    assert loss == pytest.approx(0.0936, abs=1e-4)
    assert found.effort == {
        "combinations": 56,
        "steps": 32,
        "rounds": 22,
        "hidden_cells": 6476,
        "smallest_group": 1,
        "below_k": 4680,
    }
