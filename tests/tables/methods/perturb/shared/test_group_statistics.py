"""Group statistics: the worked example, sums in plain Python, moments of the points made."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tests import cases
from unlinkable.tables.methods.perturb.shared.group_statistics import GroupStatistics


def test_the_worked_example_has_these_statistics() -> None:
    case = cases.load("book-ch03-condensation-statistics")
    points, expected = np.array(case["input"]["group"], float), case["expected"]
    kept = GroupStatistics.of(points, np.zeros(len(points), np.int32), 1)
    assert kept.counts.tolist() == [expected["n"]]
    assert kept.sums[0].tolist() == expected["sums"]
    assert kept.products[0] == pytest.approx(np.array(expected["sum_products"]))
    assert kept.means[0].tolist() == expected["mean"]
    assert kept.covariances[0] == pytest.approx(np.array(expected["covariance_population"]))


@given(st.integers(0, 1_000), st.integers(1, 4), st.integers(1, 5))
def test_statistics_are_those_of_the_records_of_each_group(seed: int, d: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    labels = np.concatenate([np.arange(n), rng.integers(0, n, 20)]).astype(np.int32)
    points = rng.normal(size=(labels.size, d)) * 10 + 1_000
    kept = GroupStatistics.of(points, labels, n)
    assert len(kept) == n
    for g in range(n):
        own = points[labels == g]
        assert kept.counts[g] == len(own)
        assert kept.sums[g] == pytest.approx(own.sum(axis=0))
        assert kept.products[g] == pytest.approx(own.T @ own)


@given(st.integers(0, 1_000), st.integers(1, 5), st.integers(2, 7), st.integers(1, 4))
def test_points_have_exactly_the_mean_and_covariance_of_their_group(
    seed: int, d: int, size: int, rank: int
) -> None:
    """Also where groups have fewer records than columns, or vary in a few directions only."""
    rng = np.random.default_rng(seed)
    n = 4
    labels = np.concatenate([np.repeat(np.arange(n), size), np.arange(2)]).astype(np.int32)
    points = rng.normal(size=(labels.size, rank)) @ rng.normal(size=(rank, d))
    points = points * 10.0 ** rng.integers(-3, 4, d) + 50
    kept = GroupStatistics.of(points, labels, n)
    made, group = kept.generate(rng)
    again = GroupStatistics.of(made, group, n)
    assert again.counts.tolist() == kept.counts.tolist()
    scale = points.std(axis=0) + 1e-12
    assert (again.means - kept.means) / scale == pytest.approx(0, abs=1e-7)
    off = (again.covariances - kept.covariances) / (scale[:, None] * scale)
    assert off == pytest.approx(0, abs=1e-7)


def test_points_are_new_and_follow_the_seed() -> None:
    points = np.random.default_rng(0).normal(size=(30, 2))
    kept = GroupStatistics.of(points, np.repeat(np.arange(3), 10).astype(np.int32), 3)
    made, labels = kept.generate(np.random.default_rng(1))
    same, _ = kept.generate(np.random.default_rng(1))
    assert made.tolist() == same.tolist()
    assert labels.tolist() == [0] * 10 + [1] * 10 + [2] * 10
    apart = np.abs(made[:, None] - points[None]).sum(axis=2)
    assert apart.min() > 1e-6


def test_equal_records_are_published_as_they_are() -> None:
    kept = GroupStatistics.of(np.full((5, 2), 3.25), np.zeros(5, np.int32), 1)
    assert kept.generate(np.random.default_rng(0))[0].tolist() == [[3.25, 3.25]] * 5


def test_a_single_record_is_its_own_mean() -> None:
    kept = GroupStatistics.of(np.array([[1.0], [5.0], [7.0]]), np.array([0, 1, 1], np.int32), 2)
    assert kept.generate(np.random.default_rng(0))[0][0] == pytest.approx(1.0)


@pytest.mark.parametrize(("factor", "passes"), [(1.0, True), (1.3, False)])
def test_points_of_a_large_group_are_uniform_along_its_directions(
    factor: float, passes: bool
) -> None:
    """False alarms: one in 1,000 seeds. A range 30 % off is found out."""
    matrix = np.array([[9.0, 7.2], [7.2, 9.0]])
    kept = GroupStatistics(np.array([5_000]), np.zeros((1, 2)), matrix[None])
    made, _ = kept.generate(np.random.default_rng(3))
    values, vectors = np.linalg.eigh(matrix)
    for value, vector in zip(values, vectors.T, strict=True):
        length = np.sqrt(12 * value) * factor
        found = stats.kstest(made @ vector, stats.uniform(-length / 2, length).cdf)
        assert (found.pvalue > 1e-3 / 2) == passes


def test_a_group_of_too_few_points_has_its_covariance_in_expectation() -> None:
    matrix = np.array([[2.0, 0.5, 0.1], [0.5, 1.0, 0.2], [0.1, 0.2, 0.5]])
    n, size = 20_000, 2
    kept = GroupStatistics(
        np.full(n, size), np.tile([1.0, 2.0, 3.0], (n, 1)), np.tile(matrix, (n, 1, 1))
    )
    made, labels = kept.generate(np.random.default_rng(4))
    again = GroupStatistics.of(made, labels, n)
    assert again.means == pytest.approx(kept.means)
    # 40,000 points: a standard error of about 2 / sqrt(20,000) = 0.014, five of which are allowed.
    assert again.covariances.mean(axis=0) == pytest.approx(matrix, abs=0.07)
