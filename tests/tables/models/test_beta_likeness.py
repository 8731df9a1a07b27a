"""beta-likeness: both forms, against the definition, and exactly at the bound."""

from __future__ import annotations

import math
from decimal import Context, Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import finest_of, groups_of
from tests.witness import closeness
from unlinkable.errors import ParameterError
from unlinkable.tables.models import BetaLikeness, TCloseness
from unlinkable.tables.models.base import Merging


def test_a_belief_of_one_in_a_hundred_becomes_one_in_two() -> None:
    case = cases.load("aggarwal-skew-hiv-1-99")["expected"]
    groups = groups_of([[1, 1]], whole=[1, 99])
    gain = int(case["belief_gain_ratio"]) - 1
    assert BetaLikeness(1, sensitive="s").level(groups).tolist() == [gain]
    assert BetaLikeness(gain, sensitive="s").holds(groups)
    assert not BetaLikeness(gain - Fraction(1, 10**30), sensitive="s").holds(groups)


@given(tables(max_records=16), st.fractions(0, 4, max_denominator=12), st.booleans())
def test_says_what_the_definition_says(random: RandomTable, beta: Fraction, enhanced: bool) -> None:
    level = closeness.beta_likeness(random.rows, random.qid, "s0", enhanced=enhanced)
    promise = BetaLikeness(beta, sensitive="s0", enhanced=enhanced)
    verdict = promise.verdict(finest_of(random))
    assert verdict.holds is (level is None or level <= beta)
    if level is None:
        assert verdict.level is None
    else:
        assert verdict.level == pytest.approx(float(level))


@given(
    st.lists(st.integers(0, 5), min_size=3, max_size=3).filter(any),
    st.sampled_from([1, 10**10]),
)
def test_the_bound_is_met_by_equality(row: list[int], scale: int) -> None:
    whole = [9, 5, 7]
    gain = max(Fraction(c * 21, w * sum(row)) for c, w in zip(row, whole, strict=True)) - 1
    groups = groups_of([[c * scale for c in row]], whole=[w * scale for w in whole])
    assert BetaLikeness(gain, sensitive="s").holds(groups)
    if gain:
        assert not BetaLikeness(gain * (1 - Fraction(1, 10**30)), sensitive="s").holds(groups)


@pytest.mark.parametrize("digits", [9, 10, 11])
def test_a_logarithm_is_told_from_its_neighbours(digits: int) -> None:
    # A value that half of all have may gain ln 2: of n records, n (1 + ln 2) / 2 may have it.
    n = 2 * 10**digits
    most = int(Context(prec=40).ln(Decimal(2)).scaleb(digits)) + 10**digits
    promise = BetaLikeness(10, sensitive="s", enhanced=True)
    groups = groups_of([[most, n - most], [most + 1, n - most - 1]], whole=[n, n])
    assert promise.judge(groups).tolist() == [True, False]
    assert np.isclose(promise.level(groups)[0], math.log(2))
    assert promise.level(groups)[1] == math.inf


def test_the_enhanced_form_lets_nobody_be_sure() -> None:
    groups = groups_of([[1, 0], [0, 9]], whole=[1, 9])
    assert BetaLikeness(9, sensitive="s").judge(groups).tolist() == [True, True]
    enhanced = BetaLikeness(9, sensitive="s", enhanced=True)
    assert enhanced.judge(groups).tolist() == [False, False]
    assert enhanced.level(groups).tolist() == [math.inf, math.inf]


def test_a_table_of_one_value_gains_nothing() -> None:
    groups = groups_of([[3], [4]])
    for enhanced in (False, True):
        assert BetaLikeness(0, sensitive="s", enhanced=enhanced).holds(groups)


def test_values_that_the_table_lacks_are_never_near() -> None:
    groups = groups_of([[1, 1]], whole=[2, 0])
    for enhanced in (False, True):
        promise = BetaLikeness(10**9, sensitive="s", enhanced=enhanced)
        assert promise.judge(groups).tolist() == [False]
        assert promise.level(groups).tolist() == [math.inf]


def test_no_groups_have_no_gains() -> None:
    groups = groups_of([[1, 1]]).select(np.array([False]))
    for enhanced in (False, True):
        promise = BetaLikeness(1, sensitive="s", enhanced=enhanced)
        assert promise.judge(groups.alone()).size == 0
        assert promise.level(groups.alone()).size == 0


def test_merges_safely_and_compares_with_the_whole_table() -> None:
    promise = BetaLikeness(1, sensitive="s")
    assert promise.merging is Merging.SAFE
    assert promise.local
    assert promise.relative


def test_loses_what_it_has_too_much_of() -> None:
    groups = groups_of([[4, 2, 2], [2, 4, 4]], whole=[6, 6, 6])
    # At most half of a group may have a value that a third of all have.
    assert BetaLikeness(0.5, sensitive="s").least_suppressed(groups, 0).tolist() == [0, 0]
    # At most two fifths: of [4, 2, 2] two must go, and of [2, 4, 4] none.
    assert BetaLikeness(0.2, sensitive="s").least_suppressed(groups, 0).tolist() == [2, 0]
    assert BetaLikeness(0.2, sensitive="s").least_suppressed(groups, 18).tolist() == [0, 0]


@given(tables(max_records=16, min_records=1), st.fractions(0, 3, max_denominator=6))
def test_what_follows_is_true(random: RandomTable, beta: Fraction) -> None:
    groups = finest_of(random)
    promise = BetaLikeness(beta, sensitive="s0")
    if promise.holds(groups):
        assert all(model.holds(groups) for model in promise.consequences())


def test_says_what_follows_from_it() -> None:
    near, learned = BetaLikeness(1, sensitive="s").consequences()
    assert near == TCloseness("1/2", sensitive="s")
    assert learned == TCloseness("0.693147181", sensitive="s", distance="kl")


def test_the_enhanced_form_covers_the_basic_one() -> None:
    basic, enhanced = BetaLikeness(1, sensitive="s"), BetaLikeness(1, sensitive="s", enhanced=True)
    assert enhanced.covers(basic)
    assert enhanced.covers(BetaLikeness(2, sensitive="s", enhanced=True))
    assert not basic.covers(enhanced)
    assert not basic.covers(BetaLikeness(0.5, sensitive="s"))
    assert not basic.covers(BetaLikeness(1, sensitive="z"))
    assert not basic.covers(TCloseness(1, sensitive="s"))


def test_says_what_is_the_matter() -> None:
    groups = groups_of([[9, 1], [1, 1]], whole=[10, 90])
    assert BetaLikeness(2, sensitive="s").witness(groups, 1) == (
        "v00, which 10 of 100 records have, is 5 times as frequent here (s: v00 1, v01 1), and at "
        "most 3 times is allowed"
    )
    assert BetaLikeness(2, sensitive="s", enhanced=True).witness(groups, 0) == (
        "v00, which 10 of 100 records have, is 9 times as frequent here (s: v00 9, v01 1), and at "
        "most 3 times, and 1 - ln q times where a share q of all have a value, is allowed"
    )


def test_asks_for_less_by_a_half() -> None:
    assert BetaLikeness(1, enhanced=True).weaker() == BetaLikeness(1.5, enhanced=True)


def test_is_written_as_it_is_read() -> None:
    assert str(BetaLikeness("1/3", enhanced=True)) == 'beta-likeness(beta="1/3", enhanced=true)'


def test_refuses_gains_below_0() -> None:
    with pytest.raises(ParameterError, match="beta must be at least 0, got -1"):
        BetaLikeness(-1)
