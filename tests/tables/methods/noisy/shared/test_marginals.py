"""Marginals that agree, against the definition of least squares."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.tables.methods.noisy.shared.marginals import (
    Workload,
    agreeing,
    count_marginal,
    interaction,
    nearest_counts,
)
from unlinkable.tables.methods.noisy.shared.noisy_marginals import (
    least_squares,
    marginals_of,
    summing,
)
from unlinkable.typing import FloatArray

WORKLOADS = [
    Workload((2, 3), ((0,), (0, 1))),
    Workload((2, 3, 2), ((0, 1), (1, 2))),
    Workload((2, 2, 3), ((0, 1), (1, 2), (0, 2))),
    Workload((3, 2, 2, 2), ((0,), (1, 2), (2, 3), (0, 1, 3))),
]
TREES = [w for w in WORKLOADS if w is not WORKLOADS[2] and w is not WORKLOADS[3]]


@st.composite
def noisy(
    draw: st.DrawFn, workloads: list[Workload] = WORKLOADS
) -> tuple[Workload, list[FloatArray]]:
    workload = draw(st.sampled_from(workloads))
    seed, level = draw(st.integers(0, 10**6)), draw(st.floats(-3, 20))
    rng = np.random.default_rng(seed)
    return workload, [rng.normal(level, 5, workload.shape(axes)) for axes in workload.marginals]


def by_definition(
    workload: Workload, told: list[FloatArray], weights: list[float]
) -> list[FloatArray]:
    """Project on the column space of the sums over a joint table, in the weighted norm."""
    roots = [np.full(t.size, np.sqrt(w)) for t, w in zip(told, weights, strict=True)]
    root = np.concatenate(roots)
    matrix = np.vstack([summing(workload, axes) for axes in workload.marginals])
    y = np.concatenate([t.ravel() for t in told])
    table, *_ = np.linalg.lstsq(root[:, None] * matrix, root * y, rcond=None)
    return marginals_of(workload, table.reshape(workload.shape(workload.all_axes)))


@given(noisy(), st.lists(st.floats(0.1, 10), min_size=4, max_size=4))
def test_agreement_is_the_nearest_point_of_the_space_of_tables(
    case: tuple[Workload, list[FloatArray]], weights: list[float]
) -> None:
    workload, told = case
    weights = weights[: len(told)]
    found = agreeing(workload, told, weights)
    for ours, theirs in zip(found, by_definition(workload, told, weights), strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-8)


def distance(first: list[FloatArray], second: list[FloatArray]) -> float:
    return sum(float(((a - b) ** 2).sum()) for a, b in zip(first, second, strict=True))


@given(noisy(TREES))
def test_without_cycles_the_nearest_counts_are_those_of_a_table(
    case: tuple[Workload, list[FloatArray]],
) -> None:
    workload, told = case
    weights = [1.0] * len(told)
    found, _ = nearest_counts(workload, told, weights)
    table = least_squares(workload, told, weights)
    best = distance(marginals_of(workload, table), told)
    assert best * (1 - 1e-9) <= distance(found, told) <= best * 1.0001 + 0.001


@given(noisy())
def test_counts_agree_and_are_not_negative_whenever_it_ends(
    case: tuple[Workload, list[FloatArray]],
) -> None:
    workload, told = case
    found, rounds = nearest_counts(workload, told, [1.0] * len(told))
    assert all((t >= 0).all() for t in found)
    assert 0 <= rounds <= 300
    again = agreeing(workload, found, [1.0] * len(told))
    for table, same in zip(found, again, strict=True):
        np.testing.assert_allclose(table, same, atol=1e-7)


def test_true_counts_stay_as_they_are() -> None:
    rng = np.random.default_rng(3)
    workload = WORKLOADS[3]
    codes = [rng.integers(0, size, 500).astype(np.int32) for size in workload.sizes]
    true = [
        count_marginal([codes[a] for a in axes], workload.shape(axes)).astype(float)
        for axes in workload.marginals
    ]
    found, rounds = nearest_counts(workload, true, [1.0] * 4)
    assert rounds == 0
    for table, same in zip(found, true, strict=True):
        np.testing.assert_allclose(table, same, atol=1e-9)


def test_the_parts_of_an_array_are_orthogonal_and_add_up() -> None:
    table = np.random.default_rng(0).normal(size=(3, 4))
    parts = {
        (): interaction(table, (0, 1), ()) / 12,
        (0,): interaction(table, (0, 1), (0,))[:, None] / 4,
        (1,): interaction(table, (0, 1), (1,))[None, :] / 3,
        (0, 1): interaction(table, (0, 1), (0, 1)),
    }
    np.testing.assert_allclose(sum(parts.values()), table)
    full = [np.broadcast_to(part, (3, 4)) for part in parts.values()]
    for i, one in enumerate(full):
        for other in full[:i]:
            assert abs((one * other).sum()) < 1e-12


def test_nobody_is_nobody() -> None:
    workload = WORKLOADS[1]
    found, _ = nearest_counts(workload, [np.full((2, 3), -1.0), np.full((3, 2), -1.0)], [1.0, 1.0])
    assert max(t.sum() for t in found) < 0.01
    empty: list[np.ndarray[tuple[int], np.dtype[np.int32]]] = [np.empty(0, np.int32)] * 2
    assert count_marginal(empty, (2, 3)).tolist() == [[0, 0, 0], [0, 0, 0]]


@pytest.mark.parametrize("workload", WORKLOADS, ids=lambda w: str(w.marginals))
def test_a_workload_counts_its_cells(workload: Workload) -> None:
    assert workload.n_cells == sum(np.zeros(workload.shape(a)).size for a in workload.marginals)
    assert workload.n_joint == np.prod(workload.sizes)
    assert all(any(set(s) <= set(a) for a in workload.marginals) for s in workload.sets)
