"""Boxes around groups, and the smallest box around a row."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels import by_definition
from unlinkable.kernels.counting import boxes
from unlinkable.kernels.counting.boxes import count_covered

D = 2

ROWS = st.lists(st.tuples(*[st.integers(-1, 6)] * D), max_size=15)

RANGES = st.tuples(st.integers(0, 6), st.integers(1, 4)).map(lambda r: (r[0], r[0] + r[1]))


@given(
    st.lists(st.tuples(st.integers(-1, 3), *[st.integers(0, 9)] * 3), max_size=20),
)
def test_boxes_are_tight(records: list[tuple[int, int, int, int]]) -> None:
    labels, keys = [r[0] for r in records], [r[1:] for r in records]
    codes = np.array(keys, np.int32).reshape(-1, 3)
    lo, hi = boxes.bounding_boxes(codes, np.array(labels, np.int32), 4)
    found = [list(zip(a, b, strict=True)) for a, b in zip(lo.tolist(), hi.tolist(), strict=True)]
    assert found == by_definition.bounding_boxes(keys, labels, 4, 3)


@given(ROWS, st.lists(st.tuples(*[RANGES] * D), max_size=5))
def test_the_smallest_box_that_covers_a_row(
    rows: list[tuple[int, ...]], around: list[tuple[tuple[int, int], ...]]
) -> None:
    keys = np.array(rows, np.int32).reshape(-1, D)
    ranges = np.array(around, np.int32).reshape(-1, D, 2)
    found = boxes.smallest_covering_box(keys, ranges[:, :, 0].copy(), ranges[:, :, 1].copy())
    expected = by_definition.smallest_covering_box(rows, [list(box) for box in around])
    assert found.tolist() == expected


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
