"""Top-down methods on UCI Adult: figures and effort that must not get worse."""

from __future__ import annotations

import pytest

from tests.adult import SEVEN, needs_adult, records, trees
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.engines import count
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.cuts import (
    HDTDS,
    TopDownDisclosure,
    TopDownRefinement,
    TopDownSpecialization,
)
from unlinkable.tables.methods.cuts.shared.top_down import TopDown
from unlinkable.tables.metrics import ILoss, InformationGain
from unlinkable.tables.metrics.base import Shown
from unlinkable.tables.models import KAnonymity, LKCPrivacy
from unlinkable.tables.models.base import All, GroupModel

pytestmark = needs_adult

QUASI = [*SEVEN, "occupation"]


@pytest.fixture(scope="module")
def adult() -> Table:
    """Eight quasi-identifiers, of which the race and the workclass come without a taxonomy."""
    frame = records(*QUASI, "salary-class")
    named = [name for name in QUASI if name not in ("race", "workclass")]
    return as_table(frame, quasi=QUASI, target="salary-class", taxonomies=trees(named))


K100 = KAnonymity(100)
LKC = LKCPrivacy(l=2, k=100, c=1)
SEVERAL: list[GroupModel] = [KAnonymity(100, qid=QUASI[:4]), KAnonymity(50, qid=QUASI[2:])]

FIGURES: list[tuple[TopDown, list[GroupModel], tuple[int, int, int], float]] = [
    (TopDownSpecialization(), [K100], (13, 31, 72), 0.2151),
    (TopDownSpecialization(score="information-gain"), [K100], (5, 16, 16), 0.1921),
    (TopDownSpecialization(score="discernibility"), [K100], (5, 17, 36), 0.2007),
    (TopDownSpecialization(score="loss", numbers="taxonomy"), [K100], (1, 8, 5), 0.0083),
    (HDTDS(), [LKC], (6, 18, 48), 0.2527),
    (TopDownDisclosure(), [K100], (9, 164, 36), 0.2299),
    (TopDownRefinement(), [K100], (13, 42, 72), 0.2151),
    (TopDownRefinement(), SEVERAL, (9, 30, 128), 0.2567),
]


@pytest.mark.parametrize(("method", "models", "effort", "told"), FIGURES, ids=str)
def test_steps_groups_and_what_they_tell_of_the_class(
    adult: Table,
    method: TopDown,
    models: list[GroupModel],
    effort: tuple[int, int, int],
    told: float,
) -> None:
    privacy, bound = All(models), method.bind(adult.schema)
    metric = InformationGain("salary-class")
    finest = count(adult, metric.needs(adult.schema)).finest
    found = bound.search(finest, privacy, Task(adult.attributes, ILoss()))
    assert privacy.holds(found.partition.groups())
    gain = metric.value(Shown.of(found.partition, adult.attributes))
    counted = (found.effort["steps"], found.effort["checked"], found.partition.n_parts)
    assert (counted, round(gain, 4)) == (effort, told)
