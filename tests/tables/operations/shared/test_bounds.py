"""Bounds: the ways to write them, rounding, and refusals."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.errors import ParameterError
from unlinkable.tables.operations.shared.bounds import as_bounds, bounds_by_column, width


def test_dates_are_days() -> None:
    written = as_bounds([["born", "1970-01-02", date(1970, 2, 1)]])
    assert bounds_by_column(written) == {"born": (Fraction(1), Fraction(31))}


def test_nothing_is_no_bounds() -> None:
    assert as_bounds(None) == ()


@given(st.fractions(-9, 9), st.fractions(min_value="1/1000", max_value=9))
def test_the_width_is_never_too_small(lower: Fraction, more: Fraction) -> None:
    found = Fraction(width(lower, lower + more))
    assert more <= found <= more * Fraction(1_000_001, 1_000_000)


@pytest.mark.parametrize(
    ("bounds", "message"),
    [
        (["age"], "must list a column"),
        ([["age", 1]], "must list a column"),
        ([[1, 2, 3]], "must list a column"),
        ([["age", 2, 2]], "must be less than the upper one"),
        ([["age", 2, "x"]], "expected a number"),
        ([["age", 0, 1], ["age", 0, 2]], "given twice"),
    ],
)
def test_refuses_what_is_no_bound(bounds: Any, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        as_bounds(bounds)
