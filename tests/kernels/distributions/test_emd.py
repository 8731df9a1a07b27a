"""The work of turning one distribution into another, on all kinds of numbers."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels import by_definition
from tests.kernels.comparing import Problem, kernels, problems
from unlinkable.kernels.distributions import emd


@given(problems())
def test_surplus_is_what_a_row_has_too_much(problem: Problem) -> None:
    for kernel, kind in kernels(emd, "surplus"):
        found = kernel(*problem.groups(kind), *problem.others(kind))
        assert found.dtype == kind
        assert found.tolist() == problem.each(by_definition.surplus)


@given(problems(places=8), st.lists(st.integers(1, 3), min_size=1, max_size=3))
def test_surplus_of_levels_is_that_of_added_counts(problem: Problem, widths: list[int]) -> None:
    n = len(problem.rows[0])
    n_nodes = [n]
    for width in widths:
        n_nodes.append(-(-n_nodes[-1] // width))
    blocks = [np.arange(n)]
    up = np.zeros((len(widths), n), np.int32)
    for i, width in enumerate(widths):
        blocks.append(blocks[-1] // width)
        up[i, : n_nodes[i]] = np.arange(n_nodes[i]) // width
    for kernel, kind in kernels(emd, "surplus_by_level"):
        whole, totals, which = problem.others(kind)
        there = np.zeros((len(n_nodes), *whole.shape), kind)
        expected = np.zeros(len(problem.rows), object)
        for i, nodes in enumerate(blocks):
            rolled = [
                [_added(row, nodes) for row in rows] for rows in (problem.rows, whole.tolist())
            ]
            there[i, :, : n_nodes[i]] = rolled[1]
            expected += Problem(rolled[0], rolled[1], problem.which).each(by_definition.surplus)
        found = kernel(*problem.groups(kind), up, there, totals, which)
        assert found.dtype == kind
        assert found.tolist() == expected.tolist()


def test_python_integers_do_not_overflow() -> None:
    large = 10**30
    groups = np.array([0, 2]), np.array([0, 1]), np.array([large, large + 2], object)
    size, whole = np.array([2 * large + 2], object), np.array([[1, 1]], object)
    others = np.array([2], object), np.array([0])
    assert emd.surplus_of_any_size(*groups, size, whole, *others).tolist() == [2]
    twice = np.array([whole, whole])
    up = np.array([[0, 1]], np.int32)
    assert emd.surplus_by_level_of_any_size(*groups, size, up, twice, *others).tolist() == [4]


def _added(row: list[int], nodes: np.ndarray[tuple[int], np.dtype[np.int64]]) -> list[int]:
    return [sum(c for c, node in zip(row, nodes, strict=True) if node == i) for i in set(nodes)]
