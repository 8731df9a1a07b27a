"""(X,Y)-anonymity: the book's patients, the definition, and what covers what."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import unlinkable as ul
from tests import cases
from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import groups_of
from tests.tables.models.counting import case_groups, counted, seen_by
from tests.witness import models
from unlinkable.errors import ParameterError, SchemaError
from unlinkable.tables.models import DistinctLDiversity, KAnonymity, XYAnonymity
from unlinkable.tables.models.base import Merging


def test_examples_2_4_and_2_5_count_patients_and_diseases() -> None:
    case = cases.load("book-ch02-ex2.4-2.5-xy-anonymity-inpatient")
    given, expected = case["input"], case["expected"]
    for y, least in [("Pid", expected["A_Pid(X)"]), ("Disease", expected["A_Disease(X)"])]:
        promise = XYAnonymity(1, y=y, x=given["X"])
        groups = case_groups(given["table"], given["X"], promise)
        assert promise.verdict(groups).achieved == {"k": least}
    for asked, holds in expected["satisfies_XY_anonymity"].items():
        y, k = (text.split("=")[1] for text in asked.split(","))
        promise = XYAnonymity(int(k), y=y)
        assert promise.holds(case_groups(given["table"], given["X"], promise)) is holds


def test_example_9_2_six_records_are_two_patients() -> None:
    case = cases.load("book-ch09-ex9.2-xy-anonymity-per-patient")
    given, expected = case["input"], case["expected"]["computed"]
    patients, tests = XYAnonymity(1, y="Pid"), XYAnonymity(1, y="Test")
    groups = case_groups(given["Inpatient"], given["X"], patients, tests)
    assert patients.verdict(groups).level == expected["A_Y(X)_with_Y=Pid"]
    assert tests.verdict(groups).level == expected["A_Y(X)_with_Y=Test"]
    assert KAnonymity(1).verdict(groups).level == expected["records_per_X_group"]


def test_example_9_3_has_two_tests() -> None:
    case = cases.load("book-ch09-ex9.3-linkability")
    promise = XYAnonymity(1, y=case["input"]["Y"], x=case["input"]["X"])
    groups = case_groups(case["input"]["records"], case["input"]["X"], promise)
    assert promise.verdict(groups).level == case["expected"]["computed"]["A_Y(X)"]


@given(tables(), st.integers(1, 4), st.data())
def test_says_what_the_definition_says(random: RandomTable, k: int, data: st.DataObject) -> None:
    some = st.lists(st.sampled_from(random.qid), min_size=1, unique=True)
    x = data.draw(st.none() | some)
    others = [*random.sensitive, *([random.owner] if random.owner else [])]
    y = data.draw(st.lists(st.sampled_from(others), min_size=1, unique=True))
    promise = XYAnonymity(k, y=y, x=x)
    verdict = promise.verdict(seen_by(random, promise))
    found = [
        len({tuple(row[c] for c in y) for row in group})
        for group in models.groups(random.rows, x or random.qid).values()
    ]
    assert verdict.level == min(found, default=None)
    assert verdict.holds is all(n >= k for n in found)


def test_absorbs_and_tells_how_many_values_there_are() -> None:
    promise = XYAnonymity(3, y="s")
    assert promise.merging is Merging.ABSORBS
    groups = groups_of([[3, 1, 0], [1, 1, 1]])
    assert promise.judge(groups).tolist() == [False, True]
    assert promise.least_suppressed(groups, 9).tolist() == [4, 0]
    assert promise.witness(groups, 0) == (
        "2 different values on 's' here, and there must be at least 3"
    )


def test_different_values_belong_to_different_records() -> None:
    assert XYAnonymity(3, y="s").consequences() == (
        DistinctLDiversity(3, sensitive="s"),
        KAnonymity(3),
    )
    assert XYAnonymity(3, y="s", x="a").consequences() == (KAnonymity(3, qid="a"),)
    assert XYAnonymity(3, y=["s", "t"]).consequences() == (KAnonymity(3),)


def test_corollary_9_1_more_known_columns_and_fewer_counted_ones_cover() -> None:
    promise = XYAnonymity(3, y=["s"], x=["a", "b"])
    assert promise.covers(XYAnonymity(2, y=["s", "t"], x=["a"]))
    assert not promise.covers(XYAnonymity(4, y=["s"], x=["a"]))
    assert not promise.covers(XYAnonymity(3, y=["t"], x=["a"]))
    assert not promise.covers(XYAnonymity(3, y=["s"], x=["c"]))
    assert not promise.covers(XYAnonymity(3, y=["s"]))
    assert XYAnonymity(3, y=["s"]).covers(promise)
    assert not promise.covers(KAnonymity(3))


@given(tables(), st.data())
def test_what_is_covered_holds(random: RandomTable, data: st.DataObject) -> None:
    subset = st.lists(st.sampled_from(random.qid), min_size=1, unique=True)
    hidden = st.lists(st.sampled_from(random.sensitive), min_size=1, unique=True)
    one, other = (
        XYAnonymity(
            data.draw(st.integers(1, 4)),
            y=data.draw(hidden),
            x=data.draw(st.none() | subset),
        )
        for _ in range(2)
    )
    groups = seen_by(random, one, other)
    if one.covers(other) and one.holds(groups):
        assert other.holds(groups)


def test_a_search_keeps_it_by_owner() -> None:
    visits = ul.as_table(
        {"age": [30, 30, 31, 40], "who": ["a", "a", "b", "c"]}, quasi="age", owner="who"
    )
    release = ul.anonymize(visits, privacy=XYAnonymity(2, y="who"), suppression=Fraction(1, 2))
    assert release.holds
    assert release.finding.verdicts[0].achieved == {"k": 3}


def test_asks_for_less_by_one_down_to_two() -> None:
    assert XYAnonymity(3, y="s").weaker() == XYAnonymity(2, y="s")
    assert XYAnonymity(2, y="s").weaker() is None


def test_explains_that_there_are_too_few_values() -> None:
    assert XYAnonymity(4, y="s").explain_failure(groups_of([[1, 2, 0, 0], [0, 1, 1, 0]])) == (
        'xy-anonymity(k=4, y=["s"]) needs 4 different values, and all 5 records together have 3: '
        "ask for k of at most 3"
    )


def test_refuses_what_means_nothing() -> None:
    with pytest.raises(ParameterError, match="k must be at least 1, got 0"):
        XYAnonymity(0, y="s")
    with pytest.raises(SchemaError, match="needs the values of 's', 't', which were not counted"):
        XYAnonymity(2, y=["s", "t"]).judge(counted([{"q": 1, "s": 2}], ["q"]))
