"""Cuts that part no group of the last release."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.tables.series.incremental.alignment import Alignment

LABELS = st.lists(st.tuples(st.integers(0, 4), st.integers(-1, 3)), min_size=1, max_size=12)


@given(LABELS)
def test_lists_the_earlier_groups_of_every_finest_group(pairs: list[tuple[int, int]]) -> None:
    finest, groups = np.array(pairs, np.int32).T
    found = Alignment.of(finest, groups)
    told = [
        found.groups[start:end].tolist()
        for start, end in zip(found.indptr, found.indptr[1:], strict=False)
    ]
    expected = [
        sorted({g for f, g in pairs if f == own and g >= 0}) for own in range(finest.max() + 1)
    ]
    assert told == expected
    assert found.n_groups == max(groups.max() + 1, 0)
