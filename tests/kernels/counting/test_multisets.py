"""Multisets that groups have in common: by definition."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.counting.multisets import keep_common
from unlinkable.kernels.counting.tallies import tally

LISTS = st.lists(st.lists(st.integers(0, 4), max_size=6), min_size=1, max_size=4)


def counted(lists: list[list[int]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    labels = [i for i, values in enumerate(lists) for _ in values]
    values = [value for one in lists for value in one]
    return tally(np.array(labels, np.int32), np.array(values, np.int32), len(lists), 5)


@given(LISTS, LISTS, st.data())
def test_keeps_the_smaller_count(
    ours: list[list[int]], groups: list[list[int]], data: st.DataObject
) -> None:
    which = [data.draw(st.integers(-1, len(groups) - 1)) for _ in ours]
    found = keep_common(*counted(ours), np.array(which, np.int32), *counted(groups))
    for i, (mine, g) in enumerate(zip(ours, which, strict=True)):
        left = Counter(mine) if g < 0 else Counter(mine) & Counter(groups[g])
        part = slice(*found[0][i : i + 2].tolist())
        assert found[1][part].tolist() == sorted(left)
        assert found[2][part].tolist() == [left[v] for v in sorted(left)]
