"""Skewness: a value that is more frequent in a group than in the table."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import load
from tests.tables.attacks.tables import target
from tests.witness import adversaries
from tests.witness.emd import shares
from tests.witness.models import groups
from tests.witness.releases import RandomRelease, releases, target_of
from unlinkable.errors import ParameterError, SchemaError, UnsupportedError
from unlinkable.tables.attacks import Skewness
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.grouped import skewness
from unlinkable.tables.models import TCloseness

LIMITS = st.sampled_from([Fraction(1, 10), Fraction(1, 4), Fraction(1, 2)])


def skewed(n_rare: int, n: int, rare: str = "HIV", common: str = "Flu") -> Target:
    """Publish a group of one half each in a table with a few of a rare value."""
    job = ["cook"] * 2 * n_rare + ["clerk"] * (n - 2 * n_rare)
    ill = ([rare, common] * n_rare) + [common] * (n - 2 * n_rare)
    return target({"job": job, "ill": ill}, "job", "ill")


def test_hiv_from_5_to_50_percent() -> None:
    expected = load("book-ch02-t-closeness-skewness")["expected"]
    outcome = Skewness().run(skewed(5, 100))
    details: dict[str, Any] = dict(outcome.details)
    assert (details["column"], details["value"]) == ("ill", "HIV")
    assert details["prior"] == pytest.approx(expected["prior_HIV"])
    assert details["posterior"] == pytest.approx(expected["posterior_HIV"])
    assert outcome.highest == pytest.approx(expected["emd_equal_ground_distance"])
    assert (outcome.n_attacked, outcome.n_fallen) == (100, 10)
    assert outcome.found == (
        "10 of 100 people fall: what they show makes a sensitive value more likely than it is for "
        "everybody, by more than 0.25 and up to 0.45."
    )


def test_hiv_fifty_times_as_likely() -> None:
    case = load("aggarwal-skew-hiv-1-99")
    outcome = Skewness().run(skewed(1, 100, common="normal"))
    assert outcome.highest == pytest.approx(case["expected"]["variational_distance"])
    assert outcome.details["lift"] == pytest.approx(case["expected"]["belief_gain_ratio"])
    assert outcome.details["highest_lift"] == outcome.details["lift"]


@given(releases(), LIMITS)
def test_gains_by_definition(release: RandomRelease, limit: Fraction) -> None:
    gains = adversaries.skewness_gain(release.rows, release.qid, "s", release.bucket)
    outcome = Skewness(limit=limit).run(target_of(release))
    assert outcome.highest == pytest.approx(float(max(gains)), abs=1e-12)
    assert outcome.n_fallen == sum(gain > limit for gain in gains)


@given(releases(), LIMITS)
def test_gains_are_the_same_in_large_numbers(release: RandomRelease, limit: Fraction) -> None:
    outcome = Skewness(limit=limit).run(target_of(release))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(skewness, "_WIDEST", 1)
        wide = Skewness(limit=limit).run(target_of(release))
    assert wide.to_json() == outcome.to_json()


@given(releases())
def test_details_by_definition(release: RandomRelease) -> None:
    details: dict[str, Any] = dict(Skewness().run(target_of(release)).details)
    whole = shares(row["s"] for row in release.rows)
    found = adversaries.beliefs_of_records(release.rows, release.qid, "s", release.bucket)
    lifts = [p / whole[value] for belief in found for value, p in belief.items()]
    assert details["highest_lift"] == pytest.approx(float(max(lifts)))
    lacking = [[whole[v] for v in whole if v not in belief] for belief in found]
    assert details["people_with_values_ruled_out"] == sum(map(bool, lacking))
    ruled_out = max((p for lacks in lacking for p in lacks), default=Fraction(0))
    assert details["highest_prior_ruled_out"] == pytest.approx(float(ruled_out))
    assert details["posterior"] - details["prior"] == pytest.approx(
        float(max(adversaries.skewness_gain(release.rows, release.qid, "s", release.bucket)))
    )


@given(releases(shapes=["raw", "full-domain", "cell"]))
def test_the_gain_is_at_most_t(release: RandomRelease) -> None:
    whole = shares(row["s"] for row in release.rows)
    far = [
        sum(
            abs(shares(row["s"] for row in group).get(v, Fraction(0)) - p) for v, p in whole.items()
        )
        for group in groups(release.rows, release.qid).values()
    ]
    assert Skewness().run(target_of(release)).highest <= float(max(far)) / 2 + 1e-12


def test_a_table_that_keeps_t_closeness_withstands() -> None:
    told = skewed(5, 100)
    groups_ = told.counted([("ill",)]).finest
    for t, n_fallen in (("0.45", 0), ("0.44", 10)):
        assert TCloseness(t, sensitive="ill").holds(groups_) == (n_fallen == 0)
        assert Skewness(limit=t).run(told).n_fallen == n_fallen


def test_diversity_does_not_help() -> None:
    outcome = Skewness(limit="0.48").run(skewed(1, 100))
    assert outcome.n_fallen == 2
    assert outcome.victims[0].who == {"job": "cook"}
    assert outcome.victims[0].learned == {"ill": "HIV"}


def test_an_empty_release_has_no_victims() -> None:
    outcome = Skewness().run(target({"job": [], "ill": []}, "job", "ill"))
    assert (outcome.n_attacked, outcome.n_fallen, outcome.highest) == (0, 0, 0.0)
    assert outcome.details["value"] is None


def test_refusals() -> None:
    told = skewed(1, 10)
    with pytest.raises(SchemaError, match="no sensitive column 'pay' among 1"):
        Skewness("pay").run(told)
    with pytest.raises(UnsupportedError, match="values were replaced"):
        Skewness().run(evolve(told, is_truthful=False, is_grouped=False))
    with pytest.raises(ParameterError, match=r"limit must lie in \(0, 1\]"):
        Skewness(limit=2)
    assert Skewness("ill", limit="0.5").run(told).found == (
        "Nobody falls: what a person shows makes a value of 'ill' more likely than it is for "
        "everybody by 0.4 at most."
    )
