"""Spreading what groups hide, beside the definition in fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.groups.plain import histogram_of
from unlinkable.kernels.queries.bucket_spreading import spread_over_members

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
