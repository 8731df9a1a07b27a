"""Blocks: both ways of adding up against the definition, and the choice between them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.ranges_by_definition import RandomBlocks, random_blocks
from unlinkable.tables.metrics.shared import blocks as module
from unlinkable.tables.metrics.shared.blocks import Blocks, density_at
from unlinkable.tables.metrics.shared.workload import Workload
from unlinkable.typing import FloatArray

WAYS = [Blocks.sums, Blocks.by_slices, Blocks.by_scan]


def workload_of(random: RandomBlocks) -> Workload:
    names = tuple("abcde"[: len(random.sizes)])
    ends = random.ends_asked(0), random.ends_asked(1)
    return Workload(names, np.array(random.sizes, np.int64), random.at, *ends)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@given(random=random_blocks())
def test_adds_up_what_lies_in_each_query(
    way: Callable[[Blocks, Workload], FloatArray], random: RandomBlocks
) -> None:
    blocks = Blocks(random.lo, random.hi, random.weights)
    found = way(blocks, workload_of(random)).tolist()
    assert found == pytest.approx([float(answer) for answer in random.answers()], abs=1e-9)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@given(random=random_blocks(points=True))
def test_whole_masses_of_points_are_added_without_error(
    way: Callable[[Blocks, Workload], FloatArray], random: RandomBlocks
) -> None:
    blocks = Blocks.of_points(random.lo, random.weights)
    assert way(blocks, workload_of(random)).tolist() == random.answers()


def test_tables_are_for_many_queries_and_a_scan_for_few() -> None:
    blocks = Blocks.of_points(np.zeros((2, 100_000), np.int32), np.ones(100_000))
    sizes, at = np.array([90, 20]), np.array([0, 1])
    assert blocks._prefers_scan(sizes, at, 1)
    assert not blocks._prefers_scan(sizes, at, 1000)


def test_a_table_that_is_too_large_is_not_made() -> None:
    blocks = Blocks.of_points(np.zeros((2, 10), np.int32), np.ones(10))
    side = module._LARGEST
    at = np.array([0, 1])
    # Cheap as it is, the table for two such columns would be over the limit.
    assert blocks._prefers_scan(np.array([side + 1, side + 1]), at, 10**15)
    assert not blocks._prefers_scan(np.array([side, side]), at, 10**15)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_tells_of_every_query_that_was_answered(way: Callable[..., FloatArray]) -> None:
    rng = np.random.default_rng(0)
    at = np.sort(rng.random((700, 3)).argsort(axis=1)[:, :2], axis=1)
    lo = np.zeros((700, 2), np.int32)
    workload = Workload(("a", "b", "c"), np.array([3, 4, 5]), at, lo, lo + np.int32(2))
    ticks: list[float] = []
    way(Blocks.of_points(np.zeros((3, 4), np.int32), np.ones(4)), workload, ticks.append)
    assert len(ticks) >= 3
    assert sum(ticks) == 700


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
