"""The most likely value of people who could have several records."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.linkage.likeliest_values import likeliest

LOOK = st.dictionaries(st.integers(0, 4), st.integers(1, 5), max_size=4)


@given(
    st.lists(LOOK, min_size=1, max_size=6),
    st.lists(st.lists(st.integers(0, 5), max_size=4), max_size=6),
)
def test_equals_adding_up_by_hand(hides: list[dict[int, int]], people: list[list[int]]) -> None:
    people = [[look for look in looks if look < len(hides)] for looks in people]
    rows = [sorted(look.items()) for look in hides]
    mass_indptr = np.cumsum([0, *map(len, rows)])
    values = np.array([v for row in rows for v, _ in row], np.int32)
    masses = np.array([m for row in rows for _, m in row], float)
    indptr = np.cumsum([0, *map(len, people)])
    looks = np.array([look for looks in people for look in looks], np.int32)
    best, peak, total = likeliest(indptr, looks, mass_indptr, values, masses, 5)
    for i, own in enumerate(people):
        added = {v: sum(hides[look].get(v, 0) for look in own) for v in range(5)}
        most = max(added.values())
        assert (total[i], peak[i]) == (sum(added.values()), most)
        assert best[i] == (min(v for v in added if added[v] == most) if most else -1)
