"""Distances before and after, beside plain loops."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.clustering.distances import compare_distances

NUMBERS = st.floats(-100, 100).map(lambda x: round(x, 3))


@given(st.integers(0, 6), st.integers(0, 3), st.integers(0, 3), st.floats(0.1, 3), st.data())
def test_says_what_the_definition_says(
    n: int, m: int, r: int, scale: float, data: st.DataObject
) -> None:
    before = data.draw(st.lists(st.lists(NUMBERS, min_size=m, max_size=m), min_size=n, max_size=n))
    after = data.draw(st.lists(st.lists(NUMBERS, min_size=r, max_size=r), min_size=n, max_size=n))
    expected = [0.0, 0.0, 0.0]
    for i in range(n):
        for j in range(i):
            d, moved = math.dist(before[i], before[j]), scale * math.dist(after[i], after[j])
            expected[0] += (moved - d) ** 2
            expected[1] += d**2
            expected[2] += moved**2
    found = compare_distances(
        np.array(before, float).reshape(n, m), np.array(after, float).reshape(n, r), scale
    )
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-9)
