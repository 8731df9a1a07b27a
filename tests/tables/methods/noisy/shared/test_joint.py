"""Joint tables: optimal by the conditions of optimality, and against all small tables."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.tables.methods.noisy.shared.fourier import Basis, rows_of
from unlinkable.tables.methods.noisy.shared.joint import (
    least_deviation,
    least_squares,
    marginals_of,
    rounded,
    summing,
)
from unlinkable.tables.methods.noisy.shared.marginals import Workload

PAIRS = Workload((2, 2, 2), ((0, 1), (1, 2), (0, 2)))


@given(st.integers(0, 10**6), st.floats(0.2, 5))
def test_least_squares_meet_the_conditions_of_optimality(seed: int, weight: float) -> None:
    rng = np.random.default_rng(seed)
    told = [rng.normal(2, 4, (2, 2)) for _ in range(3)]
    weights = [1.0, weight, 1.0]
    table = least_squares(PAIRS, told, weights)
    slope = np.zeros(8)
    for axes, t, w in zip(PAIRS.marginals, told, weights, strict=True):
        matrix = summing(PAIRS, axes)
        slope += 2 * w * matrix.T @ (matrix @ table.ravel() - t.ravel())
    assert (table >= 0).all()
    assert (slope >= -1e-6).all()
    assert abs(slope @ table.ravel()) < 1e-6


@given(st.lists(st.integers(-6, 12), min_size=4, max_size=4))
def test_no_small_table_deviates_less_than_the_linear_program(told: list[int]) -> None:
    workload = Workload((2, 2), ((0, 1),))
    basis = Basis.of(workload)
    matrix = rows_of(basis, workload.sets)
    wanted = np.array(told, float)
    best = np.abs(matrix @ least_deviation(workload, matrix, wanted).ravel() - wanted).max()
    for cells in product(range(7), repeat=4):
        assert np.abs(matrix @ np.array(cells) - wanted).max() >= best - 1e-7


@given(st.lists(st.floats(0, 9), min_size=1, max_size=20))
def test_rounding_keeps_all_sums_from_the_first_cell_on(cells: list[float]) -> None:
    table = rounded(np.array(cells))
    assert (table >= 0).all()
    assert np.abs(np.cumsum(table) - np.cumsum(cells)).max() <= 0.5 + 1e-9


def test_marginals_are_sums_over_the_table() -> None:
    table = np.arange(8.0).reshape(2, 2, 2)
    for axes, marginal in zip(PAIRS.marginals, marginals_of(PAIRS, table), strict=True):
        assert (summing(PAIRS, axes) @ table.ravel()).tolist() == marginal.ravel().tolist()
