"""Numbering equal rows: any number of columns, of any size."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.tables.groups import RowNumbers, number_rows


def by_definition(rows: Sequence[tuple[int, ...]]) -> tuple[list[int], list[int]]:
    order = list(dict.fromkeys(rows))
    return [order.index(row) for row in rows], [rows.index(row) for row in order]


@given(
    st.integers(0, 6).flatmap(lambda d: st.lists(st.tuples(*[st.integers(0, 3)] * d), max_size=30))
)
def test_numbers_rows_as_they_appear(rows: list[tuple[int, ...]]) -> None:
    d = len(rows[0]) if rows else 0
    labels, first = number_rows(np.array(rows, np.int32).reshape(len(rows), d))
    assert labels.dtype == np.int32
    assert (labels.tolist(), first.tolist()) == by_definition(rows)


@pytest.mark.parametrize(
    ("n_columns", "size"),
    [(100, 2), (100, 7), (100, 10_000_000), (3, 2**31 - 1), (2, 2**31 - 1), (64, 2), (63, 2)],
)
def test_rows_wider_than_any_key_are_told_apart(n_columns: int, size: int) -> None:
    rng = np.random.default_rng(n_columns)
    distinct = rng.integers(0, size, (40, n_columns), dtype=np.int32)
    distinct[:, -1] = np.arange(40) % min(size, 40)
    distinct[:, 0] = size - 1
    rows = distinct[rng.integers(0, 40, 500)]
    labels, first = number_rows(rows)
    assert (labels.tolist(), first.tolist()) == by_definition([tuple(r) for r in rows.tolist()])


@given(st.integers(1, 8), st.data())
def test_columns_that_differ_only_in_the_last_or_first_place_are_told_apart(
    n_columns: int, data: st.DataObject
) -> None:
    most = 2**31 - 2
    base = np.full((3, n_columns), most, np.int32)
    column = data.draw(st.integers(0, n_columns - 1))
    base[1, column] -= 1
    assert number_rows(base)[0].tolist() == [0, 1, 0]


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), max_size=20))
def test_a_column_may_come_as_numbers_of_its_codes(rows: list[tuple[int, int]]) -> None:
    first_column, second = (np.array([r[i] for r in rows], np.int32) for i in (0, 1))
    codes = np.array([2, 0, 1], np.int32)
    numbers = RowNumbers(len(rows))
    numbers.add(first_column, 4)
    numbers.add_digits(second, codes, 3)
    labels, first = numbers.finish()
    assert (labels.tolist(), first.tolist()) == by_definition(rows)


def test_rows_without_columns_are_all_equal() -> None:
    labels, first = number_rows(np.zeros((3, 0), np.int32))
    assert labels.tolist() == [0, 0, 0]
    assert first.tolist() == [0]


def test_no_rows_have_no_numbers() -> None:
    labels, first = number_rows(np.zeros((0, 4), np.int32))
    assert labels.size == first.size == 0
