"""What boxes amount to at a point, by plain loops."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.tables.metrics.shared.densities import density_at


@given(
    n=st.integers(0, 12),
    n_points=st.integers(0, 8),
    apart=st.booleans(),
    seed=st.integers(0, 2**32 - 1),
)
def test_adds_up_all_boxes_that_cover_a_point(
    n: int, n_points: int, apart: bool, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    lo = rng.integers(0, 5, (n, 2), dtype=np.int32)
    if apart:
        # Ranges of a grid: equal or disjoint on every column.
        lo = lo // 2 * 2
        hi = lo + np.int32(2)
    else:
        hi = lo + rng.integers(1, 4, (n, 2), dtype=np.int32)
    amounts = rng.integers(1, 9, n).astype(float)
    points = rng.integers(0, 8, (n_points, 2), dtype=np.int32)
    expected = [
        sum(amounts[g] for g in range(n) if all(lo[g, j] <= point[j] < hi[g, j] for j in range(2)))
        for point in points.tolist()
    ]
    assert density_at(lo, hi, amounts, points).tolist() == pytest.approx(expected)
