"""The work of carrying records along a row of values, with one value apart."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels import by_definition
from tests.kernels.comparing import Problem, along_a_row, kernels, problems
from unlinkable.kernels.distributions import ordered_emd_with_missing
from unlinkable.kernels.distributions.transportation import transport


@given(problems(most=2, places=4).filter(lambda p: len(p.rows[0]) > 1), st.integers(0, 8))
def test_a_place_apart_takes_and_gives_where_it_costs_least(problem: Problem, largest: int) -> None:
    for kernel, kind in kernels(ordered_emd_with_missing, "steps_with_missing"):
        found = along_a_row(kernel, kind, problem, len(problem.rows[0]) - 1, largest)
        assert found == problem.each(by_definition.steps_with_missing)


@given(problems(most=30, places=30).filter(lambda p: len(p.rows[0]) > 1), st.integers(0, 400))
def test_is_a_transport_problem(problem: Problem, largest: int) -> None:
    m = len(problem.rows[0]) - 1
    places = np.arange(m + 1)
    costs = np.abs(places[:, None] - places[None])
    costs[m, :m] = costs[:m, m] = max(m - 1, 1)
    indptr, values, counts, sizes = problem.groups(np.int64)
    whole, totals, which = problem.others(np.int64)
    expected = transport(
        indptr, values, counts, sizes, places, whole, totals, which, costs, 1 << 62
    ).tolist()
    for kernel, kind in kernels(ordered_emd_with_missing, "steps_with_missing"):
        assert along_a_row(kernel, kind, problem, m, largest) == expected


def test_python_integers_do_not_overflow() -> None:
    large = 10**30
    problem = Problem([[large, 0, large]], [[1, 1, 1]], [0])
    kernel = ordered_emd_with_missing.steps_with_missing_of_any_size
    assert along_a_row(kernel, object, problem, 2, 0) == [2 * large]
