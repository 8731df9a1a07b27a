"""Counting the points that lie in boxes."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.counting.covering import count_covered

CODES = st.integers(0, 4)


@given(
    st.lists(st.tuples(CODES, CODES, CODES, CODES), max_size=80),
    st.lists(st.tuples(CODES, CODES, st.integers(1, 3)), max_size=12),
)
def test_counts_what_lies_inside(
    boxes: list[tuple[int, int, int, int]], points: list[tuple[int, int, int]]
) -> None:
    lo = np.array([(a, c) for a, _, c, _ in boxes], np.int32).reshape(-1, 2)
    hi = np.array([(b, d) for _, b, _, d in boxes], np.int32).reshape(-1, 2)
    at = np.array([(x, y) for x, y, _ in points], np.int32).reshape(-1, 2)
    weights = np.array([w for *_, w in points], np.int64)
    counts, outside = count_covered(lo, hi, at, weights)
    inside = [[a <= x < b and c <= y < d for a, b, c, d in boxes] for x, y, _ in points]
    assert counts.tolist() == [
        sum(w for (*_, w), row in zip(points, inside, strict=True) if row[g])
        for g in range(len(boxes))
    ]
    assert outside == sum(w for (*_, w), row in zip(points, inside, strict=True) if not any(row))
