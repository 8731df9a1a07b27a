"""Walking through sets of columns: against literal grouping."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from unlinkable.tables.groups import number_rows
from unlinkable.tables.risk.shared.column_sets import n_sets, walk

matrices = hnp.arrays(
    np.int32, st.tuples(st.integers(1, 12), st.integers(1, 5)), elements=st.integers(0, 3)
)


@given(matrices, st.integers(1, 5), st.data())
def test_tells_what_every_set_tells_apart(
    rows: np.ndarray, largest: int, data: st.DataObject
) -> None:
    rows = rows[number_rows(rows)[1]]
    sizes = np.array(data.draw(st.lists(st.integers(1, 3), min_size=len(rows), max_size=len(rows))))
    width = rows.shape[1]
    found = {counts.columns: counts for counts in walk(rows, sizes, min(largest, width))}
    sets = [s for k in range(1, min(largest, width) + 1) for s in combinations(range(width), k)]
    assert sorted(found) == sorted(sets)
    for columns in sets:
        groups: Counter[tuple[int, ...]] = Counter()
        for row, size in zip(rows[:, columns].tolist(), sizes.tolist(), strict=True):
            groups[tuple(row)] += size
        counts = found[columns]
        assert counts.n_groups == len(groups)
        assert counts.n_unique == sum(n == 1 for n in groups.values())
        assert counts.pairs == sum(n * (n - 1) for n in groups.values())
        assert counts.least == min(groups.values())


@given(matrices)
def test_sets_come_after_their_subsets(rows: np.ndarray) -> None:
    rows = rows[number_rows(rows)[1]]
    before: set[tuple[int, ...]] = set()
    for counts in walk(rows, np.ones(len(rows), np.int64), rows.shape[1]):
        size = len(counts.columns)
        assert all(part in before for part in combinations(counts.columns, size - 1) if part)
        before.add(counts.columns)
    assert len(before) == n_sets(rows.shape[1], rows.shape[1])


def test_nothing_is_told_apart_in_an_empty_table() -> None:
    assert list(walk(np.zeros((0, 2), np.int32), np.zeros(0, np.int64), 2)) == []
