"""Interning: equal lists are kept once."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.tables.series.incremental.interning import intern_lists

PAIRS = st.tuples(st.integers(0, 2), st.integers(0, 2))


@given(st.lists(st.lists(PAIRS, max_size=3), max_size=8))
def test_lists_have_the_same_number_if_they_are_equal(lists: list[list[tuple[int, int]]]) -> None:
    indptr = np.append(0, np.cumsum([len(one) for one in lists])).astype(np.int64)
    flat = np.array([pair for one in lists for pair in one], np.int64).reshape(-1, 2)
    labels, first = intern_lists(indptr, flat[:, 0], flat[:, 1])
    seen: list[list[tuple[int, int]]] = []
    for one in lists:
        if one not in seen:
            seen.append(one)
    assert labels.tolist() == [seen.index(one) for one in lists]
    assert [lists[i] for i in first.tolist()] == seen
