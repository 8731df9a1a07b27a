"""Delta bounding: Table V, Theorems 1 and 2, and where Theorem 1 ends."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from math import inf, isclose
from typing import cast

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from tests.tables.models.people import (
    Frame,
    Scenario,
    bound,
    counted,
    frame_of,
    prior_of,
    scenarios,
)
from tests.witness import worlds
from tests.witness.models import Row
from unlinkable.errors import ParameterError
from unlinkable.tables.models import DeltaBounding, RRobustness
from unlinkable.tables.models.base import Basis, GroupModel
from unlinkable.tables.models.delta_bounding import delta_ceil

SCOPE: Frame = {
    "t": ["1"] * 3 + ["2"] * 3,
    "value": ["x", "y", "z"] * 2,
    "p": [0.3, 0.18, 0.18, 0.18, 0.3, 0.3],
}


def people(*shown: str) -> list[Row]:
    """Write down records as what they show and what they have: "m x"."""
    return [{"g": "g", "t": text.split()[0], "s": text.split()[1]} for text in shown]


def believed(*chances: float) -> Frame:
    """Say how likely x is for people who show 1, 2, ..."""
    n = len(chances)
    return {"t": [str(i + 1) for i in range(n)], "value": ["x"] * n, "p": chances}


def test_table_5() -> None:
    case = cases.load("wong-table5-delta-ceil")
    found = [delta_ceil(*row) for row in case["input"]["triples"]["rows"]]
    assert found == pytest.approx(case["expected"]["delta_ceil_exact"])
    printed = case["expected"]["delta_ceil_printed"]
    assert found == pytest.approx(printed, abs=case["expected"]["tolerance"])


def test_theorem_2_and_its_limits() -> None:
    case = cases.load("wong-theorem2-monotone")
    r, f, said = case["input"]["r"], case["input"]["f_max"], case["expected"]
    found = [delta_ceil(n, r, f) for n in case["input"]["N"]]
    assert found == pytest.approx(said["delta_ceil"])
    assert all(a < b for a, b in pairwise(found))
    assert delta_ceil(r, r, f) == said["at_N_equals_r"]
    assert delta_ceil(case["input"]["large_N"], r, f) == pytest.approx(said["limit_large_N"])
    assert delta_ceil(9, r, 0) == said["at_f_max_0"]
    assert delta_ceil(9, r, 1) == said["at_f_max_1"]
    for n, slope in said["derivative_at_N"].items():
        step = Fraction(1, 10**6)
        ends = [
            (n_ - r) * f / (f * (r - 1) / (1 - f) + n_ - 1)
            for n_ in (int(n) - float(step), int(n) + float(step))
        ]
        assert (ends[1] - ends[0]) / (2 * float(step)) == pytest.approx(slope, rel=1e-6)


@given(st.integers(1, 30), st.fractions(1, 9, max_denominator=8), st.integers(0, 100))
def test_a_larger_group_allows_no_less(n: int, r: Fraction, f: int) -> None:
    highest = Fraction(f, 100)
    assert delta_ceil(n, r, highest) <= delta_ceil(n + 1, r, highest)
    if n > 1:
        assert delta_ceil(n, r, highest) == float(worlds.delta_ceiling(n, r, highest))


def test_example_1_is_not_bounded_and_example_2_is() -> None:
    one = cases.load("wong-example1-distribution-attack")["expected"]
    promise = bound(DeltaBounding(2, prior="us", values="x"), us=believed(0.1, 0.003))
    groups = counted(promise, people("1 x", "2 y"))
    assert promise.holds(groups) is one["satisfies_delta_bounding"]
    assert promise.verdict(groups).why == (
        "one of 2 records has x, which was believed with 0.1 of t 1 and with 0.003 of t 2: 0.097 "
        "apart, and at most 0 is allowed"
    )
    two = cases.load("wong-example2-delta-bounding")
    promise = bound(DeltaBounding(2, prior="us", values="x"), us=believed(*two["input"]["f"]))
    verdict = promise.verdict(counted(promise, people("1 x", "2 y", "3 z")))
    assert verdict.holds is two["expected"]["satisfied"]
    assert verdict.basis is Basis.SUFFICIENT
    assert verdict.reading.startswith("proved for one value against all others; ")


@given(scenarios(lowest=0))
def test_says_what_the_condition_says(scenario: Scenario) -> None:
    rows, chances = scenario
    frame, prior = frame_of(chances, "a"), prior_of(chances, "a")
    promise = bound(DeltaBounding(1, prior="us"), us=frame)
    groups = counted(promise, rows)
    by_group = [[r for r in rows if r["g"] == g] for g in dict.fromkeys(r["g"] for r in rows)]
    for level, at, group in zip(promise.level(groups), range(9), by_group, strict=False):
        wanted = worlds.delta_bounding_r(group, "s", prior)
        if wanted is None:
            assert level == -inf
            assert not promise.judge(groups)[at]
            continue
        assert isclose(level, wanted, rel_tol=1e-12)
        for r, good in [(wanted, True), (wanted + Fraction(1, 10**15), False)]:
            asked = bound(DeltaBounding(r, prior="us"), us=frame)
            assert asked.judge(groups)[at] == good
            assert worlds.is_delta_bounded(group, "s", prior, r) is good


@given(st.lists(st.integers(1, 99), min_size=2, max_size=8), st.fractions(1, 4, max_denominator=9))
def test_theorem_1_the_condition_implies_robustness(chances: list[int], r: Fraction) -> None:
    frame = believed(*(c / 100 for c in chances))
    promise = bound(DeltaBounding(r, prior="us", values="x"), us=frame)
    rows = people("1 x", *(f"{i + 2} y" for i in range(len(chances) - 1)))
    groups = counted(promise, rows)
    (robust,) = promise.consequences()
    assert robust == RRobustness(r, prior="us", sensitive="s", values="x")
    assert promise.level(groups)[0] <= robust.level(groups)[0] * (1 + 1e-12)
    assert robust.holds(groups) or not promise.holds(groups)


def test_theorem_1_is_tight_in_the_worst_group() -> None:
    top, low = Fraction(3, 10), Fraction(3, 17)
    us = believed(float(top), float(low))
    promise = bound(DeltaBounding(2, prior="us", values="x"), us=us)
    (robust,) = promise.consequences()
    groups = counted(promise, people("1 x", "2 y", "2 z"))
    assert promise.level(groups)[0] == pytest.approx(2)
    assert promise.level(groups)[0] == pytest.approx(robust.level(groups)[0], rel=1e-12)


def test_theorem_1_does_not_hold_for_all_values_at_once() -> None:
    promise = bound(DeltaBounding(2, prior="us"), us=SCOPE)
    groups = counted(promise, people("1 x", "2 y", "2 z"))
    assert promise.holds(groups)
    other = {
        "t": [*SCOPE["t"], "1", "2"],
        "value": [*SCOPE["value"], "w", "w"],
        "p": [*SCOPE["p"], 0.34, 0.22],
    }
    joint = bound(RRobustness(2, prior="us", reading="joint"), us=other)
    assert not joint.holds(groups)
    assert round(1 / joint.level(groups)[0], 3) == 0.581


@given(st.lists(st.integers(1, 99), min_size=2, max_size=8))
def test_the_level_is_where_halving_ends(chances: list[int]) -> None:
    frame = believed(*(c / 100 for c in chances))
    promise = bound(DeltaBounding(1, prior="us", values="x"), us=frame)
    groups = counted(promise, people("1 x", *(f"{i + 2} y" for i in range(len(chances) - 1))))
    low, high, renew = Fraction(1), Fraction(9), cast("Callable[..., GroupModel]", evolve)
    for _ in range(30):
        middle = (low + high) / 2
        asked: GroupModel = renew(promise, r=middle)
        keeps = asked.holds(groups)
        low, high = (middle, high) if keeps else (low, middle)
    assert promise.level(groups)[0] == pytest.approx(float(low), abs=1e-7)


def test_a_guarded_value_may_occur_once_and_others_often() -> None:
    promise = bound(DeltaBounding(2, prior="us", values="x"), us=believed(0.1, 0.1))
    verdict = promise.verdict(counted(promise, people("1 x", "2 x", "2 y")))
    assert not verdict.holds
    assert verdict.level == -inf
    assert verdict.achieved == {"r": None}
    assert verdict.why == "2 of 3 records have x, and one may"
    assert promise.holds(counted(promise, people("1 x", "2 y", "2 y")))


def test_a_group_has_at_least_r_people() -> None:
    for p in (0.1, 0.0, 1.0):
        promise = bound(DeltaBounding(3, prior="us", values="x"), us=believed(p, p))
        verdict = promise.verdict(counted(promise, people("1 x", "2 y")))
        assert verdict.level == 2
        assert verdict.why == "2 records have x among them, and at least 3 must"
        assert promise.holds(counted(promise, people("1 x", "2 y", "2 y")))


def test_somebody_who_is_certain_breaks_it() -> None:
    promise = bound(DeltaBounding(1, prior="us", values="x"), us=believed(1.0, 0.5))
    assert promise.level(counted(promise, people("1 x", "2 y", "2 y"))).tolist() == [-inf]


def test_who_has_no_guarded_value_is_linked_to_none() -> None:
    promise = bound(DeltaBounding(2, prior="us", values="x"), us=believed(0.1))
    verdict = promise.verdict(counted(promise, people("1 y")))
    assert verdict.level == inf
    assert verdict.why == "nobody has a guarded value"


def test_holds_for_every_prior() -> None:
    promise = DeltaBounding(2, prior=["us", "them"], values="x")
    ready = bound(promise, us=believed(0.1, 0.1), them=believed(0.1, 0.003))
    groups = counted(ready, people("1 x", "2 y"))
    assert ready.level(groups)[0] == pytest.approx(1 + (0.003 / 0.997) / (0.1 / 0.9))
    assert promise.covers(DeltaBounding(1.5, prior="them", values="x"))
    assert not promise.covers(RRobustness(1.5, prior="us", values="x"))


def test_explains_that_a_value_is_too_frequent_or_people_too_unlike() -> None:
    promise = bound(DeltaBounding(2, prior="us", values="x"), us=believed(0.1, 0.003))
    assert promise.explain_failure(counted(promise, people("1 x", "2 x", "2 y"))) == (
        "one of the guarded values has 2 of all 3 records, and a group of at least 2 records may "
        "have it once: leave records out, or ask for r of at most 1.5"
    )
    assert promise.explain_failure(counted(promise, people("1 x", "2 y"))).endswith(
        "form groups of people who are about as likely to have a value"
    )


def test_no_groups_at_all_are_fine() -> None:
    promise = bound(DeltaBounding(2, prior="us", values="x"), us=believed(0.1))
    groups = counted(promise, people("1 x")).select(np.zeros(1, bool))
    assert promise.verdict(groups).holds


def test_is_written_as_it_is_read() -> None:
    assert str(DeltaBounding("5/3", prior="us")) == 'delta-bounding(r="5/3", prior=["us"])'


def test_asks_for_less_by_a_half() -> None:
    assert DeltaBounding(2, prior="us").weaker() == DeltaBounding(1.5, prior="us")
    assert DeltaBounding(1.5, prior="us").weaker() is None


def test_refuses_what_means_nothing() -> None:
    with pytest.raises(ParameterError, match="r must be at least 1, got 0"):
        DeltaBounding(0, prior="us")
    with pytest.raises(ParameterError, match="prior must name at least one side table"):
        DeltaBounding(2, prior=[])
    with pytest.raises(ParameterError, match="each of the values must be a text, got"):
        DeltaBounding(2, prior="us", values=[("x", "y")])
    for n, r, f in [(0, 2, 0.5), (3, 0.5, 0.5), (3, 2, 1.5)]:
        with pytest.raises(ParameterError, match=r"f_max must lie in \[0, 1\], got n="):
            delta_ceil(n, r, f)
