"""Bounds of means hold as often as they say, and are no wider than they have to be."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.tables.attacks.minimal.shared.world_beliefs import mean_bounds


@given(st.floats(0, 1), st.integers(1, 10_000), st.floats(1e-9, 0.5))
def test_the_divergence_at_the_bounds_is_what_is_allowed(mean: float, n: int, error: float) -> None:
    def divergence(q: float) -> float:
        first = mean * log(mean / q) if mean > 0 else 0.0
        second = (1 - mean) * log((1 - mean) / (1 - q)) if mean < 1 else 0.0
        return first + second

    (low,), (high,) = mean_bounds(np.array([mean]), n, error)
    assert 0 <= low <= mean <= high <= 1
    allowed = log(2 / error) / n
    for bound in (low, high):
        if 1e-6 < bound < 1 - 1e-6 and abs(bound - mean) > 1e-6:
            assert divergence(bound) == pytest.approx(allowed, rel=1e-5)


def test_without_trials_anything_may_be_true() -> None:
    low, high = mean_bounds(np.array([0.5]), 0, 0.05)
    assert (low.tolist(), high.tolist()) == ([0.0], [1.0])


def test_bounds_of_shares_hold_as_often_as_they_say() -> None:
    """Means of uneven numbers; at an error of 0.1, more than 150 misses of 1,000 are a false alarm.

    The chance of that is below 1e-6 by the inequality that is used here.
    """
    rng = np.random.default_rng(3)
    means = np.mean(rng.random((1000, 40)) ** 3, axis=1)
    low, high = mean_bounds(means, 40, 0.1)
    assert np.count_nonzero((low > 0.25) | (high < 0.25)) <= 150


def test_coins_are_bounded_about_as_closely_as_can_be() -> None:
    """Exact bounds of 0 of 100 at 5 % end at 0.036; these may be a little wider."""
    _, (high,) = mean_bounds(np.array([0.0]), 100, 0.05)
    assert 1 - 0.025 ** (1 / 100) <= high <= 0.037
