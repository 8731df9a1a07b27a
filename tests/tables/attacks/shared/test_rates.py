"""Rates: intervals against their definitions, against scipy, and against exact coverage."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from unlinkable.tables.attacks.shared.rates import (
    above_chance,
    area_under_curve,
    mean_interval,
    newcombe,
    paired_difference,
    student,
    wilson,
)

# Table II of Newcombe (1998), method 10: two samples, and the interval of the difference.
NEWCOMBE = [
    ((56, 70), (48, 80), (0.0524, 0.3339)),
    ((9, 10), (3, 10), (0.1705, 0.8090)),
    ((6, 7), (2, 7), (0.0582, 0.8062)),
    ((5, 56), (0, 29), (-0.0381, 0.1926)),
    ((0, 10), (0, 20), (-0.1611, 0.2775)),
    ((0, 10), (0, 10), (-0.2775, 0.2775)),
    ((10, 10), (0, 20), (0.6791, 1.0)),
    ((10, 10), (0, 10), (0.6075, 1.0)),
]


@pytest.mark.parametrize(("one", "other", "expected"), NEWCOMBE, ids=str)
def test_differences_are_those_of_newcombe(
    one: tuple[int, int], other: tuple[int, int], expected: tuple[float, float]
) -> None:
    found = newcombe(one[0] / one[1], one[1], other[0] / other[1], other[1])
    assert found == pytest.approx(expected, abs=6e-5)


@given(st.integers(1, 500), st.data(), st.sampled_from([0.9, 0.95, 0.975]))
def test_a_rate_lies_where_scipy_says(n: int, data: st.DataObject, certainty: float) -> None:
    hits = data.draw(st.integers(0, n))
    expected = stats.binomtest(hits, n).proportion_ci(certainty, method="wilson")
    assert wilson(hits / n, n, certainty) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_without_trials_a_rate_is_anything() -> None:
    assert wilson(0.0, 0) == (0.0, 1.0)
    assert paired_difference(0, 0, 0) == (0.0, (-1.0, 1.0))
    assert area_under_curve(np.array([]), np.array([1.0])) == (0.5, (0.0, 1.0))


def area_by_definition(members: Sequence[float], others: Sequence[float]) -> float:
    wins = [(x > y) + (x == y) / 2 for x in members for y in others]
    return sum(wins) / len(wins)


def delong_by_definition(members: Sequence[float], others: Sequence[float]) -> float:
    """Variance of the area, from how each member does against all others and the reverse."""

    def win(x: float, y: float) -> float:
        return (x > y) + (x == y) / 2

    def variance(values: Sequence[float]) -> float:
        mean = sum(values) / len(values)
        return sum((v - mean) ** 2 for v in values) / (len(values) - 1)

    of_members = [sum(win(x, y) for y in others) / len(others) for x in members]
    of_others = [sum(win(x, y) for x in members) / len(members) for y in others]
    return variance(of_members) / len(members) + variance(of_others) / len(others)


SCORES = st.lists(st.integers(0, 6).map(float), min_size=2, max_size=15)


@given(SCORES, SCORES)
def test_the_area_is_the_share_of_pairs_won(members: list[float], others: list[float]) -> None:
    area, (low, high) = area_under_curve(np.array(members), np.array(others))
    assert area == pytest.approx(area_by_definition(members, others))
    assert 0 <= low <= area <= high <= 1
    if 0 < area < 1:
        deviation = math.sqrt(delong_by_definition(members, others))
        centre, step = math.log(area / (1 - area)), 1.959963984540054 * deviation
        ends = [centre + side * step / (area * (1 - area)) for side in (-1, 1)]
        expected = [1 / (1 + math.exp(-end)) for end in ends]
        assert (low, high) == pytest.approx(expected)


def test_an_area_of_one_is_not_certain() -> None:
    area, (low, high) = area_under_curve(np.full(20, 1.0), np.zeros(50))
    assert (area, high) == (1.0, 1.0)
    assert low == wilson(1.0, 20)[0] < 0.9


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 40))
def test_paired_differences_are_wald_with_half_a_person_more_in_each_cell(
    b: int, c: int, rest: int
) -> None:
    n = b + c + rest
    difference, (low, high) = paired_difference(b, c, n)
    if n:
        assert difference == (b - c) / n
        p, q = (b + 0.5) / (n + 2), (c + 0.5) / (n + 2)
        half = 1.959963984540054 * math.sqrt((p + q - (p - q) ** 2) / (n + 2))
        assert low == pytest.approx(max(p - q - half, -1))
        assert high == pytest.approx(min(p - q + half, 1))


@pytest.mark.parametrize("n", [2, 3, 5, 11, 12, 30, 500])
def test_means_lie_where_student_says(n: int) -> None:
    values = np.arange(n, dtype=float)
    expected = stats.t.interval(0.95, n - 1, values.mean(), stats.sem(values))
    low, high = mean_interval(values)
    assert low == pytest.approx(expected[0], rel=2e-3, abs=2e-3)
    assert high == pytest.approx(expected[1], rel=2e-3)


# Coverage is summed up over all outcomes, and not simulated: these cannot fail by chance.


@pytest.mark.parametrize("n", [10, 50, 200])
def test_wilson_holds_the_true_rate_about_as_often_as_it_says(n: int) -> None:
    ends = np.array([wilson(hits / n, n) for hits in range(n + 1)])
    rates = np.linspace(0.005, 0.995, 199)
    held = [
        stats.binom.pmf(np.arange(n + 1), n, p)[(ends[:, 0] <= p) & (p <= ends[:, 1])].sum()
        for p in rates
    ]
    assert 0.94 < np.mean(held) < 0.97
    assert min(held) > 0.83


@pytest.mark.parametrize(("rate", "base"), [(0.0, 0.0), (0.3, 0.3), (0.5, 0.1), (0.95, 0.4)])
def test_a_risk_beyond_chance_is_held_at_least_as_often_as_it_says(
    rate: float, base: float
) -> None:
    n, m = 60, 40
    expected = (rate - base) / (1 - base)
    weights = np.outer(
        stats.binom.pmf(range(n + 1), n, rate), stats.binom.pmf(range(m + 1), m, base)
    )
    held = sum(
        weights[i, j]
        for i in range(n + 1)
        for j in range(m + 1)
        if (low := above_chance(i / n, n, j / m, m)[1])[0] <= expected <= low[1]
    )
    assert held >= 0.95


def test_a_risk_beyond_chance_rises_with_the_rate_and_falls_with_the_base() -> None:
    assert above_chance(1.0, 10, 0.5, 10)[0] == 1.0
    assert above_chance(0.5, 10, 0.5, 10)[0] == 0.0
    assert above_chance(0.25, 10, 0.5, 10)[0] == -0.5
    assert above_chance(1.0, 10, 1.0, 10)[0] == 0.0
    assert above_chance(0.0, 10, 0.9, 10)[0] == -1.0
    assert above_chance(0.5, 10, 1.0, 10)[0] == -1.0


def test_the_interval_of_an_area_holds_the_true_one() -> None:
    """The true area is held in 93 % or more of all cases, or this fails once in a million runs."""
    rng, n_runs, shift = np.random.default_rng(1), 1500, 1.0
    true = stats.norm.cdf(shift / math.sqrt(2))
    held = 0
    for _ in range(n_runs):
        members, others = rng.normal(shift, 1, 40), rng.normal(0, 1, 60)
        low, high = area_under_curve(members, others)[1]
        held += low <= true <= high
    assert held >= stats.binom.ppf(1e-6, n_runs, 0.93)
    assert held <= stats.binom.ppf(1 - 1e-6, n_runs, 0.97)


@pytest.mark.parametrize(
    ("degrees", "quantile"), [(1, 12.706), (7, 2.365), (30, 2.042), (120, 1.980), (10**6, 1.960)]
)
def test_few_are_less_sure_than_many(degrees: int, quantile: float) -> None:
    assert student(degrees) == pytest.approx(quantile, abs=1e-3)
