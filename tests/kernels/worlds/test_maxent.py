"""Maximum entropy within groups: sums that are met, and derivatives against differences.

Small systems of linear equations: against numpy, also where some equations say nothing.
"""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.worlds.maxent import Layout, curve, fit, solve_in_place
from unlinkable.typing import FloatArray


def layout_of(tables: list[FloatArray], rng: np.random.Generator, n_equations: int) -> Layout:
    """Take the sums of some tables of people, and equations with random amounts."""
    rows = np.cumsum([0, *(len(t) for t in tables)])
    columns = np.cumsum([0, *(t.shape[1] for t in tables)])
    width = np.concatenate([np.full(len(t), t.shape[1]) for t in tables])
    first = np.append(0, np.cumsum(width))
    n = int(first[-1])
    amounts = rng.choice([0.0, 0.5, 1.0], (n, n_equations))
    sorts, equations = np.nonzero(amounts)
    return Layout(
        rows,
        columns,
        first,
        np.ones(n, bool),
        np.concatenate([t.sum(axis=1) for t in tables]),
        np.concatenate([t.sum(axis=0) for t in tables]),
        np.arange(n, dtype=np.int32),
        np.searchsorted(sorts, np.arange(n + 1)),
        equations.astype(np.int32),
        amounts[sorts, equations],
    )


def amounts_of(layout: Layout, n_equations: int) -> FloatArray:
    dense = np.zeros((layout.sort.size, n_equations))
    for s in range(layout.sort.size):
        some = slice(layout.indptr[s], layout.indptr[s + 1])
        dense[s, layout.equations[some]] = layout.amounts[some]
    return dense


shapes = st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4)), min_size=1, max_size=3)


@given(shapes, st.integers(0, 10**6))
def test_rows_and_columns_add_up_to_what_they_must(sizes: list[tuple[int, int]], seed: int) -> None:
    rng = np.random.default_rng(seed)
    tables = [rng.integers(1, 9, shape).astype(float) for shape in sizes]
    layout = layout_of(tables, rng, 1)
    lift, x = rng.normal(0, 2, layout.sort.size), np.empty(layout.sort.size)
    fit(np.arange(len(tables)), layout, lift, np.zeros(layout.records.size), x)
    for g, table in enumerate(tables):
        cells = x[layout.first[layout.rows[g]] : layout.first[layout.rows[g + 1]]]
        found = cells.reshape(table.shape)
        assert np.allclose(found.sum(axis=0), table.sum(axis=0))
        assert np.allclose(found.sum(axis=1), table.sum(axis=1))
        # What is left of the logarithms without the lift is a sum of a row's and a column's.
        rest = np.log(found) - lift[layout.first[layout.rows[g]] :][: cells.size].reshape(
            table.shape
        )
        assert np.allclose(rest - rest[:1] - rest[:, :1] + rest[0, 0], 0, atol=1e-7)


@given(shapes, st.integers(1, 3), st.integers(0, 10**6))
def test_second_derivatives_are_differences_of_first_ones(
    sizes: list[tuple[int, int]], n_equations: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    tables = [rng.integers(1, 9, shape).astype(float) for shape in sizes]
    layout = layout_of(tables, rng, n_equations)
    amounts, which = amounts_of(layout, n_equations), np.arange(len(tables))
    at, x = rng.normal(0, 1, n_equations), np.empty(layout.sort.size)

    def slope(multipliers: FloatArray) -> FloatArray:
        fit(which, layout, amounts @ multipliers, np.zeros(layout.records.size), x)
        sums: FloatArray = x @ amounts
        return sums

    step = 1e-5
    expected = [
        (slope(at + step * unit) - slope(at - step * unit)) / (2 * step)
        for unit in np.eye(n_equations)
    ]
    slope(at)
    assert np.allclose(curve(which, layout, x, n_equations), expected, atol=1e-5)


def test_starts_anew_where_multipliers_lead_nowhere() -> None:
    tables = [np.array([[3.0, 1.0], [1.0, 3.0]])]
    layout = layout_of(tables, np.random.default_rng(0), 1)
    beta, x = np.array([1e4, -1e4]), np.empty(4)
    fit(np.arange(1), layout, np.zeros(4), beta, x)
    assert np.allclose(x, 2)


def test_cells_that_are_not_free_hold_nobody() -> None:
    tables = [np.array([[3.0, 1.0], [1.0, 3.0]])]
    layout = layout_of([np.array([[0.0, 4.0], [4.0, 0.0]])], np.random.default_rng(0), 1)
    layout.free[[0, 3]] = False
    x = np.empty(4)
    fit(np.arange(len(tables)), layout, np.zeros(4), np.zeros(2), x)
    assert np.allclose(x, [0, 4, 4, 0])


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
