"""The transport problem, against a linear program and against all ways to send single records."""

from __future__ import annotations

from itertools import permutations
from math import inf
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import linprog

from tests.kernels.comparing import Kernel, Problem, kernels, problems
from unlinkable.kernels.distributions import transportation as module
from unlinkable.kernels.distributions.transportation import transport, transport_of_any_size

Costs = NDArray[Any]


@st.composite
def with_costs(draw: st.DrawFn, most: int, places: int) -> tuple[Problem, Costs]:
    """Draw a problem, and distances between its places that satisfy the triangle inequality."""
    problem = draw(problems(most=most, places=places, least=0))
    n = len(problem.rows[0])
    size = n * (n - 1) // 2
    far = draw(st.lists(st.integers(0, 9), min_size=size, max_size=size))
    costs = np.zeros((n, n), np.int64)
    costs[np.triu_indices(n, 1)] = far
    costs += costs.T
    for over in range(n):
        costs = np.minimum(costs, costs[:, [over]] + costs[[over]])
    return problem, costs


def run(kernel: Kernel, kind: Any, problem: Problem, costs: Costs) -> list[Any]:
    """Solve with integer amounts, and costs of a kind."""
    amounts = object if kind is object else np.int64
    endless = 1 << 62 if kind is np.int64 else inf
    ranks = np.arange(len(costs))
    others = problem.others(amounts)
    found = kernel(*problem.groups(amounts), ranks, *others, costs.astype(kind), endless)
    assert found.dtype == kind
    return list(found.tolist())


def by_program(row: list[int], whole: list[int], costs: Costs) -> float:
    """Minimize the work under the constraints that Li, Li and Venkatasubramanian state."""
    n = len(row)
    goes = np.kron(np.eye(n), np.ones(n)) - np.kron(np.ones(n), np.eye(n))
    excess = [c * sum(whole) - w * sum(row) for c, w in zip(row, whole, strict=True)]
    answer = linprog(costs.ravel(), A_eq=goes, b_eq=excess)
    assert answer.success, answer.message
    return float(answer.fun)


def by_trying(row: list[int], whole: list[int], costs: Costs) -> int:
    """Try all ways of sending one unit after another."""
    excess = [c * sum(whole) - w * sum(row) for c, w in zip(row, whole, strict=True)]
    sent = [v for v, e in enumerate(excess) for _ in range(e)]
    wanted = [v for v, e in enumerate(excess) for _ in range(-e)]
    return min(
        int(sum(costs[v, w] for v, w in zip(sent, way, strict=True)))
        for way in permutations(wanted)
    )


@given(with_costs(most=2, places=3))
def test_no_way_is_cheaper(given_: tuple[Problem, Costs]) -> None:
    problem, costs = given_
    for kernel, kind in kernels(module, "transport"):
        found = run(kernel, kind, problem, costs)
        for g, (row, w) in enumerate(zip(problem.rows, problem.which, strict=True)):
            if sum(row) * sum(problem.wholes[w]) <= 8:
                assert found[g] == by_trying(row, problem.wholes[w], costs)


@given(with_costs(most=20, places=9))
def test_says_what_the_linear_program_says(given_: tuple[Problem, Costs]) -> None:
    problem, costs = given_
    expected = [
        by_program(row, problem.wholes[w], costs)
        for row, w in zip(problem.rows, problem.which, strict=True)
    ]
    for kernel, kind in kernels(module, "transport"):
        assert np.allclose(run(kernel, kind, problem, costs), expected, rtol=1e-6, atol=1e-6)


@given(with_costs(most=20, places=12))
def test_all_kinds_of_numbers_find_the_same(given_: tuple[Problem, Costs]) -> None:
    problem, costs = given_
    whole, rounded, plain = (
        run(k, kind, problem, costs) for k, kind in kernels(module, "transport")
    )
    assert whole == rounded == plain


def test_distances_of_0_cost_nothing() -> None:
    problem = Problem([[2, 0, 0], [0, 0, 2]], [[1, 1, 2]], [0, 0])
    costs = np.array([[0, 0, 5], [0, 0, 5], [5, 5, 0]])
    # Two of the four records are in the first two places, and there is no way between these.
    assert run(transport, np.int64, problem, costs) == [2 * 2 * 5, 2 * 2 * 5]


def test_a_crowded_problem_is_solved_as_a_linear_program_solves_it() -> None:
    rng = np.random.default_rng(7)
    n = 60
    points = rng.integers(0, 1000, (n, 2))
    costs = np.abs(points[:, None] - points[None]).sum(axis=2)
    rows, whole = rng.integers(0, 50, (4, n)).tolist(), rng.integers(1, 500, n).tolist()
    problem = Problem(rows, [whole], [0] * 4)
    expected = [by_program(row, whole, costs) for row in rows]
    assert np.allclose(run(transport, np.int64, problem, costs), expected, rtol=1e-9)
    assert run(transport, np.float64, problem, costs) == run(transport, np.int64, problem, costs)


def test_python_integers_do_not_overflow() -> None:
    large = 10**30
    groups = np.array([0, 1]), np.array([0]), np.array([large], object), np.array([large], object)
    others = np.array([[1, 1]], object), np.array([2], object), np.array([0])
    costs = np.array([[0, 3], [3, 0]], object)
    found = transport_of_any_size(*groups, np.arange(2), *others, costs, inf)
    assert found.tolist() == [3 * large]
