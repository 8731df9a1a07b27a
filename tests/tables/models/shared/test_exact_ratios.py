"""Counts are compared with a multiple of other counts without rounding."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.tables.models.shared.exact_ratios import is_within, largest_below

COUNTS = st.lists(
    st.tuples(st.integers(0, 2**40) | st.integers(0, 9), st.integers(0, 2**40) | st.integers(0, 9)),
    max_size=6,
)


@given(COUNTS, st.fractions(0, 3) | st.fractions(0, 10**30), st.booleans())
def test_says_what_fractions_say(
    counts: list[tuple[int, int]], ratio: Fraction, strict: bool
) -> None:
    parts, wholes = (np.array([c[i] for c in counts], np.int64) for i in (0, 1))
    expected = [a < ratio * b if strict else a <= ratio * b for a, b in counts]
    assert is_within(parts, ratio, wholes, strict=strict).tolist() == expected


def test_equality_holds_unless_it_must_not() -> None:
    parts, wholes = np.array([2, 10**18]), np.array([4, 2 * 10**18])
    for times in (1, 3):
        half = Fraction(times, 2)
        assert is_within(parts * times, half, wholes).tolist() == [True, True]
        assert is_within(parts * times, half, wholes, strict=True).tolist() == [False, False]


def test_a_ratio_that_fits_no_machine_number_is_still_exact() -> None:
    parts, wholes = np.array([0, 1]), np.array([0, 3])
    third = Fraction(1, 3) - Fraction(1, 10**40)
    assert is_within(parts, third, wholes).tolist() == [True, False]


@given(st.fractions(0, 2), st.integers(1, 30))
def test_the_largest_fraction_below_a_ratio_is_found(ratio: Fraction, most: int) -> None:
    below = [Fraction(int(ratio * q), q) for q in range(1, most + 1)]
    assert largest_below(ratio, most) == max(below)
