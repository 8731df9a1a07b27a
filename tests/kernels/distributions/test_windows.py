"""The fullest window around a code of a row, beside counting one by one."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.groups.plain import histogram_of
from unlinkable.kernels.distributions.windows import fullest_windows

Window = tuple[int, int]


def fullest(row: list[int], windows: list[Window]) -> int:
    """Count what lies in the window of every code that occurs, and take the most."""
    found = [
        sum(n for code, n in enumerate(row) if lo <= code < hi)
        for (lo, hi), here in zip(windows, row, strict=True)
        if here
    ]
    return max(found, default=0)


@given(st.data(), st.integers(1, 8))
def test_counts_what_counting_one_by_one_counts(data: st.DataObject, n: int) -> None:
    ends = st.integers(0, n)
    windows = data.draw(st.lists(st.tuples(ends, ends), min_size=n, max_size=n))
    rows = data.draw(st.lists(st.lists(st.integers(0, 3), min_size=n, max_size=n), max_size=4))
    rows.append([0] * n)
    hidden = histogram_of(rows)
    lo, hi = (np.array(side, np.int32) for side in zip(*windows, strict=True))
    hi = np.maximum(lo, hi)
    found = fullest_windows(hidden.indptr, hidden.values, hidden.counts, lo, hi)
    ordered = [(int(a), int(b)) for a, b in zip(lo, hi, strict=True)]
    assert found.tolist() == [fullest(row, ordered) for row in rows]
