"""Skyline privacy: everything that could be known, tried in every world; and the claims made."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.groups.plain import groups_of
from tests.tables.models.shared.test_knowledge_amounts import AMOUNTS, small_tables, surest
from unlinkable import checks
from unlinkable.errors import ParameterError, SchemaError
from unlinkable.registry.lookup import make
from unlinkable.tables.models import DistinctLDiversity, KAnonymity, SkylinePrivacy
from unlinkable.tables.models.base import BindingContext
from unlinkable.tables.models.shared.knowledge_amounts import KnowledgeAmounts


@given(small_tables(), AMOUNTS, st.fractions(Fraction(1, 5), 1, max_denominator=12))
def test_says_what_all_knowledge_leads_to(
    counts: list[list[int]], amounts: tuple[int, int, int], c: Fraction
) -> None:
    groups = groups_of(counts)
    known = KnowledgeAmounts(*amounts)
    sure = [
        max(surest(counts, g, v, known) for v in range(len(counts[0]))) for g in range(len(counts))
    ]
    promise = SkylinePrivacy([[*amounts, c]], sensitive="s")
    assert promise.level(groups).tolist() == pytest.approx([float(x / c) for x in sure])
    assert promise.judge(groups).tolist() == [x < c for x in sure]


@given(small_tables(), AMOUNTS)
def test_a_bound_that_is_just_reached_is_broken(
    counts: list[list[int]], amounts: tuple[int, int, int]
) -> None:
    known = KnowledgeAmounts(*amounts)
    sure = max(
        surest(counts, g, v, known) for g in range(len(counts)) for v in range(len(counts[0]))
    )
    groups, more = groups_of(counts), sure + Fraction(1, 10**30)
    reached = SkylinePrivacy([[*amounts, sure]], sensitive="s")
    assert not reached.holds(groups)
    assert SkylinePrivacy([[*amounts, 1]], sensitive="s", scale=more).holds(groups)


@given(small_tables(12), AMOUNTS)
def test_groups_together_are_no_surer_than_apart(
    counts: list[list[int]], amounts: tuple[int, int, int]
) -> None:
    promise = SkylinePrivacy([[*amounts, 1]], sensitive="s")
    apart = promise.level(groups_of(counts)).max()
    together = promise.level(groups_of([np.sum(counts, axis=0).tolist()])).max()
    assert together <= apart + 1e-12


def test_the_family_may_be_in_another_group() -> None:
    """Where three of four have it, a relative there most likely has it."""
    counts = [[1, 3], [3, 1]]
    promise = SkylinePrivacy([[0, 0, 1, 1]], sensitive="s", value="v00")
    apart = promise.level(groups_of(counts[:1]))
    assert promise.level(groups_of(counts))[0] > apart[0]
    # Odds against: 3 to 1, times 1 in 4.
    assert promise.level(groups_of(counts))[0] == pytest.approx(1 / (1 + 3 / 4))


def test_only_the_value_that_is_named_counts() -> None:
    groups = groups_of([[3, 1], [1, 1]])
    assert SkylinePrivacy([[0, 0, 0, 0.6]], sensitive="s", value="v01").holds(groups)
    assert not SkylinePrivacy([[0, 0, 0, 0.6]], sensitive="s", value="v00").holds(groups)
    nobody = SkylinePrivacy([[0, 0, 0, 0.6]], sensitive="s", value="nobody's")
    assert nobody.verdict(groups).level == 0
    assert '; no value "nobody\'s" among 2' in nobody.verdict(groups).why


def test_the_worst_point_is_told() -> None:
    promise = SkylinePrivacy([[1, 0, 0, 0.9], [0, 1, 0, 0.5]], sensitive="s")
    verdict = promise.verdict(groups_of([[2, 1, 1]]))
    assert verdict.achieved == {"scale": pytest.approx(4 / 3)}
    assert verdict.why == (
        "who can rule out 0 values and knows 1 other person and a family of 0 can be 0.6667 sure "
        "of v00 (s: v00 2, v01 1, v02 1), and must be less than 0.5"
    )
    assert verdict.reading == ""
    named = SkylinePrivacy([[0, 0, 1, 0.5]], sensitive="s", value="v01")
    assert "sure of v01" in named.verdict(groups_of([[2, 1, 1]])).why
    assert "if one of them has the value, so has the victim" in (
        named.verdict(groups_of([[2, 1, 1]])).reading
    )


def test_is_local_if_no_family_is_known() -> None:
    assert SkylinePrivacy([[1, 2, 0, 0.5]]).local
    assert not SkylinePrivacy([[1, 2, 0, 0.5], [0, 0, 1, 0.5]]).local


def test_follows_that_there_are_many_values() -> None:
    assert SkylinePrivacy([[3, 0, 0, 1]], sensitive="s").consequences() == (
        DistinctLDiversity(5, sensitive="s"),
    )
    assert SkylinePrivacy([[0, 0, 0, "1/4"]], sensitive="s").consequences() == (
        DistinctLDiversity(5, sensitive="s"),
    )
    assert SkylinePrivacy([[3, 0, 0, 1]], sensitive="s", value="x").consequences() == ()
    assert SkylinePrivacy([[3, 0, 0, 1]], sensitive="s", scale=2).consequences() == ()


@given(small_tables(), AMOUNTS, st.fractions(Fraction(1, 5), 1, max_denominator=12))
def test_what_follows_holds(
    counts: list[list[int]], amounts: tuple[int, int, int], c: Fraction
) -> None:
    promise = SkylinePrivacy([[*amounts, c]], sensitive="s")
    if promise.holds(groups_of(counts)):
        assert all(model.holds(groups_of(counts)) for model in promise.consequences())


def test_one_promise_covers_another_about_less_knowledge() -> None:
    promise = SkylinePrivacy([[1, 2, 0, 0.5], [0, 0, 3, 0.6]], sensitive="s")
    for less in (
        SkylinePrivacy([[1, 1, 0, 0.5]], sensitive="s"),
        SkylinePrivacy([[0, 0, 2, 0.7]], sensitive="s", value="x"),
        SkylinePrivacy([[1, 2, 0, 0.4]], sensitive="s", scale=2),
    ):
        assert promise.covers(less)
        assert not less.covers(promise)
    assert not promise.covers(SkylinePrivacy([[1, 2, 1, 0.9]], sensitive="s"))
    assert not promise.covers(SkylinePrivacy([[1, 1, 0, 0.5]], sensitive="t"))
    assert not promise.covers(KAnonymity(2))


def test_asks_for_less_until_nothing_is_bounded() -> None:
    promise = SkylinePrivacy([[0, 0, 0, 0.5]], sensitive="s")
    assert promise.weaker() == SkylinePrivacy([[0, 0, 0, 0.5]], sensitive="s", scale=1.05)
    assert SkylinePrivacy([[0, 0, 0, 0.5]], scale=1.95).weaker() is None


def test_is_read_back_as_it_is_written() -> None:
    promise = SkylinePrivacy([[1, 0, 2, "1/3"], [0, 4, 0, 0.5]], sensitive="s", value="x")
    assert str(promise) == (
        'skyline-privacy(points=[[1, 0, 2, "1/3"], [0, 4, 0, 0.5]], sensitive="s", value="x")'
    )
    assert make("model", str(promise)) == promise


def test_merging_is_safe_and_does_not_absorb() -> None:
    promise = SkylinePrivacy([[0, 0, 0, 0.6]], sensitive="s")
    checks.check_does_not_absorb(promise, groups_of([[1, 1], [2, 0]]))


def test_is_about_every_sensitive_column() -> None:
    context = BindingContext(quasi=("q",), sensitive=("s", "t"))
    bound = SkylinePrivacy([[0, 0, 0, 0.6]]).bind(context)
    assert [model.needs() for model in bound] == [{("s",)}, {("t",)}]


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ([], "points must list at least one point"),
        ([[1, 2, 3]], r"must be a list \[l, k, m, c\], got \[1, 2, 3\]"),
        (["1230"], r"must be a list \[l, k, m, c\], got '1230'"),
        ([[1, -1, 0, 0.5]], "l, k and m must be whole numbers from 0 on, got -1"),
        ([[1, 0, True, 0.5]], "l, k and m must be whole numbers from 0 on, got True"),
        ([[1, 0, 0, 0]], r"c must lie in \(0, 1\], got 0 at \[1, 0, 0\]"),
        ([[1, 0, 0, "x"]], "expected a number or a fraction"),
        (
            [[1, 0, 0, 0.5], [1, 1, 0, 0.6]],
            r"who knows \[1, 1, 0\] knows \[1, 0, 0\] as well: leave one of them out",
        ),
    ],
)
def test_refuses_what_is_no_skyline(points: list[Sequence[Hashable]], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        SkylinePrivacy(points)


def test_refuses_what_means_nothing() -> None:
    with pytest.raises(ParameterError, match="scale must be greater than 0, got 0"):
        SkylinePrivacy([[0, 0, 0, 0.5]], scale=0)
    with pytest.raises(SchemaError, match="needs the values of 'x', which were not counted"):
        SkylinePrivacy([[0, 0, 0, 0.5]], sensitive="x").judge(groups_of([[1, 1]]))
