"""The kernels that group recoded rows do what their names say."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.counting import recoded_rows


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(4, 6), st.integers(1, 9)), max_size=40),
    st.lists(st.integers(0, 4), min_size=7, max_size=7),
    st.sampled_from([1, 9, 1 << 40]),
)
def test_group_recoded(rows: list[tuple[int, int, int]], digits: list[int], base: int) -> None:
    # A small base fits into a table of all numbers, a large one is hashed.
    worth = [digit * (base if code >= 4 else 1) for code, digit in enumerate(digits)]
    shown = [worth[a] + worth[b] for a, b, _ in rows]
    distinct = list(dict.fromkeys(shown))
    n = len(rows)
    labels, first = np.empty(n, np.int32), np.empty(n, np.int32)
    sums, keys = np.empty(n, np.int64), np.empty(n, np.uint64)
    count = recoded_rows.group_recoded(
        np.array([row[:2] for row in rows], np.int32).reshape(n, 2),
        np.array(worth, np.uint64),
        4 * base + 5,
        np.array([row[2] for row in rows], np.int64),
        labels,
        first,
        sums,
        keys,
        np.full(128, 5, np.int32),
    )
    assert labels.tolist() == [distinct.index(key) for key in shown]
    assert first[:count].tolist() == [shown.index(key) for key in distinct]
    assert sums[:count].tolist() == [
        sum(row[2] for row, key in zip(rows, shown, strict=True) if key == this)
        for this in distinct
    ]


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.lists(st.tuples(st.integers(0, 2), st.integers(1, 5)))),
        max_size=12,
    ),
    st.lists(st.booleans(), min_size=4, max_size=4),
)
def test_sum_peaks(rows: list[tuple[int, list[tuple[int, int]]]], keep: list[bool]) -> None:
    classes = [Counter[int]() for _ in keep]
    for label, entries in rows:
        for value, n in entries:
            classes[label][value] += n
    expected = sum(max(c.values(), default=0) for c, k in zip(classes, keep, strict=True) if k)
    entries = [entry for _, mine in rows for entry in mine]
    found = recoded_rows.sum_peaks(
        np.array([label for label, _ in rows], np.int32),
        np.array(keep),
        np.append(0, np.cumsum([len(mine) for _, mine in rows])).astype(np.int64),
        np.array([value for value, _ in entries], np.int32),
        np.array([n for _, n in entries], np.int64),
        3,
        np.full(12, 77, np.int64),
    )
    assert found == expected


@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(3, 5), st.booleans(), st.integers(0, 9))),
    st.lists(st.integers(0, 9), min_size=6, max_size=6),
)
def test_sum_left_out(groups: list[tuple[int, int, bool, int]], amounts: list[int]) -> None:
    expected = sum(
        Fraction(weight) * (amounts[a] + amounts[b])
        for a, b, is_kept, weight in groups
        if not is_kept
    )
    n = len(groups)
    rows = np.array([group[:2] for group in groups], np.int32).reshape(n, 2)
    found = recoded_rows.sum_left_out(
        rows,
        np.arange(n, dtype=np.int32),
        np.array([group[2] for group in groups], bool),
        np.array([group[3] for group in groups], float),
        np.array(amounts, float),
    )
    assert found == pytest.approx(float(expected))
