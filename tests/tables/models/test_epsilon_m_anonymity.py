"""(epsilon,m)-anonymity: Table 2.6, the definition, both intervals, what follows."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from tests.tables.groups.numeric import NUMBERS, Row, groups_of_numbers, number_rows
from tests.tables.groups.plain import groups_of
from tests.tables.models.counting import case_groups, counted
from tests.witness import models
from unlinkable.errors import ParameterError, SchemaError
from unlinkable.tables.data import as_table
from unlinkable.tables.engines import count
from unlinkable.tables.models import EpsilonMAnonymity, FrequencyLDiversity, Interval, KEAnonymity
from unlinkable.tables.models.base import BindingContext, Merging
from unlinkable.typing import FloatArray

EPSILONS = [Fraction(0), Fraction(1, 5), Fraction(1, 2), Fraction("0.9"), Fraction(3, 2), 9]


def smallest_m(rows: list[Row], epsilon: Fraction, *, relative: bool) -> Fraction:
    """The definition; a missing value is close to missing values alone."""
    levels = []
    for group in models.groups(rows, ["g"]).values():
        values = [None if row["s"] is None else Fraction(str(row["s"])) for row in group]
        for s in values:
            reach = abs(s or Fraction(0)) * epsilon if relative else epsilon
            near = [v for v in values if v is s or (v is not None and is_near(v, s, reach))]
            levels.append(Fraction(len(values), len(near)))
    return min(levels)


def is_near(x: Fraction, s: Fraction | None, reach: Fraction) -> bool:
    return s is not None and s - reach <= x <= s + reach


def levels(promise: EpsilonMAnonymity, *groups: list[object]) -> FloatArray:
    return promise.level(groups_of_numbers(groups))


def test_the_intervals_of_table_2_6() -> None:
    case = cases.load("book-ch02-table2.6-k-e-anonymity-proximity")
    given_, expected = case["input"], case["expected"]["epsilon_m"]
    for text, found in expected.items():
        epsilon, m = int(text.removeprefix("epsilon=")), found["largest_integer_m"]
        promise = EpsilonMAnonymity(epsilon, m, sensitive=given_["sensitive"])
        groups = case_groups(given_["table"], given_["qid"], promise)
        assert promise.holds(groups)
        assert 1 / (promise.verdict(groups).level or 0) == pytest.approx(found["max_prob"])
        assert not EpsilonMAnonymity(epsilon, m + 1, sensitive=given_["sensitive"]).holds(groups)


def test_the_proximity_attack_on_table_2_6_is_told() -> None:
    case = cases.load("book-ch02-table2.6-k-e-anonymity-proximity")["input"]
    promise = EpsilonMAnonymity(5, 2, sensitive=case["sensitive"])
    verdict = promise.verdict(case_groups(case["table"], case["qid"], promise))
    assert verdict.why == (
        "9 of 10 records have Salary from 30 to 35, within 5 of 30, and at most 1 in 2 may"
    )


@given(
    number_rows(n_quasi=0),
    st.sampled_from(EPSILONS),
    st.fractions(1, 4, max_denominator=6),
    st.booleans(),
)
def test_says_what_the_definition_says(
    rows: list[Row], epsilon: Fraction, m: Fraction, relative: bool
) -> None:
    interval = Interval.RELATIVE if relative else Interval.ABSOLUTE
    promise = EpsilonMAnonymity(epsilon, m, sensitive="s", interval=interval)
    verdict = promise.verdict(counted(rows, ["g"], promise))
    reached = smallest_m(rows, epsilon, relative=relative)
    assert verdict.holds is (reached >= m)
    assert verdict.level == pytest.approx(float(reached))


def test_the_ends_of_an_interval_belong_to_it_as_they_are_written() -> None:
    assert 0.3 - 0.1 < 0.2
    assert levels(EpsilonMAnonymity(0.2, 2, sensitive="s"), [0.1, 0.3]).tolist() == [1.0]
    below = EpsilonMAnonymity("0.19999999999999999999", 2, sensitive="s")
    assert levels(below, [0.1, 0.3]).tolist() == [2.0]


def test_a_share_of_exactly_one_in_m_is_allowed() -> None:
    groups = groups_of_numbers([[1, 1, 1, 10, 20, 30, 40, 50, 60]])
    assert EpsilonMAnonymity(1, 3, sensitive="s").holds(groups)
    assert not EpsilonMAnonymity(1, "3.0000000000000000001", sensitive="s").holds(groups)


def test_a_relative_interval_around_negative_numbers_is_turned_round() -> None:
    promise = EpsilonMAnonymity(0.1, 2, sensitive="s", interval="relative")
    assert levels(promise, [-100, -110], [100, 110], [100, 112], [-100, -112]).tolist() == [
        1.0,
        1.0,
        2.0,
        2.0,
    ]
    assert levels(promise, [0, 0, 1, -1]).tolist() == [2.0]


def test_a_relative_interval_may_reach_beyond_zero() -> None:
    wide = EpsilonMAnonymity(3, 2, sensitive="s", interval="relative")
    assert levels(wide, [-20, 1, 10]).tolist() == [1.0]
    assert levels(wide, [1, 10, 41]).tolist() == [1.0]


@pytest.mark.parametrize("interval", list(Interval))
def test_numbers_that_take_more_than_64_bits(interval: Interval) -> None:
    promise = EpsilonMAnonymity(Fraction(1, 10**30), 2, sensitive="s", interval=interval)
    assert levels(promise, [-(2**63), 2**63 - 1, 0]).tolist() == [3.0]
    vast = EpsilonMAnonymity(10**40, 2, sensitive="s", interval=interval)
    assert levels(vast, [-(2**63), 2**63 - 1, 1]).tolist() == [1.0]
    assert levels(vast, [-5, 5, 1]).tolist() == [1.0]


def test_dates_are_close_if_they_are_few_days_apart() -> None:
    groups = groups_of_numbers([[date(2024, 2, 28), date(2024, 3, 1), date(2024, 4, 1)]])
    promise = EpsilonMAnonymity(2, 2, sensitive="s")
    assert promise.verdict(groups).why == (
        "2 of 3 records have s from 2024-02-28 to 2024-03-01, within 2 days of 2024-02-28, and at "
        "most 1 in 2 may"
    )
    assert EpsilonMAnonymity(1, 3, sensitive="s").holds(groups)
    with pytest.raises(SchemaError, match="'s' holds dates, which have no zero: use an absolute"):
        EpsilonMAnonymity(0.1, 2, sensitive="s", interval="relative").judge(groups)


def test_missing_values_are_close_to_each_other() -> None:
    groups = groups_of_numbers([[None, None, 1, 9]])
    verdict = EpsilonMAnonymity(1, 3, sensitive="s").verdict(groups)
    assert verdict.why == "2 of 4 records have no s, and at most 1 in 3 may"
    assert verdict.level == 2.0


def test_one_value_alone_is_told() -> None:
    relative = EpsilonMAnonymity("0.05", 3, sensitive="s", interval="relative")
    assert relative.verdict(groups_of_numbers([[7, 7, 9]])).why == (
        "2 of 3 records have s 7, within 5 % of 7, and at most 1 in 3 may"
    )


def test_merging_is_unsafe_unless_equal_values_are_counted() -> None:
    assert EpsilonMAnonymity(1, 2).merging is Merging.UNSAFE
    assert EpsilonMAnonymity(0, 2).merging is Merging.SAFE


@given(
    st.lists(st.one_of(st.none(), *map(st.just, NUMBERS)), min_size=1, max_size=10),
    st.sampled_from(EPSILONS),
    st.fractions(1, 4, max_denominator=4),
    st.sampled_from(list(Interval)),
)
def test_what_is_said_to_follow_follows(
    values: list[float | None], epsilon: Fraction, m: Fraction, interval: Interval
) -> None:
    promise = EpsilonMAnonymity(epsilon, m, sensitive="s", interval=interval)
    groups = groups_of_numbers([values])
    if promise.holds(groups):
        assert all(other.holds(groups) for other in promise.consequences())


def test_what_follows() -> None:
    promise = EpsilonMAnonymity(5, "5/2", sensitive="s")
    assert promise.consequences() == (
        FrequencyLDiversity("5/2", sensitive="s"),
        KEAnonymity(3, 5, sensitive="s"),
    )
    relative = EpsilonMAnonymity(5, 2, sensitive="s", interval="relative")
    assert relative.consequences() == (FrequencyLDiversity(2, sensitive="s"),)


def test_covers_what_asks_for_no_more() -> None:
    promise = EpsilonMAnonymity(5, 3, sensitive="s")
    assert promise.covers(EpsilonMAnonymity(4, 3, sensitive="s"))
    assert promise.covers(EpsilonMAnonymity(5, 2, sensitive="s"))
    assert promise.covers(EpsilonMAnonymity(0, 3, sensitive="s", interval="relative"))
    assert not promise.covers(EpsilonMAnonymity(6, 2, sensitive="s"))
    assert not promise.covers(EpsilonMAnonymity(5, 4, sensitive="s"))
    assert not promise.covers(EpsilonMAnonymity(4, 3, sensitive="t"))
    assert not promise.covers(EpsilonMAnonymity(4, 3, sensitive="s", interval="relative"))
    assert not promise.covers(FrequencyLDiversity(3, sensitive="s"))


def test_asks_for_less_by_a_half() -> None:
    assert EpsilonMAnonymity(1, 2).weaker() == EpsilonMAnonymity(1, 1.5)
    assert EpsilonMAnonymity(1, 1.5).weaker() is None


def test_explains_that_the_whole_table_is_too_crowded() -> None:
    promise = EpsilonMAnonymity(1, 2, sensitive="s")
    assert promise.explain_failure(groups_of_numbers([[1, 2], [2, 9]])) == (
        "in all 4 records together, 3 of 4 records have s from 1 to 2, within 1 of 1, and at most "
        "1 in 2 may: ask for m of at most 1.33333, or for a smaller epsilon"
    )


def test_is_bound_and_written() -> None:
    promise = EpsilonMAnonymity("1/3", 2, interval="relative")
    (bound,) = promise.bind(BindingContext(sensitive=("s",)))
    assert str(bound) == (
        'epsilon-m-anonymity(epsilon="1/3", m=2, sensitive="s", interval="relative")'
    )


def test_categories_are_refused() -> None:
    with pytest.raises(SchemaError, match=r"is about numbers or dates, and 's' holds categories"):
        EpsilonMAnonymity(1, 2, sensitive="s").judge(groups_of([[1, 2]]))


@pytest.mark.parametrize(
    ("epsilon", "m", "interval", "message"),
    [
        (-1, 2, "absolute", "epsilon must be at least 0, got -1"),
        (1, 0.5, "absolute", "m must be at least 1, got 1/2"),
        (1, 2, "relativ", r"no interval 'relativ' among 2 \(did you mean 'relative'\?\)"),
    ],
)
def test_refuses_what_means_nothing(epsilon: float, m: float, interval: str, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        EpsilonMAnonymity(epsilon, m, interval=interval)


def test_numbers_that_are_very_far_apart_may_still_be_close_enough() -> None:
    pays = [-4 * 10**18, 5 * 10**18]
    table = as_table({"job": ["cook"] * 2, "pay": pays}, quasi="job", sensitive="pay")
    far = EpsilonMAnonymity(10**20, 2, sensitive="pay")
    assert far.judge(count(table, far.needs()).finest).tolist() == [False]
    near = EpsilonMAnonymity(10**18, 2, sensitive="pay")
    assert near.judge(count(table, near.needs()).finest).tolist() == [True]
