"""Adding up what lies in ranges, a slice at a time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.ranges_by_definition import RandomBlocks, random_blocks
from unlinkable.kernels.queries.range_sums import order_by_code, sums_by_slices
from unlinkable.typing import FloatArray


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
