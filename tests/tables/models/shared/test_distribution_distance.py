"""What groups are compared with."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.groups.plain import histogram_of
from unlinkable.tables.models.shared.distribution_distance import Reference, are_same

ROWS = st.lists(
    st.lists(st.integers(0, 4), min_size=3, max_size=3).filter(any), min_size=1, max_size=5
)


@given(ROWS, st.integers(1, 3), st.sampled_from([1, 10**10]))
def test_tells_equal_shares(rows: list[list[int]], times: int, scale: int) -> None:
    hidden = histogram_of([[c * scale for c in row] for row in [*rows, rows[0]]])
    sizes = hidden.reduce(np.add, hidden.counts)
    whole = np.array(rows[0]) * times * scale
    found = are_same(hidden, sizes, Reference.whole(whole, hidden.n_groups))
    expected = [
        [Fraction(c, sum(row)) for c in row] == [Fraction(c, sum(rows[0])) for c in rows[0]]
        for row in [*rows, rows[0]]
    ]
    assert found.tolist() == expected


def test_knows_how_many_records_each_group_is_compared_with() -> None:
    others = Reference(np.array([[1, 2], [5, 5]]), np.array([1, 0, 1], np.int32))
    assert others.sizes.tolist() == [10, 3, 10]
    assert others.most(np.array([2, 7, 1])) == 70
    assert others.select(np.array([False, True, True])).sizes.tolist() == [3, 10]
