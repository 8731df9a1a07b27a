"""What two histograms have in common, against the same in plain Python."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.flows.histogram_intersection import common_of_pairs, intersection_of_pairs
from unlinkable.typing import CodeArray, CountArray

Rows = list[dict[int, int]]

rows = st.lists(st.dictionaries(st.integers(0, 5), st.integers(0, 4)), min_size=1, max_size=4)
told = st.lists(st.lists(st.integers(0, 3), min_size=6, max_size=6), max_size=2)


def csr(some: Rows) -> tuple[CountArray, CodeArray, CountArray]:
    entries = [sorted(row.items()) for row in some]
    indptr = np.append(0, np.cumsum([len(row) for row in entries])).astype(np.int64)
    values = np.array([v for row in entries for v, _ in row], np.int32)
    return indptr, values, np.array([n for row in entries for _, n in row], np.int64)


def in_both(a: dict[int, int], b: dict[int, int]) -> dict[int, int]:
    return {value: min(a[value], b[value]) for value in sorted(a.keys() & b.keys())}


def all_pairs(a: Rows, b: Rows) -> tuple[CodeArray, CodeArray]:
    first, second = np.divmod(np.arange(len(a) * len(b), dtype=np.int32), len(b))
    return first.astype(np.int32), second.astype(np.int32)


@given(rows, rows, told)
def test_adds_up_the_lesser_counts(a: Rows, b: Rows, columns: list[list[int]]) -> None:
    first, second = all_pairs(a, b)
    behind = np.array(columns, np.int32).reshape(-1, 6)
    seen = np.zeros((len(behind), 4), np.int64)
    left, peak, which = intersection_of_pairs(*csr(a), *csr(b), first, second, behind, seen)
    assert not seen.any()
    for p, (i, j) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
        both = in_both(a[i], b[j])
        sums: Counter[tuple[int, int]] = Counter()
        for column, values in enumerate(columns):
            for value, n in both.items():
                sums[column, values[value]] += n
        assert left[p] == sum(both.values())
        assert peak[p] == max(sums.values(), default=0)
        if peak[p]:
            assert sums[tuple(which[p].tolist())] == peak[p]
        else:
            assert which[p].tolist() == [-1, -1]


@given(rows, rows)
def test_lists_the_lesser_counts(a: Rows, b: Rows) -> None:
    first, second = all_pairs(a, b)
    indptr, values, counts = common_of_pairs(*csr(a), *csr(b), first, second)
    for p, (i, j) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
        row = slice(indptr[p], indptr[p + 1])
        found = dict(zip(values[row].tolist(), counts[row].tolist(), strict=True))
        assert found == {value: n for value, n in in_both(a[i], b[j]).items() if n}
        assert [*found] == sorted(found)
