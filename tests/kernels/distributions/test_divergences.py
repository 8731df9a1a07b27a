"""Differences of shares, value by value."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
from hypothesis import given

from tests.kernels.comparing import Problem, problems
from unlinkable.kernels.distributions.divergences import relative_entropies, squared_hellinger


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
