"""Frequency l-diversity: the paper's table, the definition, what follows from it."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import finest_of, groups_of, rows_of_case
from tests.tables.models.counting import counted
from tests.witness import models
from unlinkable.errors import ParameterError, SchemaError
from unlinkable.tables.models import DistinctLDiversity, EntropyLDiversity, FrequencyLDiversity
from unlinkable.tables.models.base import BindingContext, Merging


def by_definition(random: RandomTable, sensitive: str, l: Fraction) -> bool:  # noqa: E741
    """No value more often than |group| / l."""
    for group in models.groups(random.rows, random.qid).values():
        values = [row[sensitive] for row in group]
        if any(values.count(value) > len(group) / l for value in values):
            return False
    return True


def test_the_buckets_of_table_3_are_2_diverse_and_not_3_diverse() -> None:
    case = cases.load("wong-table3-bucketization")
    rows = rows_of_case(case["input"]["table"])
    for bucket, members in case["input"]["groups"].items():
        for at in members:
            rows[at]["bucket"] = bucket
    rows = [{name: row[name] for name in ("bucket", "Disease")} for row in rows]
    for l, holds in case["expected"]["l_diverse"].items():  # noqa: E741
        promise = FrequencyLDiversity(l, sensitive="Disease")
        assert promise.holds(counted(rows, ["bucket"], promise)) is holds


@given(tables(), st.fractions(1, 4, max_denominator=6))
def test_says_what_the_definition_says(random: RandomTable, l: Fraction) -> None:  # noqa: E741
    groups = finest_of(random)
    for s in random.sensitive:
        promise = FrequencyLDiversity(l, sensitive=s)
        verdict = promise.verdict(groups)
        assert verdict.holds is by_definition(random, s, l)
        if random.rows:
            assert verdict.level is not None
            reached = Fraction(verdict.level).limit_denominator(100)
            assert by_definition(random, s, reached)
            assert not by_definition(random, s, reached + Fraction(1, 10_000))


def test_measures_one_in_how_many_have_the_most_frequent_value() -> None:
    promise = FrequencyLDiversity(2, sensitive="s")
    groups = groups_of([[3, 1], [1, 1], [1, 0]])
    assert promise.level(groups).tolist() == [4 / 3, 2, 1]
    assert promise.judge(groups).tolist() == [False, True, False]
    assert promise.verdict(groups).worst == 2
    assert promise.witness(groups, 0) == (
        "'s' is v00 in 3 of 4 records here (0.75), and may be in at most 0.5 of them"
    )


def test_implies_entropy_and_distinct_diversity() -> None:
    assert FrequencyLDiversity("5/2", sensitive="s").consequences()[0] == EntropyLDiversity(
        "5/2", sensitive="s"
    )
    assert (
        DistinctLDiversity(3, sensitive="s")
        in FrequencyLDiversity("5/2", sensitive="s").consequences()
    )
    assert FrequencyLDiversity(2).consequences() == (DistinctLDiversity(2),)


@given(tables(), st.fractions(1, 4, max_denominator=6))
def test_what_is_said_to_follow_does(random: RandomTable, l: Fraction) -> None:  # noqa: E741
    groups = finest_of(random)
    promise = FrequencyLDiversity(l, sensitive="s0")
    if promise.holds(groups):
        assert all(c.holds(groups) for c in promise.consequences())


def test_is_bound_to_each_sensitive_column() -> None:
    assert FrequencyLDiversity(2).bind(BindingContext(sensitive=("a", "b"))) == (
        FrequencyLDiversity(2, sensitive="a"),
        FrequencyLDiversity(2, sensitive="b"),
    )
    assert FrequencyLDiversity(2, sensitive="a").needs() == {("a",)}
    assert FrequencyLDiversity(2).merging is Merging.SAFE
    assert str(FrequencyLDiversity("7/3", sensitive="a")) == (
        'frequency-l-diversity(l="7/3", sensitive="a")'
    )


def test_asks_for_less_by_a_half() -> None:
    assert FrequencyLDiversity(2).weaker() == FrequencyLDiversity("3/2")
    assert FrequencyLDiversity("3/2").weaker() is None


def test_explains_that_a_value_is_too_frequent() -> None:
    promise = FrequencyLDiversity(2, sensitive="s")
    assert promise.explain_failure(groups_of([[3, 0], [0, 1]])) == (
        "the most frequent value of 's' has 3 of all 4 records, and some group never does better "
        "than the whole: ask for l of at most 1.333"
    )


def test_refuses_what_means_nothing() -> None:
    with pytest.raises(ParameterError, match="l must be at least 1, got 1/2"):
        FrequencyLDiversity(0.5)
    with pytest.raises(SchemaError, match="does not say which sensitive column"):
        FrequencyLDiversity(2).judge(groups_of([[1]]))
    with pytest.raises(SchemaError, match="no sensitive column 'z' among 1"):
        FrequencyLDiversity(2, sensitive="z").bind(BindingContext(sensitive=("s",)))
