"""Spreading what groups hide, beside the definition in fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.groups.plain import histogram_of
from unlinkable.kernels.spreading import spread_over_boxes, spread_over_members

N_VALUES = 5
COUNTS = st.lists(st.integers(0, 3), min_size=N_VALUES, max_size=N_VALUES)


@given(st.lists(COUNTS, min_size=1, max_size=4), st.integers(1, 4), st.data())
def test_cells_get_their_share_of_what_groups_hide(
    hidden: list[list[int]], n_cells: int, data: st.DataObject
) -> None:
    row = st.lists(st.integers(0, 2), min_size=len(hidden), max_size=len(hidden))
    members = data.draw(st.lists(row, min_size=n_cells, max_size=n_cells))
    asked = data.draw(st.lists(COUNTS, min_size=n_cells, max_size=n_cells))
    sizes = [max(sum(m[g] for m in members), 1) for g in range(len(hidden))]
    expected = [
        sum(Fraction(hidden[g][s] * members[c][g], sizes[g]) for g in range(len(hidden)))
        for c in range(n_cells)
        for s in range(N_VALUES)
        if asked[c][s]
    ]
    held, cells, wanted = histogram_of(hidden), histogram_of(members), histogram_of(asked)
    shares = cells.counts / np.array(sizes)[cells.values]
    found = spread_over_members(
        cells.indptr,
        cells.values,
        shares,
        held.indptr,
        held.values,
        held.counts,
        wanted.indptr,
        wanted.values,
    )
    assert found.tolist() == pytest.approx([float(x) for x in expected])


@given(st.integers(1, 20), st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_boxes_are_spread_evenly_over_their_cells(n: int, n_cells: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    lo = rng.integers(0, 4, (n, 2), dtype=np.int32)
    hi = lo + rng.integers(1, 4, (n, 2), dtype=np.int32)
    points = rng.integers(0, 7, (n_cells, 2), dtype=np.int32)
    hidden = rng.integers(0, 3, (n, N_VALUES)).tolist()
    asked = rng.integers(0, 2, (n_cells, N_VALUES)).tolist()
    volumes = (hi - lo).prod(axis=1).tolist()
    inside = np.all((lo[None] <= points[:, None]) & (points[:, None] < hi[None]), axis=2).tolist()
    expected = [
        sum(Fraction(hidden[g][s], volumes[g]) for g in range(n) if inside[c][g])
        for c in range(n_cells)
        for s in range(N_VALUES)
        if asked[c][s]
    ]
    held, wanted = histogram_of(hidden), histogram_of(asked)
    rows = (held.indptr, held.values, held.counts)
    asked_of = (points, lo, hi, *rows, wanted.indptr, wanted.values)
    found, n_done = spread_over_boxes(*asked_of, np.arange(n_cells), 10**9)
    assert n_done == n_cells
    assert found.tolist() == pytest.approx([float(x) for x in expected])

    turn = rng.permutation(n_cells)
    some, n_done = spread_over_boxes(*asked_of, turn, 0)
    assert n_done == 1
    mine = np.repeat(np.arange(n_cells), np.diff(wanted.indptr)) == turn[0]
    assert some[mine].tolist() == found[mine].tolist()
    assert not some[~mine].any()
