"""What stretches of rows add up to."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.groups.plain import histogram_of
from unlinkable.kernels.counting.run_histograms import add_up, merge_stretches

N_VALUES = 4

dense = st.lists(
    st.lists(st.integers(0, 3), min_size=N_VALUES, max_size=N_VALUES), min_size=1, max_size=8
)


@given(dense, st.data())
def test_histograms_of_stretches_are_sums(rows: list[list[int]], data: st.DataObject) -> None:
    h = histogram_of(rows)
    order = data.draw(st.permutations(range(len(rows))))
    ends = st.tuples(st.integers(0, len(rows)), st.integers(0, len(rows))).map(sorted)
    stretches = data.draw(st.lists(ends, max_size=4))
    start = np.array([s for s, _ in stretches], np.int64)
    end = np.array([e for _, e in stretches], np.int64)
    seen = np.zeros(N_VALUES, np.int64)
    places = np.array(order, np.int32)
    indptr, values, counts = merge_stretches(h.indptr, h.values, h.counts, places, start, end, seen)
    assert not seen.any()
    for g, (s, e) in enumerate(stretches):
        expected: Counter[int] = Counter()
        for i in order[s:e]:
            expected.update(dict(enumerate(rows[i])))
        own = slice(indptr[g], indptr[g + 1])
        found = dict(zip(values[own].tolist(), counts[own].tolist(), strict=True))
        assert found == dict(+expected)
        assert list(found) == sorted(found)
    amounts = np.array([sum(row) + 0.5 for row in rows])
    expected_sums = [sum(amounts[i] for i in order[s:e]) for s, e in stretches]
    assert add_up(amounts, places, start, end).tolist() == expected_sums
