"""(X,Y)-linkability: the book's examples, on a table and on a join; the definition; thresholds."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import unlinkable as ul
from tests import cases
from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import groups_of, rows_of_case
from tests.tables.models.counting import case_groups, counted, seen_by
from tests.witness import models
from unlinkable.errors import ParameterError
from unlinkable.tables.models import XYLinkability
from unlinkable.tables.models.base import All

SHARES = st.fractions(Fraction(1, 9), 1, max_denominator=12)


def test_table_2_4_links_artists_to_hiv() -> None:
    case = cases.load("book-ch02-xy-linkability-alpha-k-table2.4")
    given, expected = case["input"], case["expected"]

    def verdict(promise: XYLinkability) -> Any:
        return promise.verdict(case_groups(given["table"], given["X"], promise))

    for value, share in expected["L_y(X)"].items():
        assert verdict(XYLinkability(1, y="Disease", values=value)).level == pytest.approx(share)
    assert verdict(XYLinkability(1, y="Disease")).achieved == {"h": expected["L_Y(X)"]}
    holds = expected["XY_linkability"]
    assert verdict(XYLinkability(0.75, y="Disease")).holds is holds["Y=all,h=0.75"]
    assert verdict(XYLinkability(0.7, y="Disease")).holds is holds["Y=all,h=0.7"]
    flu = XYLinkability(0.3, y="Disease", values=["Flu"])
    assert verdict(flu).holds is holds["Y={Flu},h=0.3"]
    each = All(
        XYLinkability(h, y="Disease", values=value)
        for value, h in [("HIV", 0.8), ("Hepatitis", 0.6)]
    )
    both = each.holds(case_groups(given["table"], given["X"], each))
    assert both is holds["Y={HIV:0.8,Hepatitis:0.6}"]


def test_example_9_3_nine_of_ten() -> None:
    case = cases.load("book-ch09-ex9.3-linkability")
    given, expected = case["input"], case["expected"]
    promise = XYLinkability(0.9, y=given["Y"], x=given["X"])
    groups = case_groups(given["records"], given["X"], promise)
    assert promise.verdict(groups).level == expected["computed"]["L_Y(X)"]
    hiv = XYLinkability(0.9, y=given["Y"], values="HIV")
    assert hiv.verdict(groups).level == expected["stated"]["l_HIV(j,z,p)"]
    assert promise.holds(groups) is expected["computed"]["satisfied_at_0.9"]
    assert XYLinkability(0.89, y="Test").holds(groups) is expected["computed"]["satisfied_at_0.89"]


def test_example_9_4_a_join_links_bankers_to_hiv() -> None:
    case = cases.load("book-ch09-ex9.4-linkability-on-join")
    given, expected = case["input"], case["expected"]
    on = given["join_attributes"]
    joined: list[dict[str, Hashable]] = [
        {"T1.PoB": left["PoB"], **left, **right}
        for left in rows_of_case(given["T1"])
        for right in rows_of_case(given["T2"])
        if all(left[c] == right[c] for c in on)
    ]
    assert len(joined) == expected["computed"]["join_size"]
    promise = XYLinkability(given["max_linkability"], y="Test", values=given["Y"]["Test"])
    groups = counted(joined, ["Job", "PoB", "T1.PoB", "Zip"], promise)
    verdict = promise.verdict(groups)
    assert verdict.level == expected["stated"]["L_HIV(X)"]
    assert verdict.holds is expected["stated"]["safe_at_0.9"]
    assert sorted(promise.level(groups)) == sorted(x["l"] for x in expected["computed"]["x_values"])
    assert sorted(groups.sizes) == sorted(x["a(x)"] for x in expected["computed"]["x_values"])


def test_example_9_1_a_join_tells_what_alice_has() -> None:
    case = cases.load("book-ch09-ex9.1-sequential-join")
    rows = [
        {"Name": row["Name"], "Disease": row["Disease"]}
        for row in rows_of_case(case["expected"]["stated"]["join"])
    ]
    shares = case["expected"]["computed"]["confidences_Name->Disease"]
    promise = XYLinkability(0.5, y="Disease", x="Name")
    groups = counted(rows, ["Name"], promise)
    assert sorted(promise.level(groups)) == sorted(max(s.values()) for s in shares.values())
    assert promise.judge(groups).tolist().count(True) == 1


@given(tables(), SHARES, st.data())
def test_says_what_the_definition_says(
    random: RandomTable, h: Fraction, data: st.DataObject
) -> None:
    x = data.draw(st.none() | st.lists(st.sampled_from(random.qid), min_size=1, unique=True))
    y = data.draw(st.lists(st.sampled_from(random.sensitive), min_size=1, unique=True))
    promise = XYLinkability(h, y=y, x=x)
    verdict = promise.verdict(seen_by(random, promise))
    shares = []
    for group in models.groups(random.rows, x or random.qid).values():
        values = [tuple(row[c] for c in y) for row in group]
        shares += [Fraction(values.count(value), len(values)) for value in values]
    assert verdict.holds is all(share <= h for share in shares)
    assert verdict.level == pytest.approx(max(map(float, shares), default=None))


def test_a_search_keeps_it_for_the_columns_of_x_alone() -> None:
    people = ul.as_table(
        {
            "job": ["cook", "cook", "clerk", "clerk"],
            "sex": ["f", "m", "f", "m"],
            "ill": ["flu", "hiv", "flu", "hiv"],
        },
        quasi=["job", "sex"],
        sensitive="ill",
    )
    assert ul.anonymize(people, privacy=XYLinkability(0.5, y="ill", x="job")).frame == {
        "job": ["cook", "cook", "clerk", "clerk"],
        "sex": ["f", "m", "f", "m"],
        "ill": ["flu", "hiv", "flu", "hiv"],
    }
    shown: Any = ul.anonymize(people, privacy=XYLinkability(0.5, y="ill", x="sex")).frame
    assert shown["sex"] == ["*"] * 4
    assert shown["job"] == ["cook", "cook", "clerk", "clerk"]


def test_asks_for_less_by_a_twentieth() -> None:
    assert XYLinkability(0.5, y="s", values="a").weaker() == XYLinkability(0.55, y="s", values="a")
    assert XYLinkability(0.95, y="s").weaker() is None


def test_a_listed_value_is_written_as_a_text_or_as_a_list_of_texts() -> None:
    assert str(XYLinkability(0.5, y="s", values="a")) == (
        'xy-linkability(h=0.5, y=["s"], values=["a"])'
    )
    assert str(XYLinkability("1/3", y=["s", "t"], x="q", values=[("a", "")])) == (
        'xy-linkability(h="1/3", y=["s", "t"], x=["q"], values=[["a", ""]])'
    )


def test_bounds_every_listed_value_by_itself() -> None:
    promise = XYLinkability(0.4, y="s", values=["v00", "v01"])
    assert promise.judge(groups_of([[2, 2, 1], [1, 3, 1], [0, 1, 4]])).tolist() == [
        True,
        False,
        True,
    ]


def test_refuses_what_means_nothing() -> None:
    with pytest.raises(ParameterError, match=r"h must lie in \(0, 1\], got 0"):
        XYLinkability(0, y="s")
    with pytest.raises(ParameterError, match="values must list at least one value"):
        XYLinkability(0.5, y="s", values=[])
    with pytest.raises(ParameterError, match="a list of 2 texts, one for every column, got 'a'"):
        XYLinkability(0.5, y=["s", "t"], values=["a"])
