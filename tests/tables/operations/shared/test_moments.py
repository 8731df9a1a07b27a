"""Moments: maps that restore means and covariances, also of columns that depend on each other."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.tables.operations.shared.moments import correlated_noise, with_moments_of


@given(st.integers(0, 1000), st.integers(1, 4), st.floats(0.1, 3))
def test_moments_are_restored_whatever_was_done(seed: int, n_columns: int, much: float) -> None:
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(30, n_columns)) @ rng.normal(size=(n_columns, n_columns)) + 5
    noisy = points + much * rng.normal(size=points.shape)
    back = with_moments_of(points, noisy)
    assert np.allclose(back.mean(axis=0), points.mean(axis=0))
    assert np.allclose(np.cov(back.T), np.cov(points.T), atol=1e-6)


def test_nothing_changes_if_moments_are_right_already() -> None:
    points = np.random.default_rng(0).normal(size=(20, 3))
    assert np.allclose(with_moments_of(points, points), points)


def test_columns_that_depend_on_each_other_do_so_afterwards() -> None:
    x = np.random.default_rng(0).normal(size=50)
    points = np.column_stack([x, 2 * x, np.full(50, 7.0)])
    noise = correlated_noise(points, np.random.default_rng(1))
    assert np.allclose(noise[:, 1], 2 * noise[:, 0], atol=1e-6)
    assert np.allclose(noise[:, 2], 0)
    back = with_moments_of(points, points + noise)
    assert np.allclose(np.cov(back.T), np.cov(points.T), atol=1e-6)
