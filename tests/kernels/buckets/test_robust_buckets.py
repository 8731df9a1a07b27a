"""Buckets of people of whom about the same is believed, against the condition in plain Python."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.buckets.robust_buckets import (
    best_partner,
    least_size,
    merge_blocks,
    plan_blocks,
)

ODDS = st.sampled_from([-2.0, -1.0, -0.5, 0.0, 0.5])
BOUND = st.sampled_from([1.5, 2.0, 3.0])

Block = tuple[list[int], int, list[tuple[float, float]]]
"""How often each of two guarded values comes, all others, and the odds of each value."""


def block() -> st.SearchStrategy[Block]:
    ends = st.tuples(ODDS, ODDS).map(lambda two: (min(two), max(two)))
    counts = st.lists(st.integers(0, 6), min_size=2, max_size=2)
    return st.tuples(counts, st.integers(0, 8), st.lists(ends, min_size=2, max_size=2))


def arrays(blocks: list[Block]) -> tuple[Any, ...]:
    return (
        np.array([b[0] for b in blocks], np.int64),
        np.array([b[1] for b in blocks], np.int64),
        np.array([[low for low, _ in b[2]] for b in blocks]),
        np.array([[high for _, high in b[2]] for b in blocks]),
        np.array([0, 1], np.int32),
    )


def plan(asked: Block, r: float) -> tuple[int, int]:
    """Try every number of buckets."""
    counts, free, ends = asked
    need = math.ceil(r)
    for count, (low, high) in zip(counts, ends, strict=True):
        if count and low < high:
            need = max(need, math.ceil(1 + (r - 1) * math.exp(high - low)))
    ways = range(sum(counts) + free + 1)
    most = max(g for g in ways if sum(min(c, g) for c in counts) + free >= need * g)
    return most, sum(max(c - most, 0) for c in counts)


def together(one: Block, other: Block) -> Block:
    ends = [(min(a[0], b[0]), max(a[1], b[1])) for a, b in zip(one[2], other[2], strict=True)]
    return [a + b for a, b in zip(one[0], other[0], strict=True)], one[1] + other[1], ends


@given(st.lists(block(), min_size=1, max_size=4), BOUND)
def test_blocks_have_as_many_buckets_as_the_condition_allows(blocks: list[Block], r: float) -> None:
    n_buckets, n_left = plan_blocks(*arrays(blocks), r)  # type: ignore[call-arg]
    assert list(zip(n_buckets.tolist(), n_left.tolist(), strict=True)) == [
        plan(b, r) for b in blocks
    ]


@pytest.mark.parametrize(
    ("low", "high", "size"),
    [
        (0.0, 0.0, 3),
        (-np.inf, -np.inf, 3),
        (0.0, math.log(2), 5),
        (-1.0, np.inf, 1 << 50),
        (-99.0, 0.0, 1 << 50),
    ],
)
def test_buckets_grow_with_the_ratio_of_odds(low: float, high: float, size: int) -> None:
    # r = 2.5: 1 + 1.5 times the ratio; with a ratio of 2 that is 4, and a little for rounding.
    assert least_size(low, high, 2.5) == size


@pytest.mark.parametrize("far", [50.0, np.inf])
def test_nobody_shares_a_bucket_with_somebody_certain(far: float) -> None:
    blocks: list[Block] = [([1, 1], 5, [(0.0, far), (0.0, 0.0)])]
    n_buckets, n_left = plan_blocks(*arrays(blocks), 2.0)  # type: ignore[call-arg]
    assert (n_buckets.tolist(), n_left.tolist()) == ([0], [2])


@given(st.lists(block(), min_size=1, max_size=5), BOUND, st.data())
def test_the_best_partner_leaves_the_fewest(
    blocks: list[Block], r: float, data: st.DataObject
) -> None:
    b = data.draw(st.integers(0, len(blocks) - 1))
    plans = [plan(one, r) for one in blocks]
    n_left = np.array([left for _, left in plans], np.int64)
    there = np.ones(len(blocks), bool)
    found = best_partner(*arrays(blocks), r, b, n_left, there, 9)  # type: ignore[call-arg]
    if len(blocks) == 1:
        assert found == -1
        return
    scores = {
        c: (left - plans[c][1], -n)
        for c in range(len(blocks))
        if c != b
        for n, left in [plan(together(blocks[b], blocks[c]), r)]
    }
    assert scores[found] == min(scores.values())


@given(st.lists(block(), min_size=1, max_size=6), BOUND, st.data())
def test_blocks_with_people_left_are_merged_and_others_are_not(
    blocks: list[Block], r: float, data: st.DataObject
) -> None:
    n = len(blocks)
    unplaced = data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))
    merged = merge_blocks(*arrays(blocks), r, np.array(unplaced, np.int64), 9).tolist()  # type: ignore[call-arg]
    sizes = [merged.count(g) for g in merged]
    assert sorted({*merged}) == list(range(max(merged) + 1))
    assert max(sizes) <= 2
    if n > 1:
        alone = [u for u, size in zip(unplaced, sizes, strict=True) if size == 1]
        assert sum(alone) <= (1 if 2 in sizes else 0)
        for g in {g for g, size in zip(merged, sizes, strict=True) if size == 2}:
            assert any(u for u, own in zip(unplaced, merged, strict=True) if own == g)
