"""The likeliest value of each row, added up in plain Python."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.linkage.link_peaks import peaks

N_LOOKS, N_VALUES = 4, 3
histograms = st.lists(
    st.dictionaries(st.integers(0, N_VALUES - 1), st.integers(1, 4)),
    min_size=N_LOOKS,
    max_size=N_LOOKS,
)


@given(st.lists(st.lists(st.integers(0, N_LOOKS - 1), unique=True), max_size=6), histograms)
def test_finds_the_lowest_of_the_most_frequent_values(
    rows: list[list[int]], hidden: list[dict[int, int]]
) -> None:
    indptr = np.cumsum([0, *map(len, rows)]).astype(np.int64)
    looks = np.array([look for row in rows for look in row], np.int32)
    starts = np.cumsum([0, *map(len, hidden)]).astype(np.int64)
    values = np.array([v for one in hidden for v in one], np.int32)
    amounts = np.array([n for one in hidden for n in one.values()], float)
    codes, most = peaks(indptr, looks, starts, values, amounts, N_VALUES)
    for row, code, amount in zip(rows, codes.tolist(), most.tolist(), strict=True):
        sums = [sum(hidden[look].get(v, 0) for look in row) for v in range(N_VALUES)]
        assert amount == max(sums)
        assert code == (sums.index(max(sums)) if max(sums) else -1)
