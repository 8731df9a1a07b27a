"""By threes: every three columns of a cell are judged, the last value of each among them."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from tests.kernels.cells_by_definition import Members, cells, members, sheet_of
from unlinkable.kernels.lkc.bitmaps import WORDS
from unlinkable.kernels.lkc.column_triples import cross_by_threes
from unlinkable.kernels.lkc.crossings import cross
from unlinkable.kernels.lkc.worst_cells import People

ONE_EACH: People = np.zeros(0, np.int64), np.zeros(0, np.int32), np.zeros(0, np.int64), 1


@given(members().filter(lambda drawn: drawn.n_columns > 2))
def test_the_worst_three_columns_are_found(drawn: Members) -> None:
    sheet = sheet_of(drawn)
    n_slots = int(sheet[3][0, drawn.n_columns])
    single, double = np.zeros((3, n_slots), np.int64), np.zeros((3, n_slots, n_slots), np.int64)
    tables = (
        (single, double),
        (single.copy(), double.copy()),
        (single.copy(), double.copy()),
    )
    everything = np.full(sheet[6][0, WORDS], ~np.uint64(0))
    counts = np.array([sum(there.get(value, 0) for there in drawn.hidden) for value in range(3)])
    cross(0, 0, 2, everything, counts, sheet, tables[0])
    worst, path, meeting = np.array([10**6, 0, 0, 1, 0, 0, 0]), np.full(4, -1), np.full(3, -1)
    marks = np.ones(0, bool), np.zeros(0, np.uint64)
    found = worst, np.full((2, 3), -1), path, meeting, marks
    cell, shape = np.zeros_like(everything), (0, 0, 2, 2, 0)
    cross_by_threes(
        shape, everything, cell, np.zeros(3, np.int64), sheet, ONE_EACH, found, tables, False
    )
    there = cells(drawn, 3)
    assert worst[0] == min(c.records for c in there)
    telling = max(there, key=lambda c: c.peak / c.records)
    assert worst[2] * telling.records == worst[3] * telling.peak
