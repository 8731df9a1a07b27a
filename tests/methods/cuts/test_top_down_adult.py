"""Top-down methods on UCI Adult: figures and effort that must not get worse."""

from __future__ import annotations

import os
from pathlib import Path

import polars as pl
import pytest

from unlinkable.engines import count
from unlinkable.methods.base import Task
from unlinkable.methods.cuts import (
    HDTDS,
    TopDownDisclosure,
    TopDownRefinement,
    TopDownSpecialization,
)
from unlinkable.methods.cuts.top_down import TopDown
from unlinkable.privacy import KAnonymity, LKCPrivacy
from unlinkable.privacy.base import All, GroupModel
from unlinkable.table import Csv, Table, as_table
from unlinkable.utility import ILoss, InformationGain
from unlinkable.utility.base import Shown

QUASI = [
    "sex",
    "age",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "occupation",
]
BESIDE = Path(__file__).parents[4] / "shared" / "data"
FOLDER = Path(os.environ.get("UNLINKABLE_DATA") or BESIDE) / "adult"

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the Adult table is not at hand")


@pytest.fixture(scope="module")
def adult() -> Table:
    """Eight quasi-identifiers, of which the race and the workclass come without a taxonomy."""
    frame = pl.read_csv(FOLDER / "adult.csv", separator=";").select(*QUASI, "salary-class")
    named = [name for name in QUASI if name not in ("race", "workclass")]
    taxonomies = {name: Csv(FOLDER / "hierarchies" / f"{name}.csv") for name in named}
    return as_table(frame, quasi=QUASI, target="salary-class", taxonomies=taxonomies)


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
    gain = metric.of(Shown.of(found.partition, adult.attributes))
    counted = (found.effort["steps"], found.effort["checked"], found.partition.n_parts)
    assert (counted, round(gain, 4)) == (effort, told)
