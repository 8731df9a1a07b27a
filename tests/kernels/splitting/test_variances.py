"""Squared errors of rows of numbers, beside the definition in fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.groups.plain import histogram_of
from unlinkable.kernels.splitting.variances import squared_errors


@given(
    st.lists(st.integers(-(2**61), 2**61), min_size=3, max_size=3, unique=True).map(sorted),
    st.lists(st.lists(st.integers(0, 4), min_size=4, max_size=4), min_size=1, max_size=4),
)
def test_says_what_the_definition_says(steps: list[int], rows: list[list[int]]) -> None:
    hidden = histogram_of(rows)
    found = squared_errors(hidden.indptr, hidden.values, hidden.counts, np.array(steps))
    for row, error in zip(rows, found, strict=True):
        numbers = [Fraction(x) for x, n in zip(steps, row[:3], strict=True) for _ in range(n)]
        mean = sum(numbers, Fraction(0)) / max(len(numbers), 1)
        assert error == pytest.approx(float(sum((x - mean) ** 2 for x in numbers)), rel=1e-12)
