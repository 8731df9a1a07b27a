"""Sorting rows by several columns."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.splitting.radix_sort import sorted_rows


@given(st.data(), st.sampled_from([2, 10, 2**31 - 2]))
def test_sorts_as_tuples_are_sorted(data: st.DataObject, highest: int) -> None:
    row = st.tuples(st.integers(0, 3), st.integers(0, highest), st.integers(5, 9))
    rows = data.draw(st.lists(row, min_size=2, max_size=20))
    columns = data.draw(st.lists(st.sampled_from([0, 1, 2]), unique=True))
    keys = np.array(rows, np.int32)
    lo, hi = keys.min(axis=0)[None], keys.max(axis=0)[None] + 1
    start, end = 1, len(rows)
    found = sorted_rows(keys, start, end, np.array(columns, np.int64), lo, hi, 0)
    expected = sorted(range(start, end), key=lambda i: [rows[i][j] for j in columns])
    assert found.tolist() == expected
