"""Sums of square roots are compared with 0 as if all digits were written out."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from math import isqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.tables.models.shared.exact_roots import is_at_least_zero, root_above

FACTORS = st.fractions(-5, 5, max_denominator=6)
TERMS = st.lists(st.tuples(FACTORS, st.integers(0, 60)), max_size=6)


@given(TERMS)
def test_says_what_many_digits_say(terms: list[tuple[Fraction, int]]) -> None:
    with localcontext(prec=200):
        total = sum(
            (Decimal(f.numerator) * Decimal(x).sqrt() / Decimal(f.denominator) for f, x in terms),
            Decimal(0),
        )
    # Sums of six such roots are 0 or much more than this.
    assert is_at_least_zero(terms) is (total > Decimal("-1e-150"))


@given(TERMS.filter(lambda terms: any(x > 0 for _, x in terms)), st.integers(1, 10**6))
def test_what_is_taken_away_again_leaves_nothing(
    terms: list[tuple[Fraction, int]], times: int
) -> None:
    away = [(-factor / times, number * times * times) for factor, number in terms]
    assert is_at_least_zero([*terms, *away])
    first = next(x for _, x in terms if x > 0)
    assert not is_at_least_zero([*terms, *away, (Fraction(-1, 10**80), first)])


@pytest.mark.parametrize("digits", [20, 60, 300])
def test_the_smallest_difference_shows(digits: int) -> None:
    near = isqrt(2 * 10 ** (2 * digits))
    assert is_at_least_zero([(Fraction(10**digits), 2), (Fraction(-near), 1)])
    assert not is_at_least_zero([(Fraction(10**digits), 2), (Fraction(-near - 1), 1)])


@given(st.fractions(0, 1000, max_denominator=10**6))
def test_a_root_is_rounded_up_by_less_than_one_place(number: Fraction) -> None:
    root = root_above(number)
    assert root * root >= number
    below = root - Fraction(1, 10**9)
    assert below < 0 or below * below < number
