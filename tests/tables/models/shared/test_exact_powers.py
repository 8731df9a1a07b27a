"""Products of powers are compared with 1 as if they were written out."""

from __future__ import annotations

from decimal import Context, Decimal
from fractions import Fraction
from math import log, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.tables.models.shared.exact_powers import is_at_least_exp, is_at_least_one


@given(st.dictionaries(st.integers(1, 40), st.integers(-12, 12), max_size=6))
def test_says_what_the_product_says(powers: dict[int, int]) -> None:
    written_out = prod((Fraction(base) ** e for base, e in powers.items()), start=Fraction(1))
    assert is_at_least_one(powers) is (written_out >= 1)


@given(st.lists(st.integers(1, 10**6), min_size=1, max_size=4), st.integers(1, 10**9))
def test_equal_products_are_found_equal(factors: list[int], exponent: int) -> None:
    whole = prod(factors)
    powers = {whole: exponent}
    for factor in factors:
        powers[factor] = powers.get(factor, 0) - exponent
    assert is_at_least_one(powers)


@pytest.mark.parametrize(
    ("powers", "expected"),
    [
        ({10**40 + 1: 1, 10**40: -1}, True),
        ({10**40 + 1: -1, 10**40: 1}, False),
        ({10**100 + 1: -(10**9), 10**100: 10**9}, False),
        ({2: 10**12, 4: -5 * 10**11}, True),
    ],
)
def test_the_smallest_difference_shows(powers: dict[int, int], expected: bool) -> None:
    assert is_at_least_one(powers) is expected


@given(
    st.dictionaries(st.integers(1, 40), st.integers(-12, 12), max_size=6),
    st.fractions(-20, 20, max_denominator=30),
)
def test_says_what_the_logarithm_says(powers: dict[int, int], exponent: Fraction) -> None:
    gap = sum(e * log(base) for base, e in powers.items()) - float(exponent)
    if abs(gap) > 1e-9:
        assert is_at_least_exp(powers, exponent) is (gap > 0)
    if not exponent:
        assert is_at_least_exp(powers, exponent) is is_at_least_one(powers)


@pytest.mark.parametrize("places", [15, 30, 60, 200])
def test_no_number_of_digits_of_a_logarithm_is_the_logarithm(places: int) -> None:
    # 2 is e to the power 0.6931...: cut off after any number of places, that is less.
    context = Context(prec=places + 5)
    cut = Fraction(int(context.scaleb(context.ln(Decimal(2)), places)), 10**places)
    assert is_at_least_exp({2: 1}, cut)
    assert not is_at_least_exp({2: 1}, cut + Fraction(1, 10**places))
    assert is_at_least_exp({2: -1}, -cut - Fraction(1, 10**places))
