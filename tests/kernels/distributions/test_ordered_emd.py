"""The work of carrying records along a row of values, on all kinds of numbers."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels import by_definition
from tests.kernels.comparing import Problem, along_a_row, kernels, problems
from unlinkable.kernels.distributions import ordered_emd
from unlinkable.kernels.distributions.transportation import transport


@given(problems(), st.integers(0, 20))
def test_steps_are_what_is_carried_past_each_place(problem: Problem, largest: int) -> None:
    for kernel, kind in kernels(ordered_emd, "steps"):
        found = along_a_row(kernel, kind, problem, len(problem.rows[0]), largest)
        assert found == problem.each(by_definition.steps)


@given(st.lists(st.integers(0, 6), min_size=1, max_size=6).filter(any), st.integers(0, 9))
def test_tables_overtake_groups_where_their_share_is_as_large(whole: list[int], n: int) -> None:
    below = np.cumsum(whole)
    is_there = np.zeros(12, bool)
    is_there[[n, 10]] = True
    starts, places = ordered_emd.meeting_places(is_there, below, int(below[-1]))
    assert np.flatnonzero(starts >= 0).tolist() == np.flatnonzero(is_there).tolist()
    for k in range(n + 1):
        reached = [r for r in range(len(whole)) if n * below[r] >= k * below[-1]]
        assert places[starts[n] + k] == min(reached, default=len(whole))


def test_python_integers_do_not_overflow() -> None:
    large = 10**30
    problem = Problem([[large, 0, large]], [[1, 1, 1]], [0])
    assert along_a_row(ordered_emd.steps_of_any_size, object, problem, 3, 0) == [2 * large]


@given(problems(most=2, places=4).filter(lambda p: len(p.rows[0]) > 1), st.integers(0, 8))
def test_a_place_apart_takes_and_gives_where_it_costs_least(problem: Problem, largest: int) -> None:
    for kernel, kind in kernels(ordered_emd, "steps_with_missing"):
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
    for kernel, kind in kernels(ordered_emd, "steps_with_missing"):
        assert along_a_row(kernel, kind, problem, m, largest) == expected


def test_python_integers_do_not_overflow_with_a_place_apart() -> None:
    large = 10**30
    problem = Problem([[large, 0, large]], [[1, 1, 1]], [0])
    kernel = ordered_emd.steps_with_missing_of_any_size
    assert along_a_row(kernel, object, problem, 2, 0) == [2 * large]
