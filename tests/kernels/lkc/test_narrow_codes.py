"""Small codes: columns that tell nothing are left out, and what is rare comes first."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.lkc.narrow_codes import (
    LONGEST,
    narrow,
    read_columns,
    read_rows,
    rows_by_value,
)

KEYS = st.integers(1, 5).flatmap(
    lambda m: st.lists(
        st.lists(st.sampled_from([0, 1, 7, 300, 65_535]), min_size=m, max_size=m), min_size=1
    )
)


@given(KEYS, st.data())
def test_codes_tell_apart_what_keys_do(rows: list[list[int]], data: st.DataObject) -> None:
    keys = np.array(rows, np.int32)
    members = np.array(data.draw(st.lists(st.sampled_from(range(len(rows))), min_size=1)))
    shown = keys[members]
    varying = [j for j in range(keys.shape[1]) if np.unique(shown[:, j]).size > 1]
    by_column = np.zeros((keys.shape[1], len(keys) + 3), np.int32)
    by_column[:, : len(keys)] = keys.T
    for columns, widest, lines in (
        read_rows(keys, members),
        read_columns(by_column[:, : len(keys)], members),
    ):
        assert columns.tolist() == varying
        assert np.array_equal(lines[:, : members.size], shown.T)
        assert widest == shown[:, varying].max(initial=0)
        sorted_columns, n_codes, codes = narrow(columns, widest, lines, members.size)
        counts = [np.unique(shown[:, j], return_counts=True)[1] for j in sorted_columns]
        assert [c.min() for c in counts] == sorted(c.min() for c in counts)
        for i, j in enumerate(sorted_columns):
            pairs = {*zip(shown[:, j].tolist(), codes[:, i].tolist(), strict=True)}
            assert len(pairs) == len({key for key, _ in pairs}) == n_codes[i]
            assert {code for _, code in pairs} == {*range(n_codes[i])}
            sizes = np.bincount(codes[:, i])
            assert sizes.tolist() == sorted(sizes.tolist())


def test_only_columns_that_vary_have_a_largest_key() -> None:
    keys, members = np.array([[0, 1 << 20], [LONGEST + 1, 1 << 20]], np.int32), np.arange(2)
    for columns, widest, _ in (read_rows(keys, members), read_columns(keys.T, members)):
        assert (columns.tolist(), widest) == ([0], 65_536)


@pytest.mark.parametrize("n", [256, 257])
def test_more_codes_than_a_byte_tells_apart_are_none(n: int) -> None:
    lines = np.arange(n, dtype=np.uint16)[None, :]
    _, n_codes, codes = narrow(np.zeros(1, np.int64), n - 1, lines, n)
    assert (n_codes.tolist(), len(codes)) == ([n], 256 if n == 256 else 0)


def test_members_are_taken_apart_by_the_values_that_have_a_number() -> None:
    hidden = np.array([0, 2, 3]), np.array([0, 2, 1], np.int32), np.array([4, 1, 3])
    sizes, number = np.array([5, 3]), np.array([0, 9, 2], np.int32)
    rows = rows_by_value(np.array([1, 0]), sizes, hidden, number)
    assert [part.tolist() for part in rows] == [[0, 1, 1], [3, 1, 4], [9, 2, 0]]
    nothing = np.zeros(0, np.int64), np.zeros(0, np.int32), np.zeros(0, np.int64)
    rows = rows_by_value(np.array([1, 0]), sizes, nothing, np.zeros(0, np.int32))
    assert [part.tolist() for part in rows] == [[0, 1], [3, 5], [0, 0]]
