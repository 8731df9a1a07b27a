"""Histograms: rows of counts that add up."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.groups.plain import histogram_of
from unlinkable.tables.groups import Histogram

ROWS = st.integers(1, 5).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, 4), min_size=n, max_size=n), min_size=1, max_size=6)
)


def dense(hidden: Histogram) -> list[list[int]]:
    out = np.zeros((hidden.n_groups, hidden.n_values), np.int64)
    out[hidden.row, hidden.values] = hidden.counts
    return out.tolist()


@given(ROWS)
def test_what_goes_in_comes_out(rows: list[list[int]]) -> None:
    hidden = histogram_of(rows)
    assert dense(hidden) == rows
    assert hidden.n_groups == len(rows)
    assert hidden.distinct.tolist() == [sum(c > 0 for c in row) for row in rows]
    assert hidden.peak.tolist() == [max(row) for row in rows]
    assert hidden.total.tolist() == np.sum(rows, axis=0).tolist()
    assert hidden.reduce(np.add, hidden.counts).tolist() == [sum(row) for row in rows]


@given(ROWS, st.data())
def test_merging_adds_rows_and_leaves_out_what_has_no_parent(
    rows: list[list[int]], data: st.DataObject
) -> None:
    parent = data.draw(st.lists(st.integers(-1, 2), min_size=len(rows), max_size=len(rows)))
    merged = histogram_of(rows).merge(np.array(parent, np.int32), 3)
    zero = [0] * len(rows[0])
    expected = [
        np.sum([zero, *[r for r, q in zip(rows, parent, strict=True) if q == p]], axis=0).tolist()
        for p in range(3)
    ]
    assert dense(merged) == expected


@given(ROWS, st.data())
def test_selecting_keeps_the_order(rows: list[list[int]], data: st.DataObject) -> None:
    mask = data.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows)))
    hidden = histogram_of(rows)
    selected = hidden.select(np.array(mask))
    assert dense(selected) == [row for row, stays in zip(rows, mask, strict=True) if stays]
    assert selected.taxonomy is hidden.taxonomy


def test_a_histogram_without_rows_has_nothing() -> None:
    nothing = histogram_of([[1, 2]]).select(np.array([False]))
    assert nothing.n_groups == 0
    assert nothing.peak.tolist() == nothing.distinct.tolist() == nothing.row.tolist() == []
    assert nothing.total.tolist() == [0, 0]
