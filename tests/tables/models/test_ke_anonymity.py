"""(k,e)-anonymity: Table 2.6, the definition, dates and missing values."""

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
from unlinkable.tables.models import DistinctLDiversity, KEAnonymity
from unlinkable.tables.models.base import BindingContext, Merging
from unlinkable.tables.models.shared.implication import implied


def is_ke_anonymous(rows: list[Row], k: int, e: Fraction) -> bool:
    """The definition; a missing value is one of the k, and no number."""
    for group in models.groups(rows, ["g"]).values():
        values = [row["s"] for row in group]
        numbers = [Fraction(str(v)) for v in values if v is not None]
        span = max(numbers) - min(numbers) if numbers else Fraction(0)
        if len(set(values)) < k or span < e:
            return False
    return True


def test_table_2_6_is_7_50_anonymous_and_no_more() -> None:
    case = cases.load("book-ch02-table2.6-k-e-anonymity-proximity")
    given_, expected = case["input"], case["expected"]
    promise = KEAnonymity(1, 0, sensitive=given_["sensitive"])
    groups = case_groups(given_["table"], given_["qid"], promise)
    reached = promise.verdict(groups).achieved
    assert reached == {"e": expected["range"], "k": expected["distinct_values"]}
    for text, holds in expected["satisfies"].items():
        k, e = (int(part.split("=")[1]) for part in text.split(","))
        assert KEAnonymity(k, e, sensitive=given_["sensitive"]).holds(groups) is holds


@given(
    number_rows(n_quasi=0),
    st.integers(1, 4),
    st.sampled_from([Fraction(0), Fraction(1, 5), Fraction(9, 2), Fraction("9.25"), Fraction(9)]),
)
def test_says_what_the_definition_says(rows: list[Row], k: int, e: Fraction) -> None:
    promise = KEAnonymity(k, e, sensitive="s")
    assert promise.holds(counted(rows, ["g"], promise)) is is_ke_anonymous(rows, k, e)


@given(st.lists(st.sampled_from(NUMBERS), min_size=1), st.lists(st.sampled_from(NUMBERS)))
def test_a_good_group_stays_good_whatever_joins_it(good: list[float], more: list[float]) -> None:
    groups = groups_of_numbers([good, [*good, *more]])
    span = max(map(Fraction, map(str, good))) - min(map(Fraction, map(str, good)))
    promise = KEAnonymity(len(set(good)), span, sensitive="s")
    assert promise.merging is Merging.ABSORBS
    assert promise.judge(groups).all()


def test_a_range_is_compared_as_it_is_written() -> None:
    groups = groups_of_numbers([[0.1, 0.3]])
    assert 0.3 - 0.1 < 0.2
    assert KEAnonymity(2, 0.2, sensitive="s").holds(groups)
    assert not KEAnonymity(2, "0.2000000000000000001", sensitive="s").holds(groups)
    assert KEAnonymity(2, 0.2, sensitive="s").verdict(groups).achieved == {"e": 0.2, "k": 2}


def test_numbers_that_take_more_than_64_bits() -> None:
    groups = groups_of_numbers([[-(2**63), 2**63 - 1], [1, 2]])
    promise = KEAnonymity(2, 2**64 - 1, sensitive="s")
    assert promise.judge(groups).tolist() == [True, False]
    assert KEAnonymity(2, 2**64, sensitive="s").judge(groups).tolist() == [False, False]


def test_dates_are_days_apart() -> None:
    groups = groups_of_numbers([[date(2024, 2, 28), date(2024, 3, 1)]])
    assert KEAnonymity(2, 2, sensitive="s").holds(groups)
    verdict = KEAnonymity(2, 3, sensitive="s").verdict(groups)
    assert verdict.why == (
        "s from 2024-02-28 to 2024-03-01, a range of 2 days, and it must be at least 3 days"
    )


def test_a_missing_value_is_a_value_and_no_number() -> None:
    groups = groups_of_numbers([[1, 5, None], [5, None], [None, None]])
    assert KEAnonymity(2, 0, sensitive="s").judge(groups).tolist() == [True, True, False]
    assert KEAnonymity(3, 4, sensitive="s").judge(groups).tolist() == [True, False, False]
    assert KEAnonymity(1, 1, sensitive="s").level(groups).tolist() == [4, 0, 0]


def test_without_enough_values_no_range_would_do() -> None:
    groups = groups_of_numbers([[1, 5], [1, 3, 5]])
    promise = KEAnonymity(3, 4, sensitive="s")
    assert promise.level(groups).tolist() == [-float("inf"), 4]
    assert promise.verdict(groups).achieved == {"e": 4.0, "k": 2}
    assert promise.verdict(groups).why.startswith("2 different values")


def test_groups_without_records_break_nothing() -> None:
    groups = groups_of_numbers([[1, 5], []])
    assert KEAnonymity(1, 4, sensitive="s").level(groups).tolist() == [4, -float("inf")]


def test_what_follows() -> None:
    strong = KEAnonymity(3, 50, sensitive="s")
    assert DistinctLDiversity(3, sensitive="s") in strong.consequences()
    assert DistinctLDiversity(2, sensitive="s") in KEAnonymity(1, 5, sensitive="s").consequences()
    assert DistinctLDiversity(1, sensitive="s") in KEAnonymity(1, 0, sensitive="s").consequences()
    assert strong.covers(KEAnonymity(2, 50, sensitive="s"))
    assert strong.covers(KEAnonymity(3, 49.5, sensitive="s"))
    assert not strong.covers(KEAnonymity(4, 50, sensitive="s"))
    assert not strong.covers(KEAnonymity(3, 51, sensitive="s"))
    assert not strong.covers(KEAnonymity(3, 50, sensitive="t"))
    assert not strong.covers(DistinctLDiversity(3, sensitive="s"))


def test_two_halves_are_the_whole() -> None:
    many, wide = KEAnonymity(7, 1, sensitive="s"), KEAnonymity(2, 50, sensitive="s")
    (found,) = implied([many, wide, KEAnonymity(7, 50, sensitive="s")])
    assert found.model == KEAnonymity(7, 50, sensitive="s")
    assert set(found.by) == {many, wide}


def test_asks_for_less_range() -> None:
    assert KEAnonymity(3, 10).weaker() == KEAnonymity(3, 8)
    assert KEAnonymity(3, 0).weaker() is None


def test_explains_that_the_whole_table_is_too_narrow() -> None:
    promise = KEAnonymity(4, 20, sensitive="s")
    assert promise.explain_failure(groups_of_numbers([[1.0, 5.0], [1.0, 9.5]])) == (
        "'s' has 3 different values over a range of 8.5 in all 4 records, and every group needs 4 "
        "over 20: ask for k of at most 3 and e of at most 8.5"
    )


def test_is_bound_to_each_sensitive_column() -> None:
    bound = KEAnonymity(2, 5).bind(BindingContext(sensitive=("s", "t")))
    assert bound == (KEAnonymity(2, 5, sensitive="s"), KEAnonymity(2, 5, sensitive="t"))
    assert str(bound[0]) == 'ke-anonymity(k=2, e=5, sensitive="s")'


def test_categories_are_refused() -> None:
    with pytest.raises(SchemaError, match=r"is about numbers or dates, and 's' holds categories"):
        KEAnonymity(2, 5, sensitive="s").judge(groups_of([[1, 2]]))


@pytest.mark.parametrize(
    ("k", "e", "message"),
    [
        (0, 1, "k must be at least 1, got 0"),
        (2, -1, "e must be at least 0, got -1"),
        (2.5, 1, r"k must be a whole number, got 2\.5"),
        (2, "wide", "expected a number or a fraction like 2/3, got 'wide'"),
    ],
)
def test_refuses_what_means_nothing(k: int, e: float, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        KEAnonymity(k, e)
