"""Adding up what lies in ranges, a slice at a time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels import ranges_by_definition
from tests.kernels.ranges_by_definition import RandomBlocks, random_blocks
from tests.tables.groups.plain import histogram_of
from unlinkable.kernels.queries import range_sums
from unlinkable.kernels.queries.range_sums import (
    order_by_code,
    shares_in_ranges,
    sums_by_scan,
    sums_by_slices,
)
from unlinkable.typing import CodeArray, FloatArray


def sliced(blocks: RandomBlocks, first: int) -> FloatArray:
    """Answer queries on the same columns, of which ``first`` is walked."""
    at = blocks.at[0]
    turned = np.roll(np.arange(at.size), -(first % at.size))
    at = at[turned]
    order, _ = order_by_code(blocks.lo[at[0]], blocks.sizes[at[0]])
    lo, hi = blocks.lo[:, order], blocks.hi[:, order]
    is_spread = np.array([(hi[c] - lo[c] > 1).any() for c in at], bool)
    sizes = np.array(blocks.sizes, np.int64)[at]
    asked = blocks.ends_asked(0)[:, turned], blocks.ends_asked(1)[:, turned]
    return sums_by_slices(lo, hi, blocks.weights[order], at, sizes, is_spread, *asked)


@given(random_blocks(same_columns=True), st.integers(0, 3))
def test_adds_up_what_lies_inside_whichever_column_is_walked(
    blocks: RandomBlocks, first: int
) -> None:
    expected = [float(answer) for answer in blocks.answers()]
    assert sliced(blocks, first).tolist() == pytest.approx(expected, abs=1e-9)


@given(random_blocks(same_columns=True, points=True))
def test_whole_masses_of_points_are_added_without_error(blocks: RandomBlocks) -> None:
    assert sliced(blocks, 0).tolist() == blocks.answers()


@given(st.lists(st.integers(-1, 4), max_size=20))
def test_sorts_rows_by_their_codes_and_keeps_the_order_of_equal_ones(codes: list[int]) -> None:
    order, starts = order_by_code(np.array(codes, np.int32), 5)
    rising = sorted((i for i, code in enumerate(codes) if code >= 0), key=lambda i: codes[i])
    assert order.tolist() == rising
    assert starts.tolist() == [sum(0 <= c < code for c in codes) for code in range(6)]


def scanned(blocks: RandomBlocks, buckets: CodeArray, shares: FloatArray) -> FloatArray:
    is_spread = np.array([(wide > 1).any() for wide in blocks.hi - blocks.lo], bool)
    asked = blocks.ends_asked(0), blocks.ends_asked(1)
    return sums_by_scan(
        blocks.lo, blocks.hi, blocks.weights, buckets, shares, blocks.at, is_spread, *asked
    )


@given(random_blocks())
def test_adds_up_what_lies_inside(blocks: RandomBlocks) -> None:
    none = np.zeros((len(blocks.asked), 0))
    expected = [float(answer) for answer in blocks.answers()]
    found = scanned(blocks, np.empty(0, np.int32), none)
    assert found.tolist() == pytest.approx(expected, abs=1e-9)


@given(random_blocks(points=True), st.data())
def test_gives_a_query_its_share_of_every_bucket(blocks: RandomBlocks, data: st.DataObject) -> None:
    n, n_asked = len(blocks.boxes), len(blocks.asked)
    buckets = data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    quarters = st.lists(st.integers(0, 4), min_size=3, max_size=3)
    shares = data.draw(st.lists(quarters, min_size=n_asked, max_size=n_asked))
    found = scanned(blocks, np.array(buckets, np.int32), np.array(shares) / 4)
    for q, asked in enumerate(blocks.asked):
        given = [m * shares[q][g] for m, g in zip(blocks.masses, buckets, strict=True)]
        assert 4 * found[q] == ranges_by_definition.sum_in_ranges(blocks.boxes, given, asked)


def test_blocks_of_several_tiles_are_all_looked_at() -> None:
    n = 2 * range_sums._TILE + 7
    codes = (np.arange(n, dtype=np.int32) % 5).reshape(1, n)
    none = np.empty(0, np.int32), np.zeros((1, 0))
    at, spread = np.zeros((1, 1), np.int64), np.zeros(1, bool)
    asked = np.array([[1]], np.int32), np.array([[3]], np.int32)
    found = sums_by_scan(codes, codes + np.int32(1), np.ones(n), *none, at, spread, *asked)
    assert found.tolist() == [sum(i % 5 in (1, 2) for i in range(n))]


@given(
    st.lists(st.lists(st.integers(0, 3), min_size=4, max_size=4), min_size=1, max_size=5),
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=6),
)
def test_shares_are_counts_within_a_range_out_of_all(
    rows: list[list[int]], asked: list[tuple[int, int]]
) -> None:
    hidden = histogram_of(rows)
    lo, hi = (np.array([ends[k] for ends in asked], np.int32) for k in (0, 1))
    found = shares_in_ranges(hidden.indptr, hidden.values, hidden.counts, lo, hi)
    expected = ranges_by_definition.shares_in_ranges([dict(enumerate(r)) for r in rows], asked)
    assert found.tolist() == [[float(share) for share in row] for row in expected]
