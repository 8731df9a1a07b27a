"""Adding up what the boxes amount to that cover a point."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.counting.boxes import bounding_boxes
from unlinkable.kernels.queries.densities import sum_covering
from unlinkable.typing import CodeArray, CountArray, FloatArray

CODES = st.integers(0, 4)
RANGE = st.tuples(CODES, CODES).map(lambda ends: (min(ends), max(ends) + 1))


def by_definition(
    lo: CodeArray, hi: CodeArray, amounts: FloatArray, points: CodeArray
) -> list[float]:
    """Look at every point and every box."""
    found = []
    for point in points:
        is_inside = ((lo <= point) & (point < hi)).all(axis=1)
        found.append(float(amounts[is_inside].sum()))
    return found


@given(
    st.lists(st.tuples(RANGE, RANGE, st.integers(1, 9)), max_size=80),
    st.lists(st.tuples(CODES, CODES), max_size=12),
)
def test_adds_up_what_covers_a_point(
    boxes: list[tuple[tuple[int, int], tuple[int, int], int]], points: list[tuple[int, int]]
) -> None:
    lo = np.array([(a[0], b[0]) for a, b, _ in boxes], np.int32).reshape(-1, 2)
    hi = np.array([(a[1], b[1]) for a, b, _ in boxes], np.int32).reshape(-1, 2)
    amounts = np.array([amount for *_, amount in boxes], float)
    at = np.array(points, np.int32).reshape(-1, 2)
    assert sum_covering(lo, hi, amounts, at).tolist() == by_definition(lo, hi, amounts, at)


@pytest.mark.parametrize("n_points", [300, 3000])
@pytest.mark.parametrize("n_codes", [3, 50, 10**6])
@pytest.mark.parametrize("overlap", [0.0, 0.01, 1.0])
def test_boxes_that_can_be_parted_and_boxes_that_overlap(
    n_points: int, n_codes: int, overlap: float
) -> None:
    rng = np.random.default_rng(0)
    points = rng.integers(0, n_codes, (n_points, 3)).astype(np.int32)
    labels = _halved(points, np.arange(n_points), 0)
    moved = rng.random(n_points) < overlap
    labels[moved] = rng.permutation(labels[moved])
    kept = np.unique(labels, return_inverse=True)[1].astype(np.int32)
    lo, hi = bounding_boxes(points, kept, int(kept.max()) + 1)
    amounts = rng.integers(1, 9, len(lo)).astype(float)
    at = np.vstack([points, rng.integers(0, n_codes, (200, 3)).astype(np.int32)])
    assert sum_covering(lo, hi, amounts, at).tolist() == by_definition(lo, hi, amounts, at)


def _halved(points: CodeArray, rows: CountArray, depth: int) -> CodeArray:
    """Cut points in halves, columns by turns, until few are left."""
    labels = np.zeros(len(rows), np.int32)
    column = points[rows, depth % 3]
    is_left = column <= np.median(column)
    if len(rows) <= 4 or is_left.all() or depth == 12:
        return labels
    labels[is_left] = _halved(points, rows[is_left], depth + 1)
    labels[~is_left] = _halved(points, rows[~is_left], depth + 1) + labels.max() + 1
    return labels


@pytest.mark.parametrize("n_boxes", [1, 63, 64, 65, 2048, 2049, 5000])
def test_any_number_of_boxes_is_looked_at(n_boxes: int) -> None:
    lo = np.zeros((n_boxes, 1), np.int32)
    hi = np.arange(1, n_boxes + 1, dtype=np.int32).reshape(-1, 1)
    points = np.array([[0], [n_boxes // 2], [n_boxes - 1], [n_boxes]], np.int32)
    found = sum_covering(lo, hi, np.ones(n_boxes), points)
    assert found.tolist() == [n_boxes, n_boxes - n_boxes // 2, 1, 0]
