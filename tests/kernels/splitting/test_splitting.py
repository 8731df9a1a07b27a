"""Cutting regions: what a cut leaves in place, and where it cuts.

That a whole search cuts where a literal one does is tested with the method.
"""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.splitting.splitting import halve, ranges

NO_NODES = np.empty(0, np.int32)
ORDER = np.array([[-1, 9, 1, -1]] * 2, np.int64)
EVEN = np.ones(2)


@st.composite
def regions(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Draw distinct rows with sizes, cut into stretches."""
    row = st.tuples(st.integers(0, 8), st.integers(0, 3))
    keys = np.array(draw(st.lists(row, min_size=1, max_size=20, unique=True)), np.int32)
    sizes = np.array(draw(st.lists(st.integers(1, 4), min_size=len(keys), max_size=len(keys))))
    inner = draw(st.sets(st.integers(1, max(len(keys) - 1, 1)), max_size=3))
    ends = np.array([0, *sorted(i for i in inner if i < len(keys)), len(keys)], np.int64)
    return keys, sizes, ends[:-1], ends[1:]


@given(regions())
def test_ranges_are_the_smallest(drawn: tuple[np.ndarray, ...]) -> None:
    keys, _, start, end = drawn
    lo, hi = ranges(keys, start, end)
    for g, (s, e) in enumerate(zip(start, end, strict=True)):
        assert lo[g].tolist() == keys[s:e].min(axis=0).tolist()
        assert hi[g].tolist() == (keys[s:e].max(axis=0) + 1).tolist()


@given(regions(), st.integers(1, 4), st.booleans())
def test_a_cut_moves_rows_within_their_region_only(
    drawn: tuple[np.ndarray, ...], least: int, strict: bool
) -> None:
    keys, sizes, start, end = drawn
    lo, hi = ranges(keys, start, end)
    total = np.array([sizes[s:e].sum() for s, e in zip(start, end, strict=True)])
    moved, moved_sizes = keys.copy(), sizes.copy()
    order = np.arange(len(keys), dtype=np.int32)
    last = np.full(len(start), -1, np.int32)
    middle, lower, tried = halve(
        moved, moved_sizes, order, start, end, total, lo, hi, last,
        EVEN, ORDER, NO_NODES, least, strict,
    )  # fmt: skip
    assert (moved == keys[order]).all()
    assert (moved_sizes == sizes[order]).all()
    assert tried <= 2 * len(start)
    for g, (s, e) in enumerate(zip(start, end, strict=True)):
        assert sorted(order[s:e].tolist()) == list(range(s, e))
        if middle[g] < 0:
            continue
        below, above = moved[s : middle[g], last[g]], moved[middle[g] : e, last[g]]
        assert moved_sizes[s : middle[g]].sum() == lower[g]
        assert min(lower[g], total[g] - lower[g]) >= least
        assert below.max() < above.min() if strict else below.max() <= above.min()


def test_columns_that_were_tried_are_not_tried_again() -> None:
    keys = np.array([[0, 0], [8, 1], [8, 2], [8, 3]], np.int32)
    sizes, order = np.ones(4, np.int64), np.arange(4, dtype=np.int32)
    start, end, total = np.array([0]), np.array([4]), np.array([4])
    lo, hi = ranges(keys, start, end)
    last = np.array([-1], np.int32)
    arguments = (start, end, total, lo, hi, last, EVEN, ORDER, NO_NODES)
    assert halve(keys, sizes, order, *arguments, 1, True)[0].tolist() == [1]
    assert last.tolist() == [0]
    assert halve(keys, sizes, order, *arguments, 1, True)[0].tolist() == [2]
    assert last.tolist() == [1]
    middle, _, tried = halve(keys, sizes, order, *arguments, 1, True)
    assert (middle.tolist(), tried) == ([-1], 0)


def test_ties_are_parted_in_the_order_of_the_other_columns() -> None:
    keys = np.array([[5, 8], [5, 2], [5, 6], [9, 0], [5, 4]], np.int32)
    sizes, order = np.ones(5, np.int64), np.arange(5, dtype=np.int32)
    start, end, total = np.array([0]), np.array([5]), np.array([5])
    lo, hi = ranges(keys, start, end)
    scale = np.array([9.0, 1.0])
    last = np.array([-1], np.int32)
    arguments = (start, end, total, lo, hi, last, scale, ORDER, NO_NODES)
    middle, lower, _ = halve(keys, sizes, order, *arguments, 2, False)
    assert (middle.tolist(), lower.tolist()) == ([2], [2])
    assert keys[:2].tolist() == [[5, 2], [5, 4]]
