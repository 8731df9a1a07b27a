"""Ratios of shares, as whole numbers."""

from __future__ import annotations

import math
from decimal import Context, Decimal
from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.groups.plain import histogram_of
from unlinkable.tables.models.shared.share_ratios import (
    ShareRatios,
    is_below_exp,
    reaches_exp,
    rounded_up,
)


@given(
    st.lists(st.lists(st.integers(0, 5), min_size=3, max_size=3), min_size=1, max_size=4),
    st.sampled_from([1, 10**6, 10**10]),
)
def test_finds_the_extreme_ratios_whatever_the_size(rows: list[list[int]], scale: int) -> None:
    whole = [4, 5, 6]
    hidden = histogram_of([[c * scale for c in row] for row in rows])
    sizes = hidden.reduce(np.add, hidden.counts)
    low, high = ShareRatios.extreme(hidden, sizes, np.array(whole) * scale)
    for gains, choose in ((low, min), (high, max)):
        found = [Fraction(int(a), int(b)) for a, b in zip(gains.here, gains.there, strict=True)]
        expected = [
            choose(
                [Fraction(c * 15, w * sum(row)) for c, w in zip(row, whole, strict=True) if c],
                default=Fraction(1),
            )
            for row in rows
        ]
        assert found == expected
        assert np.allclose(gains.ratios, [float(x) for x in expected])


@given(st.integers(1, 10**6), st.integers(1, 10**6), st.fractions(-9, 9, max_denominator=50))
def test_compares_with_exponentials(over: int, under: int, exponent: Fraction) -> None:
    gap = math.log(over / under) - float(exponent)
    (found,) = is_below_exp(np.array([over]), np.array([under]), exponent)
    if abs(gap) > 1e-9:
        assert found == (gap < 0)
    assert found == (not reaches_exp(Fraction(over, under), exponent))


def test_tells_e_from_its_digits() -> None:
    for digits in (12, 15, 18):
        cut = int(Context(prec=40).exp(Decimal(1)).scaleb(digits))
        over = np.array([cut, cut + 1], np.int64)
        unit = np.array([10**digits] * 2)
        assert is_below_exp(over, unit, Fraction(1)).tolist() == [True, False]


@given(st.floats(0, 1e6))
def test_rounds_up_by_a_hair(number: float) -> None:
    assert (
        Fraction(number)
        <= rounded_up(number)
        <= Fraction(number) * (1 + Fraction(1, 10**11)) + Fraction(1, 10**8)
    )
