"""Recursive (c,l)-diversity: worked examples, the definition, and equality at the bound."""

from __future__ import annotations

from fractions import Fraction
from math import inf, isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import finest_of, groups_of
from tests.witness import models
from unlinkable.errors import ParameterError
from unlinkable.tables.models import RecursiveCLDiversity
from unlinkable.tables.models.base import Merging

SKEWED = [90, 5, 3, 2]


def test_classes_of_the_thesis() -> None:
    case = cases.load("babu-table2-4-homogeneity")["expected"]
    groups = groups_of([[*c["counts"].values(), 0, 0, 0][:3] for c in case["classes"]])
    for c, l in [(2, 2), (3, 3)]:  # noqa: E741
        good = RecursiveCLDiversity(c=c, l=l, sensitive="s").judge(groups)
        assert good.tolist() == [x["recursive"][f"c={c},l={l}"] for x in case["classes"]]


@given(
    tables(),
    st.fractions(Fraction(1, 5), 6, max_denominator=10),
    st.integers(1, 4),
    st.booleans(),
)
def test_says_what_the_definition_says(
    random: RandomTable,
    c: Fraction,
    l: int,  # noqa: E741
    strict: bool,
) -> None:
    groups = finest_of(random)
    for s in random.sensitive:
        promise = RecursiveCLDiversity(c=c, l=l, sensitive=s, strict=strict)
        assert promise.holds(groups) is models.is_recursive_cl_diverse(
            random.rows, random.qid, s, c, l, strict=strict
        )


@given(st.lists(st.integers(1, 20), min_size=1, max_size=6), st.integers(1, 5))
def test_the_level_is_where_a_group_begins_to_hold(counts: list[int], l: int) -> None:  # noqa: E741
    groups = groups_of([counts])
    (level,) = RecursiveCLDiversity(c=1, l=l, sensitive="s").level(groups)
    if len(counts) < l:
        assert level == inf
        return
    f = sorted(counts, reverse=True)
    at = Fraction(f[0], sum(f[l - 1 :]))
    assert isclose(level, at)
    assert not RecursiveCLDiversity(c=at, l=l, sensitive="s").holds(groups)
    assert RecursiveCLDiversity(c=at, l=l, sensitive="s", strict=False).holds(groups)
    above = at + Fraction(1, 10**20)
    assert RecursiveCLDiversity(c=above, l=l, sensitive="s").holds(groups)


@pytest.mark.parametrize(("l", "c"), [(1, 0.9), (2, 9), (3, 18), (4, 45)])
def test_a_skewed_table_needs_a_large_c(l: int, c: float) -> None:  # noqa: E741
    verdict = RecursiveCLDiversity(c=1, l=l, sensitive="s").verdict(groups_of([SKEWED]))
    assert verdict.achieved == {"c": c}


def test_too_few_values_reach_no_c() -> None:
    verdict = RecursiveCLDiversity(c=100, l=5, sensitive="s").verdict(groups_of([SKEWED]))
    assert not verdict.holds
    assert verdict.level == inf
    assert verdict.achieved == {"c": None}


def test_merging_is_safe_and_does_not_absorb() -> None:
    promise = RecursiveCLDiversity(c=2, l=2, sensitive="s")
    assert promise.merging is Merging.SAFE
    assert promise.judge(groups_of([[1, 1], [6, 1]])).tolist() == [True, False]


def test_asks_for_less_by_doubling_c() -> None:
    assert RecursiveCLDiversity(c=2, l=3).weaker() == RecursiveCLDiversity(c=4, l=3)


@pytest.mark.parametrize(
    ("strict", "c", "limit"), [(True, 2, "more than 3.334"), (False, 2, "at least 3.334")]
)
def test_explains_how_frequent_the_values_are(strict: bool, c: int, limit: str) -> None:
    promise = RecursiveCLDiversity(c=c, l=2, sensitive="s", strict=strict)
    assert promise.explain_failure(groups_of([[6, 3, 0], [4, 0, 0]])) == (
        "the most frequent value of 's' has 10 of 13 records and those from place 2 on have 3, "
        f"which some group never does better than: ask for c of {limit}, or for a smaller l"
    )


def test_explains_that_there_are_too_few_values() -> None:
    promise = RecursiveCLDiversity(c=2, l=3, sensitive="s")
    assert promise.explain_failure(groups_of([[6, 3, 0]])) == (
        "'s' has 2 different values in all 9 records, and every group needs 3: "
        "ask for l of at most 2"
    )


@pytest.mark.parametrize(
    ("c", "l", "message"),
    [(0, 2, "c must be greater than 0, got 0"), (1, 0, "l must be at least 1, got 0")],
)
def test_refuses_what_means_nothing(c: int, l: int, message: str) -> None:  # noqa: E741
    with pytest.raises(ParameterError, match=message):
        RecursiveCLDiversity(c=c, l=l)
