"""Sets of boxes of which none holds another: by definition."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.flows.regions import add_box

BOXES = st.lists(
    st.lists(st.tuples(st.integers(0, 3), st.integers(1, 3)), min_size=2, max_size=2),
    min_size=1,
    max_size=6,
)
Box = list[tuple[int, int]]


def points(box: Box) -> set[tuple[int, int]]:
    (a, w), (b, h) = box
    return {(x, y) for x in range(a, a + w) for y in range(b, b + h)}


@given(BOXES, st.data())
def test_keeps_what_holds_nothing_else(boxes: list[Box], data: st.DataObject) -> None:
    lo = np.array([[a for a, _ in box] for box in boxes], np.int32)
    hi = np.array([[a + w for a, w in box] for box in boxes], np.int32)
    chosen = data.draw(st.lists(st.integers(0, len(boxes) - 1), min_size=1, max_size=4))
    indptr, members = np.zeros(2, np.int64), np.zeros(0, np.int32)
    for box in chosen:
        indptr, members = add_box(indptr, members, np.array([box], np.int32), lo, hi)
    left = members.tolist()
    assert left == sorted(left)
    inside = set.intersection(*(points(boxes[b]) for b in chosen))
    assert set.intersection(*(points(boxes[b]) for b in left)) == inside
    for a in left:
        assert not any(a != b and points(boxes[a]) >= points(boxes[b]) for b in left)
