"""(k,c)-anonymity: the paper's releases, the definition, the same as (alpha,k)-anonymity."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import finest_of, groups_of
from tests.tables.models.counting import case_groups
from tests.witness import models
from unlinkable.errors import ParameterError
from unlinkable.tables.models import (
    AlphaKAnonymity,
    DistinctLDiversity,
    FrequencyLDiversity,
    KAnonymity,
    KCAnonymity,
)
from unlinkable.tables.models.base import BindingContext


def test_both_releases_of_example_1_are_2_one_half_anonymous() -> None:
    case = cases.load("byun-ex1-difference-attack")
    given, stated = case["input"], case["expected"]["stated"]
    promise = KCAnonymity(given["k"], given["c"], sensitive=given["sensitive"])
    distinct = DistinctLDiversity(given["l"], sensitive=given["sensitive"])
    for which in ("t1", "t2"):
        groups = case_groups(given[f"released_{which}"], given["QID"], promise)
        both = promise.holds(groups) and distinct.holds(groups)
        assert both is stated[f"released_{which}_is_(2,2)_anonymous"]
        assert not KCAnonymity(3, 0.5, sensitive="Diagnosis").holds(groups)
        assert not KCAnonymity(2, 0.49, sensitive="Diagnosis").holds(groups)


@given(tables(), st.integers(1, 4), st.fractions(Fraction(1, 9), 1, max_denominator=12))
def test_says_what_the_definition_says(random: RandomTable, k: int, c: Fraction) -> None:
    groups = finest_of(random)
    for s in random.sensitive:
        holds = True
        for group in models.groups(random.rows, random.qid).values():
            values = [row[s] for row in group]
            people = len({row[random.owner] for row in group}) if random.owner else len(group)
            holds &= people >= k and all(values.count(v) <= c * len(values) for v in values)
        promise = KCAnonymity(k, c, sensitive=s)
        assert promise.holds(groups) is holds
        assert AlphaKAnonymity(c, k, sensitive=s).holds(groups) is holds


def test_measures_the_share_and_names_both_bounds() -> None:
    groups = groups_of([[2, 2], [1, 2]])
    promise = KCAnonymity(3, 0.6, sensitive="s")
    assert promise.judge(groups).tolist() == [True, False]
    assert promise.verdict(groups).achieved == {"c": 2 / 3, "k": 3}
    assert promise.verdict(groups).why == (
        "'s' is v01 in 2 of 3 records here (0.6667), and may be in at most 0.6 of them"
    )


def test_implies_its_parts_and_covers_its_twin() -> None:
    promise = KCAnonymity(3, 0.5, sensitive="s")
    assert promise.consequences() == (FrequencyLDiversity(2, sensitive="s"), KAnonymity(3))
    assert promise.covers(AlphaKAnonymity(0.5, 3, sensitive="s"))
    assert AlphaKAnonymity(0.5, 3, sensitive="s").covers(promise)
    assert not promise.covers(KAnonymity(3))


def test_is_bound_written_and_weakened() -> None:
    assert KCAnonymity(3, 0.5).bind(BindingContext(sensitive=("s",))) == (
        KCAnonymity(3, 0.5, sensitive="s"),
    )
    assert str(KCAnonymity(3, "2/3")) == 'kc-anonymity(k=3, c="2/3")'
    assert KCAnonymity(3, 0.5).weaker() == KCAnonymity(3, 0.55)
    assert KCAnonymity(3, 1).weaker() is None


def test_refuses_what_means_nothing() -> None:
    with pytest.raises(ParameterError, match="k must be at least 1, got 0"):
        KCAnonymity(0, 0.5)
    with pytest.raises(ParameterError, match=r"c must lie in \(0, 1\], got 3/2"):
        KCAnonymity(2, 1.5)
