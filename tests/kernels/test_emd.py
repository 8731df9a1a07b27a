"""The work of turning one distribution into another, on all kinds of numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.groups.plain import histogram_of
from tests.kernels import by_definition
from unlinkable.kernels import emd

Rows = list[list[int]]
Kernel = Callable[..., Any]
KINDS = [np.int64, np.float64, object]


@st.composite
def problems(draw: st.DrawFn, most: int = 5, places: int = 6) -> tuple[Rows, list[int]]:
    """Draw rows of counts, and a whole in which every place occurs."""
    n = draw(st.integers(1, places))
    row = st.lists(st.integers(0, most), min_size=n, max_size=n)
    whole = st.lists(st.integers(1, most), min_size=n, max_size=n)
    return draw(st.lists(row, min_size=1, max_size=4)), draw(whole)


def run(
    kernel: Kernel, kind: Any, rows: Rows, whole: list[int], *, sums: bool = False
) -> list[Any]:
    hidden = histogram_of(rows)
    places = hidden.values.astype(object) if kind is object else hidden.values
    there = np.array(whole, kind)
    given_ = (np.cumsum(there), np.append(np.zeros(1, kind), np.cumsum(np.cumsum(there))))
    total = kind(sum(whole)) if kind is not object else sum(whole)
    arguments = given_ if sums else (there,)
    found = kernel(hidden.indptr, places, hidden.counts.astype(kind), *arguments, total)
    assert found.dtype == kind
    return list(found.tolist())


def kernels(name: str) -> list[tuple[Kernel, Any]]:
    compiled, plain = getattr(emd, name), getattr(emd, f"{name}_of_any_size")
    return [(plain if kind is object else compiled, kind) for kind in KINDS]


@given(problems())
def test_surplus_is_what_a_row_has_too_much(problem: tuple[Rows, list[int]]) -> None:
    for kernel, kind in kernels("surplus"):
        assert run(kernel, kind, *problem) == by_definition.surplus(*problem)


@given(problems())
def test_surplus_of_nodes_is_that_of_added_counts(problem: tuple[Rows, list[int]]) -> None:
    rows, whole = problem
    hidden = histogram_of(rows)
    pairs = [[sum(row[i : i + 2]) for i in range(0, len(row), 2)] for row in [*rows, whole]]
    found = emd.surplus(
        hidden.indptr, hidden.values // 2, hidden.counts, np.array(pairs[-1]), sum(whole)
    )
    assert found.tolist() == by_definition.surplus(pairs[:-1], pairs[-1])


@given(problems())
def test_steps_are_what_is_carried_past_each_place(problem: tuple[Rows, list[int]]) -> None:
    for kernel, kind in kernels("steps"):
        assert run(kernel, kind, *problem, sums=True) == by_definition.steps(*problem)


@given(problems(most=2, places=4))
def test_a_place_apart_takes_and_gives_where_it_costs_least(
    problem: tuple[Rows, list[int]],
) -> None:
    for kernel, kind in kernels("steps_with_missing"):
        assert run(kernel, kind, *problem) == by_definition.steps_with_missing(*problem)


@pytest.mark.parametrize("name", ["surplus", "steps_with_missing"])
def test_python_integers_do_not_overflow(name: str) -> None:
    large = 10**30
    plain = getattr(emd, f"{name}_of_any_size")
    indptr, places = np.array([0, 2]), np.array([0, 1], object)
    counts, whole = np.array([large, large + 2], object), np.array([1, 1], object)
    assert plain(indptr, places, counts, whole, 2).tolist() == [2]
