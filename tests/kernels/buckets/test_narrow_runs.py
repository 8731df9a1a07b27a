"""Narrow runs: as good as the quadratic program, and as every partition there is."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.witness.buckets import ke_cost, ke_least_cost, ke_least_cost_of_any
from unlinkable.kernels.buckets.narrow_runs import narrowest_runs


def cost_of(numbers: list[int], starts: list[int], k: int, e: int) -> object:
    ends = [*starts[1:], len(numbers)]
    parts = [list(range(a, b)) for a, b in zip(starts, ends, strict=True)]
    return ke_cost(numbers, parts, k, e)


def most_runs(numbers: list[int], k: int, e: int, least: object) -> int:
    """Try all ways to cut, and count the most runs of those that cost least."""
    n = len(numbers)
    return max(
        m + 1
        for m in range(n)
        for cuts in combinations(range(1, n), m)
        if cost_of(numbers, [0, *cuts], k, e) == least
    )


NUMBERS = st.sets(st.integers(-20, 60), min_size=1, max_size=9).map(sorted)


@given(NUMBERS, st.integers(1, 4), st.integers(0, 12))
def test_the_sum_of_ranges_is_the_least_and_runs_are_the_most(
    numbers: list[int], k: int, e: int
) -> None:
    starts = narrowest_runs(np.array(numbers, np.int64), k, e).tolist()
    least = ke_least_cost(numbers, k, e)
    if least is None:
        assert starts == []
    else:
        assert cost_of(numbers, starts, k, e) == least
        assert len(starts) == most_runs(numbers, k, e, least)


@given(st.lists(st.integers(0, 12), min_size=1, max_size=8), st.integers(1, 4), st.integers(0, 6))
def test_no_partition_of_records_has_a_lower_sum(values: list[int], k: int, e: int) -> None:
    numbers = sorted({*values})
    starts = narrowest_runs(np.array(numbers, np.int64), k, e).tolist()
    least = ke_least_cost_of_any(values, k, e)
    assert (cost_of(numbers, starts, k, e) if starts else None) == least


@pytest.mark.parametrize("shift", [0, -(2**61), 2**61])
def test_numbers_may_be_large(shift: int) -> None:
    numbers = np.array([0, 1, 5, 9], np.int64) + shift
    assert narrowest_runs(numbers, 2, 1).tolist() == [0, 2]
