"""Looking from one column on: what is marked, found and told of a table that fits on a page."""

from __future__ import annotations

import numpy as np

from unlinkable.kernels.lkc.combinations import look_from

CODES = np.array([[0, 0, 1, 1], [0, 0, 0, 1], [0, 1, 0, 1]], np.int32)
"""Three columns of four rows."""


def looked(first: int, *, length: int, k: int, p: int, q: int, stops: bool = False) -> list[object]:
    rests = np.array([[0, 1, 2, 3], [0, 1, 0, 2], [0, 1, 0, 1]], np.int32)
    rows = (
        np.array([2, 2, 2, 2], np.int64),
        np.array([1, 0, 1, 2], np.int32),
        np.zeros(5, np.int64),
        np.empty(0, np.int32),
    )
    good, found = np.ones(4, bool), np.array([1 << 62, 0, 0, 1, 0, 0, 0])
    places, tries = np.full((2, length), -1, np.int64), np.zeros((length + 1, 4, 2), np.int64)
    bounds = length, length, k, p, q, stops
    look_from(first, CODES, rests, np.full(3, 2), rows, bounds, good, found, places, tries)
    return [good.tolist(), found.tolist(), places.tolist()]


def test_the_smallest_and_the_most_telling_cell_are_found_on_one_column() -> None:
    good, found, places = looked(1, length=1, k=3, p=1, q=1)
    assert good == [True, True, True, False]
    assert found[:5] == [2, 3, 2, 2, 3]  # type: ignore[index]
    assert places == [[1], [1]]


def test_cells_are_cut_by_later_columns_only() -> None:
    good, _, _ = looked(1, length=2, k=3, p=1, q=1)
    assert good == [True, False, True, False]
    assert looked(2, length=1, k=3, p=1, q=1)[0] == [True] * 4
    assert looked(2, length=1, k=3, p=1, q=2)[0] == [False, True, False, True]


def test_nothing_is_looked_at_after_the_first_broken_bound() -> None:
    _, found, _ = looked(0, length=2, k=9, p=1, q=1, stops=True)
    assert found[5:] == [1, 1]  # type: ignore[index]
