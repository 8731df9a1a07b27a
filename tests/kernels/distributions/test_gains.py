"""The values that are most and least frequent, compared with a table."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given

from tests.kernels.comparing import Problem, problems
from unlinkable.kernels.distributions.gains import extremes, extremes_of_any_size


@given(problems())
def test_finds_the_least_and_the_greatest_ratio(problem: Problem) -> None:
    hidden, whole = problem.hidden, problem.wholes[0]
    rows = hidden.indptr, hidden.values
    compiled = extremes(*rows, hidden.counts, np.array(whole))
    plain = extremes_of_any_size(*rows, hidden.counts.astype(object), np.array(whole, object))
    for found, best in ((compiled, (min, max)), (plain, (min, max))):
        for at, choose in zip(found, best, strict=True):
            for g, row in enumerate(problem.rows):
                ratios = [Fraction(c, w) for c, w in zip(row, whole, strict=True) if c]
                if not ratios:
                    assert at[g] == -1
                    continue
                j = int(at[g])
                assert hidden.indptr[g] <= j < hidden.indptr[g + 1]
                ratio = Fraction(int(hidden.counts[j]), whole[hidden.values[j]])
                assert ratio == choose(ratios)


def test_the_smallest_difference_decides() -> None:
    n = 2 * 10**9
    counts, whole = np.array([n, n - 1]), np.array([n + 1, n])
    low, high = extremes(np.array([0, 2]), np.array([0, 1]), counts, whole)
    assert (low.tolist(), high.tolist()) == ([1], [0])
    large = 10**30
    counts, whole = np.array([large, large - 1], object), np.array([large + 1, large], object)
    low, high = extremes_of_any_size(np.array([0, 2]), np.array([0, 1]), counts, whole)
    assert (low.tolist(), high.tolist()) == ([1], [0])
