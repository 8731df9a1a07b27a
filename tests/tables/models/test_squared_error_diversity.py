"""Squared-error diversity: the definition in fractions, what is close, and what follows."""

from __future__ import annotations

import math
from datetime import date
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.groups.numeric import NUMBERS, Row, groups_of_numbers, number_rows
from tests.tables.groups.plain import groups_of
from tests.tables.models.counting import counted
from tests.witness import models
from tests.witness import numbers as witness
from unlinkable.errors import ParameterError, SchemaError
from unlinkable.tables.models import KEAnonymity, SquaredErrorDiversity
from unlinkable.tables.models.base import BindingContext, Merging

Values = list[float | None]


def variance(values: list[Fraction | None]) -> Fraction:
    """The definition; a missing value has no part in the mean, and an error of 0."""
    numbers = [v for v in values if v is not None]
    if not numbers:
        return Fraction(0)
    mean = sum(numbers, Fraction(0)) / len(numbers)
    return sum(((v - mean) ** 2 for v in numbers), Fraction(0)) / len(values)


def exactly(values: list[object]) -> Fraction:
    return variance([None if v is None else Fraction(str(v)) for v in values])


@given(number_rows(n_quasi=0), st.sampled_from(["0", "0.01", "1.5", "5.0625", "7"]))
def test_says_what_the_definition_says(rows: list[Row], v: str) -> None:
    promise = SquaredErrorDiversity(v, sensitive="s")
    groups = models.groups(rows, ["g"]).values()
    reached = min(exactly([row["s"] for row in group]) for group in groups)
    verdict = promise.verdict(counted(rows, ["g"], promise))
    assert verdict.holds is (reached >= Fraction(v))
    assert verdict.level == pytest.approx(float(reached))


@given(number_rows(n_quasi=0, missing=False))
def test_reaches_exactly_what_the_witness_says(rows: list[Row]) -> None:
    reached = witness.variance(rows, ["g"], "s")
    assert reached is not None
    above = reached + Fraction(1, 10**18)
    promise = SquaredErrorDiversity(reached, sensitive="s")
    groups = counted(rows, ["g"], promise)
    assert promise.holds(groups)
    assert not SquaredErrorDiversity(above, sensitive="s").holds(groups)


@given(st.lists(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=4), min_size=1))
def test_numbers_that_take_more_than_64_bits(groups: list[list[int]]) -> None:
    reached = [exactly([*group]) for group in groups]
    bound = sorted(reached)[len(reached) // 2]
    promise = SquaredErrorDiversity(bound, sensitive="s")
    counts = groups_of_numbers(groups)
    assert promise.judge(counts).tolist() == [x >= bound for x in reached]
    assert promise.level(counts).tolist() == pytest.approx(list(map(float, reached)))


def test_a_small_spread_far_from_zero_is_not_lost() -> None:
    groups = groups_of_numbers([[10**15, 10**15 + 2], [10**15 + 1, 10**15 + 1]])
    assert SquaredErrorDiversity(1, sensitive="s").level(groups).tolist() == [1.0, 0.0]
    assert SquaredErrorDiversity(1, sensitive="s").judge(groups).tolist() == [True, False]


def test_the_bound_is_compared_as_it_is_written() -> None:
    groups = groups_of_numbers([[0.1, 0.3]])
    assert SquaredErrorDiversity("0.01", sensitive="s").holds(groups)
    assert not SquaredErrorDiversity("0.01000000000000000001", sensitive="s").holds(groups)


def test_what_is_too_large_for_a_float_is_infinite() -> None:
    groups = groups_of_numbers([[-1.7e308, 1.7e308], [0.5, 0.5]])
    promise = SquaredErrorDiversity(1, sensitive="s")
    assert promise.level(groups).tolist() == [np.inf, 0.0]
    assert promise.judge(groups).tolist() == [True, False]


@given(st.lists(st.lists(st.sampled_from(NUMBERS), min_size=1, max_size=5), min_size=1, max_size=4))
def test_the_whole_scatters_no_less_than_its_parts(groups: list[list[float]]) -> None:
    least = min(exactly([*group]) for group in groups)
    whole = groups_of_numbers([[x for group in groups for x in group]])
    promise = SquaredErrorDiversity(least, sensitive="s")
    assert promise.merging is Merging.SAFE
    assert promise.holds(whole)


def test_a_missing_value_adds_no_error() -> None:
    groups = groups_of_numbers([[0, 2, None, None], [None, None], [0, 2]])
    promise = SquaredErrorDiversity(1, sensitive="s")
    assert promise.level(groups).tolist() == [0.5, 0.0, 1.0]
    assert promise.judge(groups).tolist() == [False, False, True]


def test_nothing_is_asked_of_anybody_with_zero() -> None:
    groups = groups_of_numbers([[7], [None], []])
    assert SquaredErrorDiversity(0, sensitive="s").judge(groups).all()
    assert SquaredErrorDiversity(1, sensitive="s").level(groups).tolist() == [0.0, 0.0, 0.0]


@given(st.lists(st.one_of(st.none(), *map(st.just, NUMBERS)), min_size=1, max_size=8))
def test_the_range_that_is_said_to_follow_follows(values: Values) -> None:
    groups = groups_of_numbers([values])
    promise = SquaredErrorDiversity(exactly([*values]), sensitive="s")
    assert all(other.holds(groups) for other in promise.consequences())


def test_what_follows() -> None:
    assert SquaredErrorDiversity(25, sensitive="s").consequences() == (
        KEAnonymity(2, 10, sensitive="s"),
    )
    (wide,) = SquaredErrorDiversity("1/3", sensitive="s").consequences()
    assert isinstance(wide, KEAnonymity)
    assert wide.e == 1 < 2 * math.sqrt(1 / 3)
    assert SquaredErrorDiversity(0).consequences() == ()


def test_the_worst_group_is_told() -> None:
    groups = groups_of_numbers([[30, 32, 34, 36], [10, 90]])
    assert SquaredErrorDiversity(9, sensitive="s").verdict(groups).why == (
        "a guess at the mean is off by about 2.23607, a variance of 5 (s: 30 1, 32 1, 34 1, 36 1), "
        "and that must be at least 9"
    )
    days = groups_of_numbers([[date(2024, 1, 1), date(2024, 1, 5)]])
    assert SquaredErrorDiversity(4, sensitive="s").holds(days)
    assert "off by about 2 days" in SquaredErrorDiversity(4, sensitive="s").witness(days, 0)


def test_asks_for_less_by_a_fifth() -> None:
    assert SquaredErrorDiversity(10).weaker() == SquaredErrorDiversity(8)
    assert SquaredErrorDiversity(0).weaker() is None


def test_explains_that_the_whole_table_scatters_too_little() -> None:
    promise = SquaredErrorDiversity(9, sensitive="s")
    assert promise.explain_failure(groups_of_numbers([[30, 32], [34, 36]])) == (
        "the variance of 's' in all 4 records together is 5, and some group has never more than "
        "the whole: ask for v of at most 5"
    )


def test_is_bound_and_written() -> None:
    (bound,) = SquaredErrorDiversity(2.5).bind(BindingContext(sensitive=("s",)))
    assert str(bound) == 'squared-error-diversity(v=2.5, sensitive="s")'
    assert bound.covers(SquaredErrorDiversity(2, sensitive="s"))
    assert not bound.covers(SquaredErrorDiversity(3, sensitive="s"))


def test_refuses_what_means_nothing() -> None:
    with pytest.raises(SchemaError, match=r"is about numbers or dates, and 's' holds categories"):
        SquaredErrorDiversity(1, sensitive="s").judge(groups_of([[1, 2]]))
    with pytest.raises(ParameterError, match="v must be at least 0, got -1"):
        SquaredErrorDiversity(-1)
