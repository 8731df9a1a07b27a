"""Shares: the definition, what a group must lose, what covers what, and what is told."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import groups_of
from tests.tables.models.counting import counted, seen_by
from tests.witness import models
from unlinkable.errors import ParameterError, SchemaError
from unlinkable.tables.models import (
    ConfidenceBounding,
    EntropyLDiversity,
    FrequencyLDiversity,
    KAnonymity,
    XYAnonymity,
    XYLinkability,
)
from unlinkable.tables.models.base import Merging
from unlinkable.tables.models.shared.share_bound import ShareBound
from unlinkable.tables.models.shared.share_model import ShareModel

SHARES = st.fractions(Fraction(1, 9), 1, max_denominator=12)


def largest(
    group: Sequence[models.Row], columns: Sequence[str], values: Sequence[tuple[str, ...]] | None
) -> Fraction:
    """Count every value in turn."""
    found = [tuple(str(row[c] or "") for c in columns) for row in group]
    asked = found if values is None else values
    return max(Fraction(found.count(tuple(value)), len(found)) for value in asked)


@given(tables(), SHARES, st.data())
def test_says_what_the_definition_says(
    random: RandomTable, h: Fraction, data: st.DataObject
) -> None:
    columns = data.draw(st.permutations(random.sensitive))
    pools = [sorted({str(row[c] or "") for row in random.rows} | {"other"}) for c in columns]
    value = st.tuples(*map(st.sampled_from, pools))
    values = data.draw(st.none() | st.lists(value, min_size=1, max_size=3, unique=True))
    bound = ShareBound(h, columns, values)
    groups = seen_by(random, bound)
    found = [
        largest(group, columns, values) for group in models.groups(random.rows, random.qid).values()
    ]
    # Groups come in the order of their values, not of their first records.
    assert sorted(bound.level(groups)) == pytest.approx(sorted(map(float, found)))
    assert sorted(bound.judge(groups)) == sorted(share <= h for share in found)
    assert bound.holds(groups) is all(share <= h for share in found)


def test_a_share_equal_to_the_bound_is_allowed() -> None:
    groups = groups_of([[1] * 10, [1, 2, *[1] * 7, 0]])
    assert ShareBound(0.1, ("s",)).judge(groups).tolist() == [True, False]
    assert ShareBound(Fraction(10**12, 10**13 + 1), ("s",)).judge(groups).tolist() == [False, False]


@pytest.mark.parametrize(
    ("h", "values", "lost"),
    [
        ("1/2", None, [0, 4, 1]),
        ("1/2", ["v00"], [0, 4, 0]),
        ("1/2", ["v01"], [0, 0, 1]),
        ("1/3", None, [0, 5, 9]),
        ("1/3", ["v00"], [0, 5, 2]),
        (1, None, [0, 0, 0]),
        (0, ["v00"], [1, 6, 4]),
    ],
)
def test_counts_what_a_group_must_lose(h: str, values: list[str] | None, lost: list[int]) -> None:
    groups = groups_of([[1, 1, 1], [6, 1, 1], [4, 5, 0]])
    assert ShareBound(h, ("s",), values).least_suppressed(groups, 99).tolist() == lost


def test_what_one_group_must_lose_another_that_looks_alike_may() -> None:
    rows: list[dict[str, Hashable]] = [
        {"job": job, "sex": sex, "ill": ill}
        for job, sex, ill in [("a", "f", "x"), ("a", "m", "y"), *[("b", "f", "x")] * 5]
    ]
    bound = XYLinkability(0.5, y="ill", x="job")
    groups = counted(rows, ["job", "sex"], bound)
    assert bound.least_suppressed(groups, 9).tolist() == [0, 0, 5]
    rows += [{"job": "b", "sex": "m", "ill": "y"}] * 2
    groups = counted(rows, ["job", "sex"], bound)
    assert bound.least_suppressed(groups, 9).tolist() == [0, 0, 1, 0]


@given(tables(min_records=1, max_qid=3), SHARES, st.data())
def test_no_choice_of_records_loses_less_for_an_adversary_who_knows_less(
    random: RandomTable, h: Fraction, data: st.DataObject
) -> None:
    bound = XYLinkability(h, y="s0", x="q0")
    groups = seen_by(random, bound)
    lost = bound.least_suppressed(groups, len(random.rows))
    keep = np.array(data.draw(st.lists(st.booleans(), min_size=len(groups), max_size=len(groups))))
    if bound.holds(groups.select(keep)):
        assert (lost[keep] == 0).all()


def test_says_nothing_about_losses_when_the_bound_has_too_many_digits() -> None:
    bound = ShareBound(Fraction(1, 2**31), ("s",))
    assert bound.least_suppressed(groups_of([[5, 1]]), 9).tolist() == [0]


def test_tells_the_value_its_records_and_the_bound() -> None:
    groups = groups_of([[3, 1], [0, 2]])
    assert ShareBound(0.1, ("s",)).witness(groups, 0) == (
        "'s' is v00 in 3 of 4 records here (0.75), and may be in at most 0.1 of them"
    )
    assert ShareBound("1/3", ("s",), ["v00"]).witness(groups, 1) == (
        "none of the listed values of 's' in 2 records here"
    )


def test_tells_values_of_several_columns_and_missing_ones() -> None:
    rows: list[dict[str, Hashable]] = [{"q": 1, "a": "x", "b": None}] * 2
    together, alone = ShareBound(0.5, ("a", "b")), ShareBound(0.5, ("b",))
    groups = counted(rows, ["q"], together, alone)
    assert together.witness(groups, 0).startswith("'a' and 'b' are x,  in 2 of 2 records here (1)")
    assert alone.witness(groups, 0).startswith("'b' is missing in 2 of 2 records here (1)")


def test_a_value_that_nobody_has_is_within_every_bound_and_told_of() -> None:
    bound = ShareBound(0, ("s",), ["v0"])
    verdict = bound.verdict(groups_of([[3, 1]]))
    assert verdict.holds
    assert verdict.achieved == {"h": 0.0}
    assert verdict.why == (
        "none of the listed values of 's' in 4 records here; "
        "no value 'v0' among 2 (did you mean 'v01'?) in 's'"
    )
    assert verdict.reading == "no record has 'v0' in 's'"
    assert ShareBound(1, ("s",), ["v00"]).verdict(groups_of([[3, 1]])).reading == ""
    assert ShareBound(1, ("s",)).verdict(groups_of([[3, 0]])).reading == ""


def test_tighter_bounds_on_more_cover_looser_ones_on_less() -> None:
    every = XYLinkability(0.3, y="s")
    some = XYLinkability(0.3, y="s", values=["a", "b"])
    assert every.covers(every)
    assert every.covers(some)
    assert not some.covers(every)
    assert some.covers(XYLinkability(0.4, y="s", values=["b"]))
    assert not some.covers(XYLinkability(0.2, y="s", values=["b"]))
    assert not some.covers(XYLinkability(0.4, y="s", values=["b", "c"]))
    assert not some.covers(XYLinkability(0.4, y="t", values=["b"]))
    assert not every.covers(KAnonymity(2))


def test_who_knows_more_is_covered_by_nobody_who_knows_less() -> None:
    known = XYLinkability(0.3, y="s", x=["a", "b"])
    assert known.covers(XYLinkability(0.3, y="s", x=["a"]))
    assert not known.covers(XYLinkability(0.3, y="s"))
    assert XYLinkability(0.3, y="s").covers(known)
    assert known.covers(XYLinkability(0.3, y=["s", "t"], x="b"))
    assert not XYLinkability(0.3, y=["s", "t"]).covers(XYLinkability(0.3, y="s"))


def test_promises_of_shares_are_of_one_kind_under_all_their_names() -> None:
    frequency = FrequencyLDiversity(4, sensitive="s")
    assert frequency.covers(XYLinkability(0.25, y="s"))
    assert not frequency.covers(XYLinkability(0.2, y="s"))
    assert frequency.covers(ConfidenceBounding("job -> s = HIV <= 1/3"))
    assert XYLinkability(0.2, y="s").covers(frequency)
    assert ConfidenceBounding("-> s = HIV <= 0.1").covers(XYLinkability(0.1, y="s", values="HIV"))
    assert not FrequencyLDiversity(4).covers(frequency)


@given(tables(min_records=1), SHARES)
def test_what_is_said_to_follow_does(random: RandomTable, h: Fraction) -> None:
    promises: list[ShareModel] = [
        ShareBound(h, random.sensitive),
        XYLinkability(h, y=random.sensitive[0], x=random.qid[0]),
    ]
    groups = seen_by(random, *promises, *(c for p in promises for c in p.consequences()))
    for promise in promises:
        if promise.holds(groups):
            assert all(c.holds(groups) for c in promise.consequences())


def test_a_small_share_leaves_room_for_many_values() -> None:
    assert ShareBound(0.3, ("s",)).consequences() == (
        EntropyLDiversity("10/3", sensitive="s"),
        XYAnonymity(4, y="s"),
    )
    assert ShareBound(0.5, ("s", "t")).consequences() == (XYAnonymity(2, y=["s", "t"]),)
    assert ShareBound(0.5, ("s",), ["a"]).consequences() == ()
    assert ShareBound(0, ("s",)).consequences() == ()
    assert ShareBound(0.5).consequences() == ()


def test_explains_which_share_can_be_had() -> None:
    assert ShareBound(0.5, ("s",)).explain_failure(groups_of([[2, 0], [0, 1]])) == (
        "one of the values in 's' has 2 of all 3 records, and some group never does better than "
        "the whole: ask for a share of at least 0.667 instead of 0.5, or leave records out"
    )


def test_is_safe_and_about_one_group_at_a_time() -> None:
    bound = ShareBound(0.5, ("s",))
    assert bound.merging is Merging.SAFE
    assert bound.local
    assert not XYLinkability(0.5, y="s", x="a").local
    assert bound.judge(groups_of([[1]]).select(np.zeros(1, bool))).tolist() == []


def test_refuses_what_means_nothing() -> None:
    with pytest.raises(ParameterError, match="h must be at least 0, got -1"):
        ShareBound(-1)
    with pytest.raises(ParameterError, match="h must be at most 1, got 2"):
        ShareBound(2)
    with pytest.raises(ParameterError, match="a list of 2 texts, one for every column, got 'a'"):
        ShareBound(0.5, ("s", "t"), ["a"])
    with pytest.raises(SchemaError, match="does not say which sensitive column it is about"):
        ShareBound(0.5).judge(groups_of([[1]]))
    with pytest.raises(SchemaError, match="needs the values of 'z', which were not counted"):
        ShareBound(0.5, ("z",)).judge(groups_of([[1]]))
