"""Mondrian on UCI Adult: figures that must not get worse."""

from __future__ import annotations

import os
from fractions import Fraction
from pathlib import Path

import polars as pl
import pytest

from unlinkable.engines import count
from unlinkable.methods import Mondrian
from unlinkable.methods.base import Task
from unlinkable.privacy import EntropyLDiversity, KAnonymity, TCloseness
from unlinkable.privacy.base import All, GroupModel
from unlinkable.table import Csv, Table, as_table
from unlinkable.utility import NormalizedCertaintyPenalty
from unlinkable.utility.base import Shown

QUASI = [
    "sex",
    "age",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "salary-class",
]
BESIDE = Path(__file__).parents[4] / "shared" / "data"
FOLDER = Path(os.environ.get("UNLINKABLE_DATA") or BESIDE) / "adult"

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the Adult table is not at hand")


@pytest.fixture(scope="module")
def adult() -> Table:
    frame = pl.read_csv(FOLDER / "adult.csv", separator=";").select(*QUASI, "occupation")
    taxonomies = {name: Csv(FOLDER / "hierarchies" / f"{name}.csv") for name in QUASI}
    return as_table(frame, quasi=QUASI, sensitive="occupation", taxonomies=taxonomies)


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
    loss = metric.of(Shown.of(found.partition, adult.attributes))
    assert (found.partition.n_parts, round(loss, 4)) == (n_groups, penalty)
