"""Reconstruction: the book's steps, known densities, intervals, and what cannot be explained."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from unlinkable.collection import Algorithm, BayesReconstruction
from unlinkable.collection.base import Collection
from unlinkable.errors import DataError, ParameterError
from unlinkable.noise import secure_generator
from unlinkable.typing import FloatArray

CASE = cases.load("aggarwal-reconstruction-steps")


def of_the_case(**more: Any) -> BayesReconstruction:
    given_ = CASE["input"]
    ends = {"low": given_["intervals"][0][0], "high": given_["intervals"][1][1]}
    scale, bins = given_["noise"]["high"], len(given_["intervals"])
    return BayesReconstruction(scale, "uniform", bins=bins, resamples=0, **ends, **more)


@pytest.mark.parametrize("done", range(1, 5))
def test_the_first_steps_of_the_book(done: int) -> None:
    how = of_the_case(stop="change", tolerance=1e-300, rounds=done)
    found = how.reconstruct(CASE["input"]["z"])
    assert (found.rounds, found.converged) == (done, False)
    expected = CASE["expected"]["density_by_iteration"][done]
    assert found.heights.tolist() == pytest.approx(expected)


def test_the_limit_of_the_book() -> None:
    found = of_the_case(stop="gap", tolerance=1e-9).reconstruct(CASE["input"]["z"])
    assert found.converged
    assert found.heights.tolist() == pytest.approx(CASE["expected"]["limit"], abs=1e-6)


def sample(shape: str, n: int, rng: np.random.Generator) -> FloatArray:
    match shape:
        case "triangle":
            return rng.triangular(0, 50, 100, n)
        case "normal":
            return np.clip(rng.normal(50, 12, n), 0, 100)
        case _:
            left = rng.random(n) < 0.5
            return np.where(left, rng.uniform(20, 40, n), rng.uniform(60, 80, n))


def distance(first: FloatArray, second: FloatArray) -> float:
    """Half the sum of all differences: how many values are in a wrong interval."""
    return 0.5 * float(np.abs(first - second).sum())


@pytest.mark.parametrize(
    ("shape", "kind", "scale", "algorithm", "bins", "error"),
    [
        ("triangle", "uniform", 50, "bayes", 20, 0.04),
        ("triangle", "gaussian", 25, "bayes", 20, 0.05),
        ("triangle", "laplace", 20, "bayes", 20, 0.06),
        ("normal", "uniform", 50, "bayes", 20, 0.04),
        ("normal", "gaussian", 25, "bayes", 20, 0.05),
        ("plateaus", "uniform", 50, "em", 10, 0.05),
        ("plateaus", "laplace", 20, "em", 10, 0.06),
        ("plateaus", "gaussian", 10, "em", 10, 0.06),
        ("triangle", "uniform", 50, "deconvolution", 20, 0.06),
        ("triangle", "gaussian", 25, "deconvolution", 20, 0.06),
        ("plateaus", "gaussian", 10, "deconvolution", 10, 0.10),
    ],
)
def test_known_densities_come_back(
    shape: str, kind: str, scale: float, algorithm: str, bins: int, error: float
) -> None:
    """From 20,000 values; a third of the mistakes of whoever takes noisy values for true ones."""
    rng = np.random.default_rng(3)
    how = BayesReconstruction(
        scale, kind, low=0, high=100, bins=bins, algorithm=algorithm, resamples=0
    )
    true = sample(shape, 20_000, rng)
    noisy = how.randomize(true, rng)
    found = how.reconstruct(noisy)
    assert found.converged
    assert found.widened == (0, 0)
    actual = np.histogram(true, found.edges)[0] / true.size
    naive = np.histogram(np.clip(noisy, 0, 100), found.edges)[0] / true.size
    assert distance(found.probabilities, actual) < error
    assert distance(found.probabilities, actual) < distance(naive, actual) / 3 + 0.01
    assert found.mean == pytest.approx(true.mean(), abs=1.5)


def test_noise_that_is_not_as_said_is_seen_in_what_comes_out() -> None:
    rng = np.random.default_rng(3)
    how = BayesReconstruction(10, low=0, high=100, bins=10, algorithm="em", resamples=0)
    true = sample("plateaus", 20_000, rng)
    noisy = how.randomize(true, rng)
    wrong = BayesReconstruction(13, low=0, high=100, bins=10, algorithm="em", resamples=0)
    actual = np.histogram(true, np.linspace(0, 100, 11))[0] / true.size
    right_by, wrong_by = (
        distance(h.reconstruct(noisy).probabilities, actual) for h in (how, wrong)
    )
    assert wrong_by > 3 * right_by


def test_intervals_cover_what_is_true_where_intervals_are_as_wide_as_the_noise() -> None:
    """Of 400 intervals at 90 %; a true coverage of 90 % would fail this less than once in 10^5."""
    rng = np.random.default_rng(8)
    shares = np.array([0.1, 0.3, 0.05, 0.35, 0.2])
    how = BayesReconstruction(
        10, "uniform", low=0, high=50, bins=5, algorithm="em", level=0.9, resamples=80
    )
    covered = []
    for _ in range(80):
        cells = rng.choice(5, 1500, p=shares)
        found = how.reconstruct(how.randomize(10 * cells + rng.uniform(0, 10, 1500), rng), rng)
        assert found.low is not None
        assert found.high is not None
        covered += ((found.low <= shares) & (shares <= found.high)).tolist()
    assert 0.83 < np.mean(covered) < 0.97


@pytest.mark.parametrize("algorithm", Algorithm)
@given(
    st.lists(st.floats(-50, 150), min_size=1, max_size=30),
    st.sampled_from(["uniform", "gaussian", "laplace"]),
    st.floats(1, 30),
)
def test_whatever_is_handed_in_a_distribution_comes_out(
    algorithm: Algorithm, values: list[float], kind: str, scale: float
) -> None:
    how = BayesReconstruction(
        scale, kind, low=0, high=100, bins=5, algorithm=algorithm, resamples=3, rounds=50
    )
    found = how.reconstruct(values)
    assert found.low is not None
    assert found.high is not None
    assert found.n == len(values)
    assert found.probabilities.size == found.edges.size - 1 == 5 + sum(found.widened)
    assert found.probabilities.min() >= 0
    assert found.probabilities.sum() == pytest.approx(1)
    assert (found.low >= 0).all()
    assert (found.low <= found.high).all()
    assert (found.high <= 1 + 1e-9).all()


def test_says_when_it_did_not_converge() -> None:
    rng = np.random.default_rng(1)
    values = rng.uniform(0, 100, 500) + rng.normal(0, 20, 500)
    few = BayesReconstruction(20, algorithm="em", rounds=4, resamples=0).reconstruct(values)
    assert (few.rounds, few.converged) == (4, False)
    assert few.gap is not None
    assert few.gap > 0.1
    enough = BayesReconstruction(20, resamples=0).reconstruct(values)
    assert enough.converged


def test_a_deconvolution_says_when_no_distribution_explains_the_values() -> None:
    rng = np.random.default_rng(1)
    values = rng.choice([0.0, 100.0], 5000) + rng.uniform(-5, 5, 5000)
    how = BayesReconstruction(40, low=0, high=100, algorithm="deconvolution", resamples=0)
    assert not how.reconstruct(values).converged
    true = BayesReconstruction(
        5, "uniform", low=-10, high=110, bins=12, algorithm="deconvolution", resamples=0
    )
    assert true.reconstruct(rng.uniform(-10, 110, 5000) + rng.uniform(-5, 5, 5000)).converged


def test_values_far_out_widen_the_range() -> None:
    how = BayesReconstruction(2, "uniform", low=0, high=10, bins=5, resamples=0)
    found = how.reconstruct([1.0, 5.0, 14.5])
    assert found.widened == (0, 2)
    assert found.edges[-1] == 14


def test_no_intervals_if_none_are_asked_for() -> None:
    found = BayesReconstruction(2, resamples=0).reconstruct([1.0, 2.0, 3.0])
    assert found.low is None
    assert found.high is None


def test_the_same_values_always_give_the_same_result() -> None:
    values = np.random.default_rng(5).normal(0, 3, 400)
    first, again = (BayesReconstruction(2).reconstruct(values) for _ in range(2))
    assert first.low is not None
    assert again.low is not None
    assert first.low.tolist() == again.low.tolist()
    other = BayesReconstruction(2).reconstruct(values, np.random.default_rng(9))
    assert other.low is not None
    assert other.low.tolist() != first.low.tolist()
    assert other.probabilities.tolist() == first.probabilities.tolist()


def test_effort_is_golden() -> None:
    values = (np.arange(200) % 40 + np.arange(200) % 7 - 3).astype(float)
    for algorithm, rounds in (("bayes", 3), ("em", 10), ("deconvolution", 13)):
        how = BayesReconstruction(3, "uniform", algorithm=algorithm, bins=10, resamples=0)
        assert how.reconstruct(values).rounds == rounds, algorithm


def test_the_key_decides_the_noise() -> None:
    how = BayesReconstruction(5)
    first, again, other = (how.randomize([1.0] * 9, secure_generator(k)) for k in (1, 1, 2))
    assert first.tolist() == again.tolist() != other.tolist()


@pytest.mark.parametrize(
    "how",
    [
        BayesReconstruction(5),
        BayesReconstruction(0.5, "laplace", low=0, high=9, bins=7, algorithm="em", stop="change"),
        BayesReconstruction(2, "uniform", tolerance=1e-3, rounds=9, resamples=0, level=0.5),
    ],
    ids=str,
)
def test_it_is_read_back_as_it_is_written(how: BayesReconstruction) -> None:
    assert Collection.read(str(how)) == how


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"scale": 0}, "scale must be greater than 0, got 0"),
        ({"scale": math.inf}, "scale must be a finite number"),
        ({"distribution": "cauchy"}, "no distribution 'cauchy'"),
        ({"algorithm": "fourier"}, "no algorithm 'fourier'"),
        ({"bins": 1}, "bins must be at least 2, got 1"),
        ({"low": 5, "high": 5}, "low must be less than high, got 5.0 and 5.0"),
        ({"low": math.nan}, "low and high must be finite numbers, got nan"),
        ({"tolerance": 0}, "tolerance must be greater than 0"),
        ({"rounds": 0}, "rounds must be at least 1"),
        ({"resamples": -1}, "resamples must be at least 0"),
        ({"level": 1}, r"level must lie in \(0, 1\), got 1"),
        ({"algorithm": "deconvolution", "stop": "gap"}, "has no rounds: leave stop and tolerance"),
        ({"algorithm": "deconvolution", "tolerance": 1}, "has no rounds"),
    ],
)
def test_refuses_parameters_that_mean_nothing(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        BayesReconstruction(**{"scale": 1, **parameters})


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([], "there are no values"),
        ([1.0, math.nan, math.inf], "2 of 3 values are missing or infinite: leave these records"),
    ],
)
def test_refuses_values_that_are_none(values: list[float], message: str) -> None:
    how = BayesReconstruction(1)
    with pytest.raises(DataError, match=message):
        how.reconstruct(values)
    with pytest.raises(DataError, match=message):
        how.randomize(values, secure_generator(1))


def test_refuses_to_add_noise_to_values_outside_of_the_range() -> None:
    with pytest.raises(DataError, match="1 of 2 values lie outside of 0 to inf: widen the range"):
        BayesReconstruction(1, low=0).randomize([-1.0, 2.0], secure_generator(1))


def test_more_intervals_than_anybody_needs_are_refused() -> None:
    assert BayesReconstruction(1, bins=5_000).bins == 5_000
    with pytest.raises(ParameterError, match="bins must be at most 5000"):
        BayesReconstruction(1, bins=5_001)
