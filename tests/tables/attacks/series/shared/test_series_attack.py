"""What attacks on several releases have in common: when people cannot be followed."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from attrs import evolve

import unlinkable as ul
from unlinkable.errors import UnsupportedError
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.series.series import Edition, Series
from unlinkable.tables.attacks.series.shared.series_attack import SeriesAttack, people_misfit

FRAME = pl.DataFrame({"age": ["20-30"] * 2, "ill": ["flu", "hiv"]})
ONE = Edition(Target(FRAME, ("age",), ("ill",)), np.array([0, 1]), "one")
ATTACKS = [ul.CriticalAbsence(), ul.Difference(), ul.Intersection(), ul.RecordTracing()]


def test_people_with_one_record_each_are_followed() -> None:
    assert people_misfit(Series((ONE, ONE))) is None


@pytest.mark.parametrize("attack", ATTACKS, ids=str)
@pytest.mark.parametrize(
    ("other", "message"),
    [
        (evolve(ONE, people=None), "not known whose the records of each release are"),
        (evolve(ONE, people=np.array([1, 1])), "somebody has several records in one"),
        (
            evolve(ONE, target=evolve(ONE.target, is_truthful=False, is_grouped=False)),
            "people of one do not hide what stands beside them",
        ),
    ],
)
def test_others_are_refused(attack: SeriesAttack, other: Edition, message: str) -> None:
    with pytest.raises(UnsupportedError, match=message):
        attack.run(Series((ONE, other)))
