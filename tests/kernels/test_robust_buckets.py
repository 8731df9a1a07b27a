"""Buckets of people of whom about the same is believed, against the condition in plain Python."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.robust_buckets import (
    best_partner,
    merge_blocks,
    place_apart,
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


def keeps(bucket: list[int], who: int, values: list[int], odds: list[float], r: float) -> bool:
    """Nobody else has the value of one of them, and they are enough for how far apart they are."""
    guarded = [values[i] for i in bucket if values[i] >= 0]
    if values[who] >= 0 and guarded.count(values[who]) > 1:
        return False
    span = max(odds[i] for i in bucket) - min(odds[i] for i in bucket)
    need = math.ceil(r) if span == 0 else math.ceil(1 + (r - 1) * math.exp(span))
    return not guarded or len(bucket) >= need


@given(
    st.lists(st.tuples(st.integers(-1, 2), ODDS, st.integers(-1, 3)), min_size=1, max_size=14),
    BOUND,
)
def test_who_joins_a_bucket_keeps_its_condition(
    people: list[tuple[int, float, int]], r: float
) -> None:
    values, odds, given_buckets = (list(column) for column in zip(*people, strict=True))
    buckets = np.array(given_buckets, np.int32)
    left = np.flatnonzero(buckets < 0)
    home = np.maximum(buckets, 0)  # a block of its own for each bucket
    n_lost = place_apart(
        left,
        buckets,
        home.astype(np.int32),
        np.arange(5, dtype=np.int64),
        np.array(values, np.int32),
        np.arange(len(people), dtype=np.int32),
        np.repeat(np.array(odds)[:, None], 3, axis=1),
        np.array([0, 1, 2], np.int32),
        r,
        8,
        np.zeros(left.size, np.int64),
    )
    assert n_lost == int((buckets < 0).sum())
    members = {g: [i for i in range(len(people)) if buckets[i] == g] for g in range(4)}
    for i in left.tolist():
        if buckets[i] >= 0:
            assert keeps(members[int(buckets[i])], i, values, odds, r)
    if n_lost and not (buckets[left] >= 0).any():
        for i in left.tolist():
            for g in range(4):
                assert not keeps([*members[g], i], i, values, odds, r)
