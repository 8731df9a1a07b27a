"""Mondrian for the sake of a target on UCI Adult: figures that must not get worse."""

from __future__ import annotations

import pytest

from tests.adult import SEVEN, needs_adult, records, trees
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.engines import count
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.regions import InfoGainMondrian, LSDMondrian, Mondrian
from unlinkable.tables.metrics import InformationGain, NormalizedCertaintyPenalty
from unlinkable.tables.metrics.base import Shown
from unlinkable.tables.models import KAnonymity
from unlinkable.tables.models.base import All

pytestmark = needs_adult

SHOWN = [*SEVEN, "occupation"]


@pytest.fixture(scope="module")
def adult() -> Table:
    frame = records(*SHOWN, "salary-class")
    return as_table(frame, quasi=SHOWN, target="salary-class", taxonomies=trees(SHOWN))


FIGURES = [
    (Mondrian(), 10, 2094, 0.3063, 0.0894),
    (InfoGainMondrian(), 5, 3965, 0.4334, 0.1114),
    (InfoGainMondrian(), 10, 2079, 0.3798, 0.1865),
    (InfoGainMondrian(), 100, 217, 0.296, 0.4912),
    (InfoGainMondrian(strict=False), 10, 2154, 0.4249, 0.1615),
    (InfoGainMondrian(labels="taxonomy"), 10, 1832, 0.3461, 0.288),
    (LSDMondrian(["age", "salary-class"]), 10, 2008, 0.3688, 0.2692),
]


@pytest.mark.parametrize(("method", "k", "n_groups", "gain", "penalty"), FIGURES, ids=str)
def test_groups_information_gain_and_certainty_penalty(
    adult: Table,
    method: Mondrian | InfoGainMondrian | LSDMondrian,
    k: int,
    n_groups: int,
    gain: float,
    penalty: float,
) -> None:
    privacy, metric = All([KAnonymity(k)]), NormalizedCertaintyPenalty()
    method = method.bind(adult.schema)
    finest = count(adult, {*method.needs(adult.schema), ("salary-class",)}).finest
    found = method.search(finest, privacy, Task(adult.attributes, metric))
    assert privacy.holds(found.partition.groups())
    shown = Shown.of(found.partition, adult.attributes)
    told, lost = InformationGain("salary-class").value(shown), metric.value(shown)
    figures = found.partition.n_parts, round(told, 4), round(lost, 4)
    assert figures == (n_groups, gain, penalty)
