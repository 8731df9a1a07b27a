"""Proximity: numbers that differ and lie close together."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import polars as pl
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import load
from tests.tables.attacks.tables import frame_of_case, target
from tests.witness import adversaries
from tests.witness.releases import RandomRelease, releases, target_of
from unlinkable.errors import ParameterError, SchemaError, UnsupportedError
from unlinkable.tables.attacks import Proximity
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.models import EpsilonMAnonymity

LIMITS = st.sampled_from([Fraction(1, 3), Fraction(1, 2), Fraction(3, 4)])
PAY = (1, 2, 3, 5, 8, 13)


def salaries() -> Target:
    case = load("book-ch02-table2.6-k-e-anonymity-proximity")
    return target(frame_of_case(case["input"]["table"]), case["input"]["qid"], "Salary")


@pytest.mark.parametrize(
    "attack",
    [Proximity(low=30, high=35), Proximity(width=5), Proximity(), Proximity(high=35)],
    ids=str,
)
def test_nine_of_ten_salaries_lie_from_30_to_35(attack: Proximity) -> None:
    expected = load("book-ch02-table2.6-k-e-anonymity-proximity")["expected"]["proximity_attack"]
    outcome = attack.run(salaries())
    low, high = expected["interval"]
    assert outcome.highest == expected["confidence"]
    assert outcome.victims[0].learned == {"Salary": f"{low} to {high}"}
    assert (outcome.n_attacked, outcome.n_fallen) == (10, 10)


def test_what_is_close_by_a_share() -> None:
    # Ten percent around 32 is from 28.8 to 35.2, around 31 it is from 27.9 to 34.1.
    assert Proximity(epsilon="0.1").run(salaries()).highest == 0.9
    assert Proximity(epsilon="0.01").run(salaries()).highest == 0.2


@given(releases(values=PAY), LIMITS, st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(4)]))
def test_windows_by_definition(release: RandomRelease, limit: Fraction, width: Fraction) -> None:
    beliefs = adversaries.beliefs_of_records(release.rows, release.qid, "s", release.bucket)
    sure = [adversaries.windows(belief, width) for belief in beliefs]
    outcome = Proximity(width=width, limit=limit).run(target_of(release))
    assert outcome.highest == pytest.approx(float(max(sure)))
    assert outcome.n_fallen == sum(s > limit for s in sure)


@given(releases(values=PAY), LIMITS, st.sampled_from(PAY), st.integers(0, 8))
def test_one_range_by_definition(
    release: RandomRelease, limit: Fraction, low: int, width: int
) -> None:
    beliefs = adversaries.beliefs_of_records(release.rows, release.qid, "s", release.bucket)
    ends = Fraction(low), Fraction(low + width)
    sure = [adversaries.in_window(belief, *ends) for belief in beliefs]
    outcome = Proximity(low=low, high=low + width, limit=limit).run(target_of(release))
    assert outcome.highest == pytest.approx(float(max(sure)))
    assert outcome.n_fallen == sum(s > limit for s in sure)


@given(releases(values=PAY))
def test_wider_ranges_hold_more(release: RandomRelease) -> None:
    told = target_of(release)
    fallen = [Proximity(width=w).run(told).n_fallen for w in (0, 1, 4, 12)]
    assert fallen == sorted(fallen)
    everything = Proximity(width=12).run(told)
    assert everything.highest == 1
    assert everything.details["certain"] == len(release.rows)


@given(releases(values=PAY, shapes=["raw", "full-domain"]), st.integers(0, 4))
def test_the_model_bounds_it(release: RandomRelease, epsilon: int) -> None:
    told = target_of(release)
    groups = told.counted([("s",)]).finest
    one_in = EpsilonMAnonymity(epsilon, 1, sensitive="s").level(groups).min()
    assert Proximity(width=epsilon).run(told).highest <= 1 / one_in + 1e-12
    relative = EpsilonMAnonymity("0.5", 1, sensitive="s", interval="relative")
    highest = Proximity(epsilon="0.5").run(told).highest
    assert highest == pytest.approx(1 / relative.level(groups).min())


def test_dates_are_counted_in_days() -> None:
    days = [date(2024, 1, 1), date(2024, 1, 3), date(2024, 3, 1)]
    told = target({"job": ["cook"] * 3, "born": days}, "job", "born")
    outcome = Proximity(width=2).run(told)
    assert outcome.victims[0].learned == {"born": "2024-01-01 to 2024-01-03"}
    assert outcome.highest == pytest.approx(2 / 3)
    assert outcome.details["width of born"] == 2
    with pytest.raises(SchemaError, match="'born' holds dates, which have no zero"):
        Proximity(epsilon=0.1).run(told)


def test_missing_numbers_are_records_in_no_range() -> None:
    told = target({"job": ["cook"] * 4, "pay": [1, None, None, None]}, "job", "pay")
    outcome = Proximity(width=5).run(told)
    assert (outcome.highest, outcome.n_fallen) == (0.25, 0)
    assert "Nobody falls: whoever knows what a person shows is at most 0.25 sure" in outcome.found


def test_the_default_width_is_a_tenth_of_the_range() -> None:
    told = target({"job": ["a", "b"], "pay": [0.5, 20.5]}, "job", "pay")
    assert Proximity().run(told).details["width of pay"] == 2.0


def test_columns_of_categories_are_passed_over() -> None:
    told = target({"job": ["a", "a"], "pay": [1, 9], "ill": ["x", "x"]}, "job", ("ill", "pay"))
    assert Proximity(width=1).run(told).highest == 0.5
    with pytest.raises(SchemaError, match="column 'ill' holds categories"):
        Proximity("ill").run(told)
    with pytest.raises(UnsupportedError, match="no sensitive column holds numbers or dates"):
        Proximity().run(evolve(told, sensitive=("ill",)))
    with pytest.raises(UnsupportedError, match="no column is sensitive"):
        Proximity().run(evolve(told, sensitive=()))
    with pytest.raises(SchemaError, match="no sensitive column 'age'"):
        Proximity("age").run(told)


def test_refusals() -> None:
    for both in ({"width": 1, "epsilon": 1}, {"width": 1, "low": 1}, {"epsilon": 1, "high": 2}):
        with pytest.raises(ParameterError, match="give one of width, epsilon, and low and high"):
            Proximity(**both)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="high must be at least low, which is 3, got 2"):
        Proximity(low=3, high=2)
    with pytest.raises(ParameterError, match="width must be at least 0"):
        Proximity(width=-1)
    with pytest.raises(ParameterError, match="epsilon must be greater than 0"):
        Proximity(epsilon=0)


def test_an_empty_release_has_no_victims() -> None:
    empty = pl.DataFrame({"job": [], "pay": []}, schema={"job": pl.String, "pay": pl.Int64})
    outcome = Proximity().run(target(empty, "job", "pay"))
    assert (outcome.n_attacked, outcome.n_fallen, outcome.highest) == (0, 0, 0.0)
