"""Giving records to people: pair by pair in plain Python."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.linkage.assigning import assign_greedily


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=12, unique=True),
    st.lists(st.integers(0, 3), min_size=4, max_size=4),
    st.lists(st.integers(0, 3), min_size=4, max_size=4),
    st.randoms(),
)
def test_gives_as_many_as_are_left(
    pairs: list[tuple[int, int]], people: list[int], records: list[int], random: object
) -> None:
    order = list(range(len(pairs)))
    random.shuffle(order)  # type: ignore[attr-defined]
    kinds, looks = (np.array([pair[i] for pair in pairs], np.int32) for i in (0, 1))
    given_away = assign_greedily(
        np.array(order, np.int64), kinds, looks, np.array(people), np.array(records)
    )
    left, free = list(people), list(records)
    for e in order:
        kind, look = pairs[e]
        n = min(left[kind], free[look])
        left[kind] -= n
        free[look] -= n
        assert given_away[e] == n
