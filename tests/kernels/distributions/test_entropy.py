"""How evenly values are spread: by definition, on random rows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels import by_definition
from unlinkable.kernels.distributions.entropy import entropies, sum_largest
from unlinkable.typing import CountArray

COUNTS = st.integers(1, 9) | st.integers(250, 260) | st.integers(1, 2**31)
ROWS = st.lists(st.lists(COUNTS, max_size=8), max_size=6)


def csr(rows: list[list[int]]) -> tuple[CountArray, CountArray]:
    indptr = np.cumsum([0, *map(len, rows)])
    return indptr, np.array([c for row in rows for c in row], np.int64)


@given(ROWS)
def test_entropies_are_those_of_the_definition(rows: list[list[int]]) -> None:
    assert entropies(*csr(rows)).tolist() == pytest.approx(by_definition.entropies(rows), abs=1e-12)


@given(ROWS, st.integers(0, 9))
def test_the_largest_counts_add_up(rows: list[list[int]], how_many: int) -> None:
    found = sum_largest(*csr(rows), how_many)
    assert found.tolist() == by_definition.sum_largest(rows, how_many)


def test_no_rows_have_no_entropy() -> None:
    assert entropies(*csr([])).tolist() == []
    assert entropies(*csr([[], [5]])).tolist() == [0.0, 0.0]
