"""Differences of shares, value by value."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels import by_definition
from tests.kernels.comparing import Problem, problems
from unlinkable.kernels.distributions.divergences import (
    entropies,
    extremes,
    extremes_of_any_size,
    relative_entropies,
    squared_hellinger,
    sum_largest,
)
from unlinkable.typing import CountArray


def shares(problem: Problem, g: int) -> list[tuple[Fraction, Fraction]]:
    """Give the share of every value in a group, and in what it is compared with."""
    row, whole = problem.rows[g], problem.wholes[problem.which[g]]
    n, total = max(sum(row), 1), sum(whole)
    return [(Fraction(c, n), Fraction(w, total)) for c, w in zip(row, whole, strict=True)]


@given(problems(least=0))
def test_relative_entropy_is_what_its_definition_says(problem: Problem) -> None:
    found = relative_entropies(*problem.groups(np.int64), *problem.others(np.int64))
    for g, level in enumerate(found.tolist()):
        pairs = [(p, q) for p, q in shares(problem, g) if p]
        if any(not q for _, q in pairs):
            assert level == math.inf
        else:
            expected = math.fsum(float(p) * math.log(p / q) for p, q in pairs)
            assert math.isclose(level, expected, abs_tol=1e-12)


@given(problems(least=0, most=50))
def test_hellinger_is_what_its_definition_says_to_the_last_digits(problem: Problem) -> None:
    for kind in (np.int64, np.float64):
        found = squared_hellinger(*problem.groups(kind), *problem.others(kind))
        for g, level in enumerate(found.tolist()):
            if not any(problem.rows[g]):
                assert level == 0.0
                continue
            with localcontext(prec=60):
                overlap = sum((_decimal(p * q).sqrt() for p, q in shares(problem, g)), Decimal(0))
                assert math.isclose(level, 1 - overlap, rel_tol=1e-13, abs_tol=1e-30)


def test_a_small_distance_has_as_many_digits_as_a_large_one() -> None:
    n = 10**8
    problem = Problem([[n + 1, n - 1]], [[n, n]], [0])
    (found,) = squared_hellinger(*problem.groups(np.int64), *problem.others(np.int64)).tolist()
    # For shares of 1/2 + e and 1/2 - e it is nearly e^2 / 2.
    assert math.isclose(found, (1 / (2 * n)) ** 2 / 2, rel_tol=1e-12)


def test_equal_shares_are_at_0() -> None:
    problem = Problem([[1, 3, 7], [9, 27, 63]], [[5, 15, 35]], [0, 0])
    arguments = *problem.groups(np.int64), *problem.others(np.int64)
    assert relative_entropies(*arguments).tolist() == [0.0, 0.0]
    assert squared_hellinger(*arguments).tolist() == [0.0, 0.0]


def _decimal(number: Fraction) -> Decimal:
    return Decimal(number.numerator) / Decimal(number.denominator)


COUNTS = st.integers(1, 9) | st.integers(250, 260) | st.integers(1, 2**31)

ROWS = st.lists(st.lists(COUNTS, max_size=8), max_size=6)


def csr(rows: list[list[int]]) -> tuple[CountArray, CountArray]:
    indptr = np.cumsum([0, *map(len, rows)])
    return indptr, np.array([c for row in rows for c in row], np.int64)


@given(ROWS)
def test_entropies_are_those_of_the_definition(rows: list[list[int]]) -> None:
    assert entropies(*csr(rows)).tolist() == pytest.approx(by_definition.entropies(rows), abs=1e-12)


@given(ROWS, st.integers(0, 9))
def test_the_largest_counts_add_up(rows: list[list[int]], how_many: int) -> None:
    found = sum_largest(*csr(rows), how_many)
    assert found.tolist() == by_definition.sum_largest(rows, how_many)


def test_no_rows_have_no_entropy() -> None:
    assert entropies(*csr([])).tolist() == []
    assert entropies(*csr([[], [5]])).tolist() == [0.0, 0.0]


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
