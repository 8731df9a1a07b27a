"""Products of powers are compared with 1 as if they were written out."""

from __future__ import annotations

from fractions import Fraction
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.privacy.powers import is_at_least_one


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
