"""Mixtures: the round as it is printed, what never falls, and a gap that is a bound."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.collection.mixtures import Stop, mix, one_round
from unlinkable.errors import ParameterError
from unlinkable.typing import FloatArray

Problem = tuple[FloatArray, FloatArray]


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """A likelihood in which every observation has an explanation, and counts."""
    m, k = draw(st.integers(1, 6)), draw(st.integers(2, 4))
    row = st.lists(st.sampled_from([0.0, 0.1, 0.5, 1.0]), min_size=k, max_size=k).filter(any)
    rows = draw(st.lists(row, min_size=m, max_size=m))
    counts = draw(st.lists(st.integers(1, 9), min_size=m, max_size=m))
    return np.array(rows), np.array(counts, float)[:, None]


def by_definition(likelihood: FloatArray, counts: FloatArray, shares: list[float]) -> list[float]:
    """Equation 20.3, observation by observation."""
    after = [0.0] * len(shares)
    for row, count in zip(likelihood.tolist(), counts[:, 0].tolist(), strict=True):
        explained = sum(a * s for a, s in zip(row, shares, strict=True))
        for i, (a, s) in enumerate(zip(row, shares, strict=True)):
            after[i] += count * a * s / explained
    return [x / counts.sum() for x in after]


def fit(likelihood: FloatArray, counts: FloatArray, shares: FloatArray) -> float:
    return float((counts * np.log(likelihood @ shares)).sum())


def most(problem: Problem, rounds: int = 3000) -> FloatArray:
    done = mix(*problem, stop=Stop.GAP, tolerance=1e-9, most_rounds=rounds, accelerate=False)
    return done.shares


@given(problems(), st.integers(1, 5))
def test_a_round_is_what_the_book_says(problem: Problem, rounds: int) -> None:
    k = problem[0].shape[1]
    expected, shares = [1 / k] * k, np.full((k, 1), 1 / k)
    for _ in range(rounds):
        expected = by_definition(*problem, expected)
        shares = one_round(*problem, shares)
    assert shares[:, 0].tolist() == pytest.approx(expected)


@given(problems(), st.booleans())
def test_the_likelihood_never_falls(problem: Problem, accelerate: bool) -> None:
    fits = [
        fit(
            *problem,
            mix(*problem, stop=Stop.GAP, tolerance=1e-300, most_rounds=rounds,
                accelerate=accelerate).shares,
        )
        for rounds in (2, 4, 8, 16)
    ]  # fmt: skip
    assert all(later >= earlier - 1e-9 for earlier, later in pairwise(fits))


@given(problems(), st.integers(1, 20))
def test_the_gap_bounds_what_is_still_to_gain(problem: Problem, rounds: int) -> None:
    early = mix(*problem, stop=Stop.GAP, tolerance=1e-300, most_rounds=rounds, accelerate=False)
    assert fit(*problem, most(problem)) - fit(*problem, early.shares) <= early.gap[0] + 1e-7


@given(problems())
def test_leaps_reach_the_same_summit(problem: Problem) -> None:
    leaping = mix(*problem, stop=Stop.GAP, tolerance=1e-4, most_rounds=20_000, accelerate=True)
    assert leaping.converged[0]
    assert fit(*problem, leaping.shares) >= fit(*problem, most(problem)) - 1e-4
    assert leaping.shares.sum() == pytest.approx(1)


def test_leaps_save_rounds() -> None:
    middles = np.arange(10)
    likelihood = np.exp(-((middles[:, None] - middles) ** 2) / 4)
    counts = (likelihood @ np.array([9, 0, 0, 3, 0, 0, 0, 5, 0, 1.0]) * 20).round()[:, None]
    plain, leaping = (
        mix(likelihood, counts, stop=Stop.GAP, tolerance=0.1, most_rounds=9999, accelerate=a)
        for a in (False, True)
    )
    assert plain.converged[0]
    assert leaping.converged[0]
    assert leaping.rounds[0] < plain.rounds[0] / 2


@pytest.mark.parametrize("stop", Stop)
def test_samples_are_treated_as_if_each_were_alone(stop: Stop) -> None:
    rng = np.random.default_rng(1)
    likelihood = rng.random((7, 3))
    counts = rng.integers(0, 40, (7, 5)).astype(float)
    together = mix(likelihood, counts, stop=stop, tolerance=1e-4, most_rounds=400, accelerate=True)
    for j in range(5):
        alone = mix(
            likelihood, counts[:, [j]], stop=stop, tolerance=1e-4, most_rounds=400, accelerate=True
        )
        assert together.shares[:, j] == pytest.approx(alone.shares[:, 0], abs=1e-12)
        assert together.rounds[j] == alone.rounds[0]
        assert together.converged[j] == alone.converged[0]


@pytest.mark.parametrize("stop", Stop)
def test_says_whether_it_stopped_by_its_rule(stop: Stop) -> None:
    likelihood, counts = np.array([[1.0, 0.2], [0.1, 0.9]]), np.array([[30.0], [70.0]])
    few = mix(likelihood, counts, stop=stop, tolerance=1e-7, most_rounds=1, accelerate=False)
    many = mix(likelihood, counts, stop=stop, tolerance=1e-7, most_rounds=9999, accelerate=False)
    assert (few.converged[0], few.rounds[0]) == (False, 1)
    assert many.converged[0]
    assert 1 < many.rounds[0] < 9999


def test_a_chi_square_of_a_hundredth_of_the_threshold_ends_the_rounds() -> None:
    likelihood, counts = np.array([[1.0, 0.2], [0.1, 0.9]]), np.array([[30.0], [70.0]])
    done = mix(
        likelihood, counts, stop=Stop.CHI_SQUARE, tolerance=0.01, most_rounds=99, accelerate=False
    )
    shares, statistics = np.full((2, 1), 0.5), []
    for _ in range(int(done.rounds[0])):
        after = one_round(likelihood, counts, shares)
        statistics.append(100 * float(((after - shares) ** 2 / shares).sum()))
        shares = after
    assert statistics[-1] < 0.01 * 3.8415 <= statistics[-2]  # 5 % of one degree of freedom


def test_refuses_an_unknown_rule() -> None:
    with pytest.raises(ParameterError, match="did you mean 'chi-square'"):
        Stop("chisquare")
