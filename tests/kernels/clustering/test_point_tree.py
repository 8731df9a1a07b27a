"""Nearest and farthest of the points that are left: the tree against looking at all of them."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.clustering.point_tree import (
    LEAF,
    build,
    farthest,
    find_within,
    nearest,
    take,
)

Point = tuple[float, ...]


@st.composite
def clouds(draw: st.DrawFn) -> list[Point]:
    """Draw points on a coarse grid, where many are equal or as far, or anywhere."""
    d = draw(st.integers(1, 3))
    coarse = st.integers(-2, 2).map(float)
    fine = st.floats(-1e3, 1e3, allow_subnormal=False)
    value = draw(st.sampled_from([coarse, fine]))
    return draw(st.lists(st.tuples(*[value] * d), min_size=1, max_size=80))


def gap(a: Point, b: Point) -> float:
    """Add up squares from the first column on."""
    total = 0.0
    for x, y in zip(a, b, strict=True):
        # A power may be rounded in another way than a product.
        total += (x - y) * (x - y)
    return total


@given(clouds(), st.data())
def test_answers_are_those_of_looking_at_all_points_that_are_left(
    cloud: list[Point], data: st.DataObject
) -> None:
    points = np.array(cloud)
    chosen = sorted(data.draw(st.sets(st.integers(0, len(cloud) - 1), min_size=1)))
    tree = build(points, np.array(chosen))
    going = data.draw(st.permutations(chosen))[: len(chosen) - 1]
    at = data.draw(st.sampled_from([*cloud, tuple(0.3 for _ in cloud[0])]))
    k, limit = data.draw(st.integers(1, 6)), data.draw(st.sampled_from([0.0, 1.0, 2.5, 1e5]))
    rows, apart, found = np.empty(k, np.int64), np.empty(k), np.empty(len(cloud), np.int64)
    for gone in [None, *going]:
        if gone is not None:
            take(tree, gone)
            chosen.remove(gone)
        where = np.array(at)
        by_gap = sorted(chosen, key=lambda row: (gap(cloud[row], at), row))
        n, _ = nearest(tree, where, k, rows, apart)
        assert sorted(zip(apart[:n], rows[:n], strict=True)) == [
            (gap(cloud[row], at), row) for row in by_gap[:k]
        ]
        far, _ = farthest(tree, where)
        assert far == min(chosen, key=lambda row: (-gap(cloud[row], at), row))
        n = find_within(tree, where, limit, found)
        assert sorted(found[:n]) == [row for row in chosen if gap(cloud[row], at) <= limit]


def test_most_of_a_large_cloud_is_never_looked_at() -> None:
    points = np.random.default_rng(0).normal(size=(20_000, 3))
    tree = build(points, np.arange(len(points)))
    rows, apart = np.empty(5, np.int64), np.empty(5)
    _, seen = nearest(tree, points[0], 5, rows, apart)
    assert seen < 20 * LEAF
    _, seen = farthest(tree, points.mean(axis=0))
    assert seen < 10 * LEAF


def test_equal_points_are_told_apart_by_their_rows_without_looking_at_all() -> None:
    points = np.zeros((5_000, 2))
    tree = build(points, np.arange(len(points)))
    rows, apart = np.empty(3, np.int64), np.empty(3)
    _, seen = nearest(tree, points[0], 3, rows, apart)
    assert sorted(rows) == [0, 1, 2]
    assert seen <= 2 * LEAF
    found, seen = farthest(tree, points[0])
    assert found == 0
    assert seen <= 2 * LEAF
