"""Moments: maps that restore means and covariances, also of columns that depend on each other."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.errors import ParameterError
from unlinkable.tables.operations.shared.moments import (
    Distribution,
    as_bounds,
    bounds_by_column,
    correlated_noise,
    width,
    with_moments_of,
)


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


@pytest.mark.parametrize(
    ("law", "spread"), [("gaussian", 2.0), ("uniform", 1.1547), ("laplace", 2.8284)]
)
def test_scales_are_those_of_the_literature(law: str, spread: float) -> None:
    drawn = Distribution(law).draw(np.random.default_rng(1), 2.0, 100_000)
    assert drawn.std() == pytest.approx(spread, rel=0.02)
    assert drawn.mean() == pytest.approx(0.0, abs=0.05)


def test_refuses_others() -> None:
    with pytest.raises(ParameterError, match="no distribution 'normal'"):
        Distribution("normal")


def test_dates_are_days() -> None:
    written = as_bounds([["born", "1970-01-02", date(1970, 2, 1)]])
    assert bounds_by_column(written) == {"born": (Fraction(1), Fraction(31))}


def test_nothing_is_no_bounds() -> None:
    assert as_bounds(None) == ()


@given(st.fractions(-9, 9), st.fractions(min_value="1/1000", max_value=9))
def test_the_width_is_never_too_small(lower: Fraction, more: Fraction) -> None:
    found = Fraction(width(lower, lower + more))
    assert more <= found <= more * Fraction(1_000_001, 1_000_000)


@pytest.mark.parametrize(
    ("bounds", "message"),
    [
        (["age"], "must list a column"),
        ([["age", 1]], "must list a column"),
        ([[1, 2, 3]], "must list a column"),
        ([["age", 2, 2]], "must be less than the upper one"),
        ([["age", 2, "x"]], "expected a number"),
        ([["age", 0, 1], ["age", 0, 2]], "given twice"),
    ],
)
def test_refuses_what_is_no_bound(bounds: Any, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        as_bounds(bounds)
