"""Boxes around points, beside a look at every box."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.stabbing import boxes_around, build_tree
from unlinkable.typing import CodeArray, CountArray

Tree = tuple[CountArray, CodeArray, CodeArray]


def by_definition(point: CodeArray, lo: CodeArray, hi: CodeArray) -> list[int]:
    return [
        g
        for g in range(len(lo))
        if all(a <= x < b for a, x, b in zip(lo[g], point, hi[g], strict=True))
    ]


def found(point: CodeArray, lo: CodeArray, hi: CodeArray, tree: Tree) -> tuple[list[int], int]:
    into = np.empty(len(lo), np.int64)
    n, n_seen = boxes_around(point, lo, hi, *tree, np.empty(192, np.int64), into)
    return sorted(into[:n].tolist()), n_seen


@given(st.integers(0, 60), st.integers(1, 3), st.integers(0, 2**32 - 1))
def test_says_what_the_definition_says(n: int, d: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    lo = rng.integers(0, 8, (n, d), dtype=np.int32)
    hi = lo + rng.integers(1, 5, (n, d), dtype=np.int32)
    tree = build_tree(lo, hi)
    assert sorted(tree[0].tolist()) == list(range(n))
    for point in rng.integers(-1, 13, (20, d), dtype=np.int32):
        assert found(point, lo, hi, tree)[0] == by_definition(point, lo, hi)


def test_few_boxes_are_looked_at_where_none_overlap() -> None:
    side = np.arange(64, dtype=np.int32)
    lo = np.stack(np.meshgrid(side, side, indexing="ij"), axis=-1).reshape(-1, 2)
    tree = build_tree(lo, lo + np.int32(1))
    for cell in (0, 63, 1000, 4095):
        boxes, n_seen = found(lo[cell], lo, lo + np.int32(1), tree)
        assert boxes == [cell]
        assert n_seen <= 2 * 10 + 8 + 1  # two nodes on each of 10 levels, and the boxes of one leaf


def test_boxes_that_are_all_the_same_are_all_found() -> None:
    lo = np.zeros((100, 2), np.int32)
    tree = build_tree(lo, lo + np.int32(3))
    point = np.array([2, 0], np.int32)
    assert found(point, lo, lo + np.int32(3), tree)[0] == list(range(100))
    assert found(np.array([3, 0], np.int32), lo, lo + np.int32(3), tree) == ([], 1)
