"""(X,Y)-privacy: the book's table, both ways of counting, the definition."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import groups_of
from tests.tables.models.counting import case_groups, seen_by
from tests.witness import models
from unlinkable.errors import ParameterError
from unlinkable.tables.models import Counting, KAnonymity, XYAnonymity, XYLinkability, XYPrivacy
from unlinkable.tables.models.base import Merging

SHARES = st.fractions(Fraction(1, 9), 1, max_denominator=12)


def test_table_2_4_has_three_records_and_three_quarters() -> None:
    case = cases.load("book-ch02-xy-linkability-alpha-k-table2.4")
    given, expected = case["input"], case["expected"]["XY_privacy"]
    for k in (3, 4):
        promise = XYPrivacy(k, 0.75, y=given["Y"], x=given["X"])
        groups = case_groups(given["table"], given["X"], promise)
        assert promise.holds(groups) is expected[f"k={k},h=0.75"]
        assert promise.verdict(groups).achieved == {"h": 0.75, "k": 3}


@given(tables(), st.integers(1, 4), SHARES, st.sampled_from(Counting), st.data())
def test_says_what_the_definition_says(
    random: RandomTable, k: int, h: Fraction, count: Counting, data: st.DataObject
) -> None:
    x = data.draw(st.none() | st.lists(st.sampled_from(random.qid), min_size=1, unique=True))
    y = random.sensitive
    promise = XYPrivacy(k, h, y=y, x=x, count=count)
    holds = True
    for group in models.groups(random.rows, x or random.qid).values():
        values = [tuple(row[c] for c in y) for row in group]
        people = len({row[random.owner] for row in group}) if random.owner else len(group)
        n = len(set(values)) if count is Counting.DISTINCT else people
        holds &= n >= k and all(values.count(v) <= h * len(values) for v in values)
    groups = seen_by(random, promise)
    assert promise.holds(groups) is promise.verdict(groups).holds is holds


def test_four_records_may_have_two_values() -> None:
    groups = groups_of([[2, 2], [1, 0]])
    assert XYPrivacy(4, 0.5, y="s").judge(groups).tolist() == [True, False]
    assert XYPrivacy(4, 0.5, y="s", count="distinct").judge(groups).tolist() == [False, False]
    assert XYPrivacy(2, 0.5, y="s", count="distinct").judge(groups).tolist() == [True, False]
    assert XYPrivacy(4, 0.5, y="s").level(groups).tolist() == [0.5, float("inf")]


def test_tells_the_parts_that_are_broken() -> None:
    groups = groups_of([[2, 1], [1, 0]])
    promise = XYPrivacy(3, 0.6, y="s")
    assert promise.witness(groups, 0) == (
        "'s' is v00 in 2 of 3 records here (0.6667), and may be in at most 0.6 of them"
    )
    assert promise.witness(groups, 1) == (
        "'s' is v00 in 1 of 1 record here (1), and may be in at most 0.6 of them; "
        "1 record here, and at least 3 must look alike"
    )


def test_is_anonymity_and_linkability_at_once() -> None:
    promise = XYPrivacy(3, 0.4, y="s", x="q", values="a")
    assert promise.merging is Merging.SAFE
    assert promise.consequences() == (
        XYLinkability(0.4, y="s", x="q", values="a"),
        KAnonymity(3, qid="q"),
    )
    assert XYPrivacy(3, 0.4, y=["s", "t"], count="distinct").consequences() == (
        XYLinkability(0.4, y=["s", "t"]),
        XYAnonymity(3, y=["s", "t"]),
    )


def test_both_numbers_and_both_sets_of_columns_have_a_direction() -> None:
    promise = XYPrivacy(3, 0.4, y="s")
    assert promise.covers(XYPrivacy(2, 0.5, y="s", x="q"))
    assert promise.covers(XYPrivacy(3, 0.4, y="s", values="a"))
    assert not promise.covers(XYPrivacy(4, 0.5, y="s"))
    assert not promise.covers(XYPrivacy(2, 0.3, y="s"))
    assert not promise.covers(XYPrivacy(3, 0.4, y="s", count="distinct"))
    assert not promise.covers(XYLinkability(0.4, y="s"))


def test_is_written_with_its_way_of_counting() -> None:
    assert str(XYPrivacy(3, 0.4, y="s")) == 'xy-privacy(k=3, h=0.4, y=["s"])'
    assert str(XYPrivacy(3, 0.4, y="s", count=Counting.DISTINCT)) == (
        'xy-privacy(k=3, h=0.4, y=["s"], count="distinct")'
    )


def test_asks_for_less_by_a_twentieth() -> None:
    assert XYPrivacy(3, 0.5, y="s").weaker() == XYPrivacy(3, 0.55, y="s")
    assert XYPrivacy(3, 0.96, y="s").weaker() is None


def test_explains_each_part_that_the_whole_table_breaks() -> None:
    told = XYPrivacy(4, 0.5, y="s").explain_failure(groups_of([[2, 1]]))
    assert told == (
        "one of the values in 's' has 2 of all 3 records, and some group never does better than "
        "the whole: ask for a share of at least 0.667 instead of 0.5, or leave records out; "
        "k-anonymity(k=4) needs at least 4 records, and the table has 3: ask for k of at most 3, "
        "or gather more data"
    )


def test_refuses_what_means_nothing() -> None:
    with pytest.raises(ParameterError, match="k must be at least 1, got 0"):
        XYPrivacy(0, 0.5, y="s")
    with pytest.raises(ParameterError, match=r"h must lie in \(0, 1\], got 2"):
        XYPrivacy(1, 2, y="s")
    with pytest.raises(ParameterError, match="no way of counting 'people' among 2"):
        XYPrivacy(1, 0.5, y="s", count="people")
    with pytest.raises(ParameterError, match="a list of 2 texts"):
        XYPrivacy(1, 0.5, y=["s", "t"], values=["a"])
