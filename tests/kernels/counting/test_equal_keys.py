"""Pairs of equal keys: rows written, sorted, and rid of what comes again."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.counting.equal_keys import drop_repeated, fill_equal, sort_rows

matrices = st.lists(st.lists(st.integers(0, 9), max_size=40), max_size=6)


def csr(rows: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    indptr = np.cumsum([0, *map(len, rows)]).astype(np.int64)
    return indptr, np.array([value for row in rows for value in row], np.int32)


def parts(indptr: np.ndarray, values: np.ndarray) -> list[list[int]]:
    return [values[s:e].tolist() for s, e in itertools.pairwise(indptr)]


@given(matrices.filter(bool), st.lists(st.integers(0, 5), max_size=8))
def test_writes_the_members_of_every_key(rows: list[list[int]], keys: list[int]) -> None:
    keys = [key % len(rows) for key in keys]
    ends = np.cumsum([0, *(len(rows[key]) for key in keys)]).astype(np.int64)
    free, out = ends[:-1].copy(), np.zeros(int(ends[-1]), np.int32)
    fill_equal(np.array(keys, np.int32), *csr(rows), free, out)
    assert parts(ends, out) == [rows[key] for key in keys]
    assert free.tolist() == ends[1:].tolist()


@given(matrices)
def test_sorts_rows_and_drops_what_comes_again(rows: list[list[int]]) -> None:
    indptr, values = csr(rows)
    sort_rows(indptr, values)
    assert parts(indptr, values) == [sorted(row) for row in rows]
    assert parts(*drop_repeated(indptr, values)) == [sorted({*row}) for row in rows]
