"""delta-disclosure: against the definition, exactly at the bound, and where values are absent."""

from __future__ import annotations

import math
from decimal import Context, Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import finest_of, groups_of
from tests.witness import closeness
from unlinkable.errors import ParameterError
from unlinkable.tables.models import BetaLikeness, DeltaDisclosure, TCloseness
from unlinkable.tables.models.base import Merging

DELTAS = st.fractions(Fraction(1, 20), 4, max_denominator=20)


@given(tables(max_records=20, max_qid=1, max_leaves=2, max_sensitive=1), DELTAS)
def test_says_what_the_definition_says(random: RandomTable, delta: Fraction) -> None:
    level = closeness.delta_disclosure(random.rows, random.qid, "s0")
    verdict = DeltaDisclosure(delta, sensitive="s0").verdict(finest_of(random))
    assert verdict.holds is (level is None or level < delta)
    if level is None:
        assert verdict.level is None
    else:
        assert verdict.level == pytest.approx(level, abs=1e-12)


@pytest.mark.parametrize("digits", [9, 10, 11])
def test_the_bound_is_told_from_its_neighbours(digits: int) -> None:
    n = 10**digits
    much = int(Context(prec=40).exp(Decimal("0.2")).scaleb(digits))
    groups = groups_of([[much, 10 * n - much], [much + 1, 10 * n - much - 1]], whole=[n, 9 * n])
    assert DeltaDisclosure("0.2", sensitive="s").judge(groups).tolist() == [True, False]
    little = int(Context(prec=40).exp(Decimal("-0.2")).scaleb(digits))
    groups = groups_of(
        [[little, 10 * n - little], [little + 1, 10 * n - little - 1]], whole=[n, 9 * n]
    )
    assert DeltaDisclosure("0.2", sensitive="s").judge(groups).tolist() == [False, True]


def test_ratios_above_and_below_1_count_alike() -> None:
    groups = groups_of([[2, 8], [8, 2]], whole=[4, 4])
    low, high = DeltaDisclosure(1, sensitive="s").level(groups).tolist()
    assert low == high == pytest.approx(math.log(5 / 2))


def test_a_group_that_lacks_a_value_breaks_every_bound() -> None:
    groups = groups_of([[1, 1, 0], [5, 5, 1]])
    promise = DeltaDisclosure(10**6, sensitive="s")
    assert promise.judge(groups).tolist() == [False, True]
    assert promise.level(groups)[0] == math.inf
    # Values of the taxonomy that nobody in the table has do not count.
    assert promise.judge(groups_of([[1, 1, 0], [2, 3, 0]])).tolist() == [True, True]


def test_values_that_the_table_lacks_are_never_near() -> None:
    groups = groups_of([[1, 1]], whole=[2, 0])
    assert DeltaDisclosure(100, sensitive="s").judge(groups).tolist() == [False]
    assert DeltaDisclosure(100, sensitive="s").level(groups).tolist() == [math.inf]


def test_equal_shares_disclose_nothing() -> None:
    groups = groups_of([[1, 2], [2, 4]])
    promise = DeltaDisclosure(Fraction(1, 10**30), sensitive="s")
    assert promise.holds(groups)
    assert promise.verdict(groups).level == 0.0


def test_merges_safely_and_compares_with_the_whole_table() -> None:
    promise = DeltaDisclosure(1, sensitive="s")
    assert promise.merging is Merging.SAFE
    assert promise.local
    assert promise.relative


def test_loses_groups_that_lack_a_value_which_stays() -> None:
    groups = groups_of([[3, 0], [3, 2]])
    promise = DeltaDisclosure(5, sensitive="s")
    assert promise.least_suppressed(groups, 0).tolist() == [3, 0]
    assert promise.least_suppressed(groups, 1).tolist() == [3, 0]
    # With two records less, nobody may be left who has the second value.
    assert promise.least_suppressed(groups, 2).tolist() == [0, 0]
    narrow = DeltaDisclosure("0.2", sensitive="s")
    assert narrow.least_suppressed(groups_of([[6, 2], [2, 6]]), 0).tolist() == [3, 3]


@given(tables(max_records=20, max_qid=1, max_leaves=2, min_records=1), DELTAS)
def test_what_follows_is_true(random: RandomTable, delta: Fraction) -> None:
    groups = finest_of(random)
    promise = DeltaDisclosure(delta, sensitive="s0")
    if promise.holds(groups):
        assert all(model.holds(groups) for model in promise.consequences())


def test_says_what_follows_from_it() -> None:
    assert DeltaDisclosure(0.5, sensitive="s").consequences() == (
        BetaLikeness("0.648721271", sensitive="s"),
        TCloseness(0.5, sensitive="s", distance="kl"),
    )
    assert DeltaDisclosure(1000).consequences() == (TCloseness(1000, distance="kl"),)
    assert DeltaDisclosure(0.5).covers(DeltaDisclosure(0.6))
    assert not DeltaDisclosure(0.5).covers(DeltaDisclosure(0.4))


def test_says_what_is_the_matter() -> None:
    groups = groups_of([[3, 1, 0], [1, 19, 4], [4, 2, 2]], whole=[8, 22, 6])
    promise = DeltaDisclosure(0.5, sensitive="s")
    assert promise.witness(groups, 0) == (
        "no record has v02 (s: v00 3, v01 1), which 6 of 36 records have: it is ruled out here"
    )
    assert promise.witness(groups, 1) == (
        "v00 is 0.1875 times as frequent as in all records (s: v01 19, v02 4, v00 1), and more "
        "than 0.6065 times is allowed"
    )
    assert promise.witness(groups, 2) == (
        "v01 is 0.4091 times as frequent as in all records (s: v00 4, v01 2, v02 2), and more than "
        "0.6065 times is allowed"
    )
    assert DeltaDisclosure(0.5, sensitive="s").witness(groups_of([[4, 3], [1, 3]]), 1) == (
        "v00 is 0.55 times as frequent as in all records (s: v01 3, v00 1), and more than 0.6065 "
        "times is allowed"
    )
    assert "v00 is 1.5 times as frequent as in all records" in promise.witness(
        groups_of([[3, 5]], whole=[2, 6]), 0
    )


def test_asks_for_less_by_a_quarter() -> None:
    assert DeltaDisclosure(0.5).weaker() == DeltaDisclosure(0.75)


def test_is_written_as_it_is_read() -> None:
    assert (
        str(DeltaDisclosure("2/3", sensitive="s")) == 'delta-disclosure(delta="2/3", sensitive="s")'
    )


@pytest.mark.parametrize("delta", [0, -1])
def test_refuses_bounds_that_nothing_keeps(delta: int) -> None:
    with pytest.raises(ParameterError, match=f"delta must be greater than 0, got {delta}"):
        DeltaDisclosure(delta)
