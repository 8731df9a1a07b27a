"""Bottom-up generalization and genetic on UCI Adult: figures that must not get worse.

Skipped where the data is not at hand. Eight quasi-identifiers, with the class that recipients want
to tell beside them.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from tests.adult import SEVEN, needs_adult, records, trees
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.engines import count
from unlinkable.tables.methods.base.search import Search, Task
from unlinkable.tables.methods.cuts.bottom_up_generalization import BottomUpGeneralization
from unlinkable.tables.methods.cuts.genetic import Genetic
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.metrics.base import GroupMetric, Shown
from unlinkable.tables.metrics.classification_metric import ClassificationMetric
from unlinkable.tables.models import EntropyLDiversity, KAnonymity
from unlinkable.tables.models.base import All, GroupModel

pytestmark = needs_adult

NAMES = [*SEVEN, "occupation"]
CM, K5, FIVE_PERCENT = ClassificationMetric("salary-class"), KAnonymity(5), Fraction(1, 20)
DIVERSE = EntropyLDiversity(Fraction(3, 2), sensitive="salary-class")


@cache
def adult() -> Table:
    frame = records(*NAMES, "salary-class")
    return as_table(frame, quasi=NAMES, target="salary-class", taxonomies=trees(NAMES))


CLASS, METRIC = BottomUpGeneralization(target="salary-class"), BottomUpGeneralization()
BRED, BRED_BY_METRIC = Genetic(target="salary-class", steps=60), Genetic(steps=60)

FIGURES: list[
    tuple[Search, list[GroupModel], GroupMetric, Fraction, int, float, dict[str, int]]
] = [
    (
        CLASS,
        [K5],
        CM,
        Fraction(0),
        14,
        0.1954,
        {"steps": 50, "critical": 1, "tried": 272, "groups": 1631927},
    ),
    (
        CLASS,
        [K5],
        CM,
        FIVE_PERCENT,
        456,
        0.2071,
        {"steps": 31, "critical": 31, "tried": 747, "groups": 1845114},
    ),
    (
        BRED,
        [K5],
        CM,
        Fraction(0),
        78,
        0.1833,
        {"generations": 60, "ranked": 1570, "repeated": 90, "rows": 16208435},
    ),
    (
        BRED,
        [K5],
        CM,
        FIVE_PERCENT,
        283,
        0.176,
        {"generations": 60, "ranked": 1622, "repeated": 44, "rows": 20789952},
    ),
    (
        METRIC,
        [K5],
        ILoss(),
        Fraction(0),
        5,
        0.758,
        {"steps": 53, "critical": 2, "tried": 387, "groups": 2762212},
    ),
    (
        METRIC,
        [K5],
        ILoss(),
        FIVE_PERCENT,
        380,
        0.2358,
        {"steps": 38, "critical": 38, "tried": 865, "groups": 2718305},
    ),
    (
        METRIC,
        [K5, DIVERSE],
        ILoss(),
        FIVE_PERCENT,
        2,
        0.78,
        {"steps": 53, "critical": 47, "tried": 905, "groups": 2627474},
    ),
    (
        BRED_BY_METRIC,
        [K5],
        ILoss(),
        Fraction(0),
        84,
        0.599,
        {"generations": 60, "ranked": 1529, "repeated": 131, "rows": 12427936},
    ),
    (
        BRED_BY_METRIC,
        [K5],
        ILoss(),
        FIVE_PERCENT,
        384,
        0.2352,
        {"generations": 60, "ranked": 1621, "repeated": 45, "rows": 16315021},
    ),
    (
        BRED_BY_METRIC,
        [K5, DIVERSE],
        ILoss(),
        FIVE_PERCENT,
        35,
        0.6433,
        {"generations": 60, "ranked": 1554, "repeated": 105, "rows": 22086180},
    ),
]


@pytest.mark.parametrize(
    ("method", "models", "metric", "suppression", "n_groups", "loss", "effort"), FIGURES, ids=str
)
def test_groups_loss_and_effort(
    method: Search,
    models: list[GroupModel],
    metric: GroupMetric,
    suppression: Fraction,
    n_groups: int,
    loss: float,
    effort: dict[str, int],
) -> None:
    table, privacy = adult(), All(models)
    finest = count(table, [("salary-class",)]).finest
    task = Task(table.attributes, metric, suppression, np.random.default_rng(0))
    found = method.search(finest, privacy, task)
    assert privacy.holds(found.partition.groups())
    assert found.partition.n_suppressed <= task.may_suppress(finest.n_records)
    lost = metric.value(Shown.of(found.partition, table.attributes))
    assert (found.partition.n_parts, round(lost, 4)) == (n_groups, loss)
    assert found.effort == effort
