"""Individual risk: against the integral, sdcMicro's formulas, and simulated populations."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

from unlinkable.tables.risk import individual_risk


def by_definition(f: int, p: float) -> float:
    """E[1 / F | f] for negative binomial F."""
    return float(quad(lambda y: p * y ** (f - 1) / (p + (1 - p) * y), 0, 1)[0])


@given(st.integers(1, 60), st.floats(0.02, 1))
def test_is_the_integral(f: int, p: float) -> None:
    found = individual_risk(np.array([f]), np.array([f / p]))[0]
    assert found == pytest.approx(by_definition(f, p), rel=1e-6)


@given(st.floats(1e-6, 0.999))
def test_is_the_formula_of_sdcmicro_for_one_and_two(p: float) -> None:
    q = p / (1 - p)
    expected = [q * math.log(1 / p), q - q**2 * math.log(1 / p)]
    found = individual_risk(np.array([1, 2]), np.array([1 / p, 2 / p]))
    assert found.tolist() == pytest.approx(expected, rel=1e-6, abs=1e-9)


@given(st.integers(1, 30), st.integers(1, 200))
def test_is_a_sum_over_negative_binomial_counts(f: int, more: int) -> None:
    p = f / (f + more)
    total, mass, n = 0.0, p**f, f
    while n < 60 * (f + more):
        total += mass / n
        mass *= (1 - p) * n / (n - f + 1)
        n += 1
    assert individual_risk(np.array([f]), np.array([float(f + more)]))[0] == pytest.approx(total)


@given(st.integers(1, 100), st.floats(1, 1e6))
def test_lies_between_the_population_and_the_sample(f: int, times: float) -> None:
    risk = individual_risk(np.array([f]), np.array([f * times]))[0]
    assert 1 / (f * times) - 1e-12 <= risk <= 1 / f + 1e-12


def test_a_sample_that_is_the_population_has_the_risk_of_the_prosecutor() -> None:
    people = np.array([1, 2, 7])
    assert individual_risk(people, people.astype(float)).tolist() == [1, 1 / 2, 1 / 7]
    assert individual_risk(people, people / 2).tolist() == [1, 1 / 2, 1 / 7]


def test_is_right_on_average_where_sizes_are_as_it_assumes() -> None:
    # A prior of 1 / F is what the negative binomial rests on; with it the estimate is unbiased.
    rng = np.random.default_rng(5)
    sizes = np.arange(1, 400)
    population = rng.choice(sizes, 200_000, p=(1 / sizes) / (1 / sizes).sum())
    drawn = rng.binomial(population, 0.1)
    for f in (1, 2, 3):
        truth = (1 / population[drawn == f]).mean()
        found = individual_risk(np.array([f]), np.array([f / 0.1]))[0]
        assert found == pytest.approx(truth, rel=0.05)
