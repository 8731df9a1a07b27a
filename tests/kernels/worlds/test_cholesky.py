"""Small systems of linear equations: against numpy, also where some equations say nothing."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.worlds.cholesky import solve_in_place


@given(st.integers(1, 6), st.integers(0, 6), st.integers(1, 3), st.integers(0, 10**6))
def test_solves_what_can_be_solved(k: int, rank: int, n_columns: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    root = rng.integers(-3, 4, (k, min(rank, k))).astype(float)
    matrix = root @ root.T
    right = matrix @ rng.integers(-3, 4, (k, n_columns)).astype(float)
    found = right.copy()
    solve_in_place(matrix.copy(), found)
    assert np.allclose(matrix @ found, right, atol=1e-6)


def test_reads_the_lower_half_only() -> None:
    matrix, right = np.array([[4.0, 99.0], [2.0, 3.0]]), np.array([[8.0], [7.0]])
    solve_in_place(matrix, right)
    assert np.allclose(right, [[1.25], [1.5]])


def test_leaves_directions_without_curvature_alone() -> None:
    right = np.array([[6.0], [0.0]])
    solve_in_place(np.array([[4.0, 0.0], [0.0, 0.0]]), right)
    assert right.ravel().tolist() == [1.5, 0.0]
