"""Mixing histograms: by definition, on random rows."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.counting.histogram_mixtures import find_entries, mix_rows

N_CODES = 40
ROWS = st.lists(st.dictionaries(st.integers(0, N_CODES - 1), st.integers(1, 5)), min_size=1)
Csr = tuple[np.ndarray, np.ndarray, np.ndarray]


def csr(rows: list[dict[int, int]]) -> Csr:
    values = [code for row in rows for code in sorted(row)]
    counts = [row[code] for row in rows for code in sorted(row)]
    ends = np.append(0, np.cumsum([len(row) for row in rows]))
    return ends.astype(np.int64), np.array(values, np.int32), np.array(counts, np.int64)


@given(ROWS, st.data())
def test_new_rows_are_weighted_sums(rows: list[dict[int, int]], data: st.DataObject) -> None:
    pair = st.tuples(st.integers(0, len(rows) - 1), st.integers(1, 4))
    mixtures = data.draw(st.lists(st.lists(pair, max_size=4), max_size=5))
    ends = np.append(0, np.cumsum([len(m) for m in mixtures])).astype(np.int64)
    places = np.array([place for m in mixtures for place, _ in m], np.int32)
    weights = np.array([weight for m in mixtures for _, weight in m], np.int64)
    indptr, values, counts = mix_rows(ends, places, weights, *csr(rows), N_CODES)
    expected = []
    for mixture in mixtures:
        sums: Counter[int] = Counter()
        for place, weight in mixture:
            for code, n in rows[place].items():
                sums[code] += n * weight
        expected.append(sorted(sums.items()))
    found = [
        list(zip(values[a:b].tolist(), counts[a:b].tolist(), strict=True))
        for a, b in pairwise(indptr.tolist())
    ]
    assert found == expected


@given(ROWS, st.data())
def test_entries_are_found_where_they_are(rows: list[dict[int, int]], data: st.DataObject) -> None:
    indptr, values, _ = csr(rows)
    pair = st.tuples(st.integers(0, len(rows) - 1), st.integers(-1, N_CODES))
    pairs = data.draw(st.lists(pair, max_size=20))
    row, code = (np.array([p[i] for p in pairs], np.int32) for i in (0, 1))
    for (r, c), at in zip(pairs, find_entries(indptr, values, row, code).tolist(), strict=True):
        if c in rows[r]:
            assert indptr[r] <= at < indptr[r + 1]
            assert values[at] == c
        else:
            assert at == -1
