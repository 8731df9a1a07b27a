"""Showing that no two boxes have a point in common."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.queries.disjoint_boxes import are_surely_apart
from unlinkable.typing import CodeArray

CODES = st.integers(0, 5)
RANGE = st.tuples(CODES, CODES).map(lambda ends: (min(ends), max(ends) + 1))


def by_definition(lo: CodeArray, hi: CodeArray) -> bool:
    """Compare each box with each."""
    return not any(
        (np.maximum(lo[:, a], lo[:, b]) < np.minimum(hi[:, a], hi[:, b])).all()
        for a, b in combinations(range(lo.shape[1]), 2)
    )


@given(st.lists(st.tuples(RANGE, RANGE, RANGE), max_size=6))
def test_few_boxes_are_compared_each_with_each(
    boxes: list[tuple[tuple[int, int], tuple[int, int], tuple[int, int]]],
) -> None:
    ends = np.array(boxes, np.int32).reshape(-1, 3, 2)
    lo, hi = (np.ascontiguousarray(ends[:, :, side].T) for side in (0, 1))
    assert are_surely_apart(lo, hi) == by_definition(lo, hi)


@pytest.mark.parametrize("width", [1, 7, 100_000])
@given(st.integers(0, 2**32 - 1))
def test_boxes_that_were_cut_are_apart_and_one_that_overlaps_is_found(
    width: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    lo, hi = _cut(rng, 300, width)
    assert are_surely_apart(lo, hi)
    one, other = rng.choice(lo.shape[1], 2, replace=False)
    lo[:, one] = lo[:, other]
    hi[:, one] = np.maximum(hi[:, one], hi[:, other])
    assert not are_surely_apart(lo, hi)


@pytest.mark.parametrize("n", [2, 100, 1000])
def test_boxes_that_no_cut_parts_are_compared_if_they_are_not_too_many(n: int) -> None:
    """Four boxes around a fifth: every cut goes through one of them. Many such, one in another."""
    around = [((0, 2), (0, 1)), ((2, 3), (0, 2)), ((1, 3), (2, 3)), ((0, 1), (1, 3))]
    boxes = [((x, x + 1), *around[i]) for x, i in product(range(n), range(4))]
    ends = np.array(boxes, np.int32)
    lo, hi = (np.ascontiguousarray(ends[:, :, side].T) for side in (0, 1))
    assert are_surely_apart(lo, hi)
    # Without the first column all are one above the other.
    assert not are_surely_apart(lo[1:].copy(), hi[1:].copy())


def test_many_boxes_that_no_cut_parts_are_not_shown_to_be_apart() -> None:
    """Four bundles of boxes around a square: every cut goes through one of the bundles."""
    n = 100
    steps, zeros = np.arange(n), np.zeros(n, int)
    below = [zeros, steps, zeros + 2 * n, steps + 1]
    right = [2 * n + steps, zeros, 2 * n + steps + 1, zeros + 2 * n]
    above = [zeros + n, 2 * n + steps, zeros + 3 * n, 2 * n + steps + 1]
    left = [steps, zeros + n, steps + 1, zeros + 3 * n]
    ends = np.concatenate([below, right, above, left], axis=1).astype(np.int32)
    lo, hi = ends[:2].copy(), ends[2:].copy()
    assert by_definition(lo, hi)
    assert not are_surely_apart(lo, hi)
    assert are_surely_apart(lo[:, ::2].copy(), hi[:, ::2].copy()), "few enough to compare"


def _cut(rng: np.random.Generator, n: int, width: int) -> tuple[CodeArray, CodeArray]:
    """Cut a cube into boxes, one cut after the other."""
    lo, hi = [[0, 0, 0]], [[40 * width] * 3]
    while len(lo) < n:
        box, column = int(rng.integers(len(lo))), int(rng.integers(3))
        if hi[box][column] - lo[box][column] < 2:
            continue
        cut = int(rng.integers(lo[box][column] + 1, hi[box][column]))
        lo.append([*lo[box]])
        hi.append([*hi[box]])
        lo[-1][column], hi[box][column] = cut, cut
    return (np.ascontiguousarray(np.array(ends, np.int32).T) for ends in (lo, hi))  # type: ignore[return-value]
