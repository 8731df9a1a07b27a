"""(alpha,k)-anonymity: the book's table, the definition, listed values, owners."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import unlinkable as ul
from tests import cases
from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import finest_of, groups_of
from tests.tables.models.counting import case_groups
from tests.witness import models
from unlinkable.errors import ParameterError, SchemaError
from unlinkable.tables.models import (
    AlphaKAnonymity,
    FrequencyLDiversity,
    KAnonymity,
    KCAnonymity,
    XYLinkability,
    XYPrivacy,
)
from unlinkable.tables.models.base import BindingContext, Merging


def test_table_2_4_is_3_anonymous_at_three_quarters() -> None:
    case = cases.load("book-ch02-xy-linkability-alpha-k-table2.4")
    given = case["input"]
    for asked, holds in case["expected"]["alpha_k"].items():
        alpha, k = (text.split("=")[1] for text in asked.split(","))
        promise = AlphaKAnonymity(alpha, int(k), sensitive=given["Y"])
        assert promise.holds(case_groups(given["table"], given["X"], promise)) is holds


@given(tables(), st.fractions(Fraction(1, 9), 1, max_denominator=12), st.integers(1, 4), st.data())
def test_says_what_the_definition_says(
    random: RandomTable, alpha: Fraction, k: int, data: st.DataObject
) -> None:
    values = data.draw(
        st.none() | st.lists(st.sampled_from(["s00", "s01", ""]), min_size=1, unique=True)
    )
    holds = True
    for group in models.groups(random.rows, random.qid).values():
        found = [str(row["s0"] or "") for row in group]
        people = len({row[random.owner] for row in group}) if random.owner else len(group)
        asked = found if values is None else values
        holds &= people >= k and all(found.count(v) <= alpha * len(found) for v in asked)
    promise = AlphaKAnonymity(alpha, k, sensitive="s0", values=values)
    verdict = promise.verdict(finest_of(random))
    assert verdict.holds is holds
    assert set(verdict.achieved) <= {"alpha", "k"}


def test_one_bound_is_measured_where_the_other_is_kept() -> None:
    groups = groups_of([[2, 1], [1, 1], [1, 0]])
    promise = AlphaKAnonymity("2/3", 2, sensitive="s")
    assert promise.judge(groups).tolist() == [True, True, False]
    assert promise.level(groups).tolist() == [2 / 3, 1 / 2, float("inf")]
    assert promise.verdict(groups).achieved == {"alpha": 1.0, "k": 1}
    assert promise.least_suppressed(groups, 9).tolist() == [0, 0, 1]


def test_says_which_listed_values_no_record_has() -> None:
    groups = groups_of([[2, 1, 0]])
    promise = AlphaKAnonymity(0.9, 2, sensitive="s", values=["v00", "v02", "v9"])
    assert promise.verdict(groups).reading == "no record has 'v02', 'v9' in 's'"
    assert AlphaKAnonymity(0.9, 2, sensitive="s").verdict(groups).reading == ""


def test_people_are_counted_where_owners_are_known_and_records_for_shares() -> None:
    visits = ul.as_table(
        {"job": ["cook"] * 3, "ill": ["flu", "hiv", "cold"], "who": ["a", "a", "b"]},
        quasi="job",
        sensitive="ill",
        owner="who",
    )
    assert ul.check(visits, AlphaKAnonymity("1/3", 2)).holds
    (verdict,) = ul.check(visits, AlphaKAnonymity("1/3", 3)).verdicts
    assert not verdict.holds
    assert verdict.achieved["k"] == 2
    assert verdict.why == "2 people here, and at least 3 must look alike"


def test_implies_its_parts() -> None:
    assert AlphaKAnonymity(0.4, 3, sensitive="s").consequences() == (
        FrequencyLDiversity("5/2", sensitive="s"),
        KAnonymity(3),
    )
    assert AlphaKAnonymity(0.4, 3, sensitive="s", values="a").consequences() == (
        XYLinkability(0.4, y="s", values="a"),
        KAnonymity(3),
    )
    assert AlphaKAnonymity(0.4, 3).consequences() == (KAnonymity(3),)


def test_covers_what_asks_for_less_of_either_under_any_name() -> None:
    promise = AlphaKAnonymity(0.4, 3, sensitive="s")
    assert promise.covers(AlphaKAnonymity(0.5, 2, sensitive="s"))
    assert promise.covers(AlphaKAnonymity(0.5, 2, sensitive="s", values=["a"]))
    assert promise.covers(KCAnonymity(3, 0.4, sensitive="s"))
    assert promise.covers(XYPrivacy(3, 0.4, y="s", x="q"))
    assert not promise.covers(AlphaKAnonymity(0.5, 4, sensitive="s"))
    assert not promise.covers(AlphaKAnonymity(0.3, 2, sensitive="s"))
    assert not promise.covers(AlphaKAnonymity(0.4, 3, sensitive="t"))


def test_is_bound_to_each_sensitive_column() -> None:
    promise = AlphaKAnonymity(0.4, 3, values=["a"])
    assert promise.bind(BindingContext(sensitive=("s", "t"))) == (
        AlphaKAnonymity(0.4, 3, sensitive="s", values=["a"]),
        AlphaKAnonymity(0.4, 3, sensitive="t", values=["a"]),
    )
    assert promise.merging is Merging.SAFE
    assert str(promise) == 'alpha-k-anonymity(alpha=0.4, k=3, values=["a"])'


def test_a_search_keeps_it_and_a_weaker_one_is_known() -> None:
    people = ul.as_table(
        {"age": [30, 31, 45, 46], "ill": ["flu", "flu", "hiv", "cold"]},
        quasi="age",
        sensitive="ill",
    )
    release = ul.anonymize(people, privacy=AlphaKAnonymity(0.5, 2))
    assert release.holds
    assert AlphaKAnonymity(0.5, 2).weaker() == AlphaKAnonymity(0.55, 2)
    assert AlphaKAnonymity(0.95, 2).weaker() is None


def test_refuses_what_means_nothing() -> None:
    with pytest.raises(ParameterError, match=r"alpha must lie in \(0, 1\], got 0"):
        AlphaKAnonymity(0, 2)
    with pytest.raises(ParameterError, match=r"k must be a whole number, got 2\.0"):
        AlphaKAnonymity(1, 2.0)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match=r"must be a text, got \('a', 'b'\)"):
        AlphaKAnonymity(0.5, 2, values=[["a", "b"]])
    with pytest.raises(SchemaError, match="does not say which sensitive column"):
        AlphaKAnonymity(0.5, 2).judge(groups_of([[1]]))
