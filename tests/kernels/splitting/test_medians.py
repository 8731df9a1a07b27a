"""Medians: the unit in which half of the records is reached."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.splitting.medians import BUCKETS, median, unit_of


def by_definition(codes: list[int], sizes: list[int]) -> tuple[int, int, int]:
    """Count up from below."""
    for unit in sorted(set(codes)):
        below = sum(n for c, n in zip(codes, sizes, strict=True) if c < unit)
        equal = sum(n for c, n in zip(codes, sizes, strict=True) if c == unit)
        if 2 * (below + equal) >= sum(sizes):
            return unit, below, equal
    raise AssertionError


@pytest.mark.parametrize("highest", [3, 100, 10_000, 2**31 - 2])
@given(data=st.data())
def test_finds_the_middle_of_narrow_and_wide_ranges(highest: int, data: st.DataObject) -> None:
    rows = st.tuples(st.integers(0, highest), st.integers(1, 9))
    drawn = data.draw(st.lists(rows, min_size=1, max_size=30))
    codes, sizes = [c for c, _ in drawn], [n for _, n in drawn]
    keys = np.array([[-7, c] for c in codes], np.int32)
    found = median(
        keys,
        np.array(sizes),
        0,
        len(codes),
        1,
        min(codes),
        max(codes) + 1,
        sum(sizes),
        np.empty(0, np.int32),
        -1,
        np.full(BUCKETS, 99),
    )
    assert found == by_definition(codes, sizes)


def test_nodes_are_units_where_a_level_is_given() -> None:
    firsts = np.array([7, 7, 0, 0, 0, 3, 3], np.int32)
    keys = np.array([[0], [1], [3], [4]], np.int32)
    sizes = np.array([1, 1, 3, 1])
    counts = np.zeros(BUCKETS, np.int64)
    assert unit_of(firsts, 2, 1) == 0
    assert median(keys, sizes, 0, 4, 0, 0, 5, 6, firsts, 2, counts) == (3, 2, 4)
