"""Chunks: against the same in plain lists."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.local_recoding.chunks import chunks


def literal(order: list[int], sizes: list[int], least: int) -> list[list[int]]:
    alone = [[row] for row in order if sizes[row] >= least]
    groups, current = [], list[int]()
    for row in order:
        if sizes[row] < least:
            current.append(row)
            if sum(sizes[i] for i in current) >= least:
                groups.append(current)
                current = []
    if current and groups:
        groups[-1] += current
    elif current and alone:
        alone[0] += current
    elif current:
        groups.append(current)
    return alone + groups


@given(st.lists(st.integers(1, 6), max_size=20), st.integers(1, 6), st.data())
def test_chunks_are_what_they_are_by_definition(
    sizes: list[int], least: int, data: st.DataObject
) -> None:
    order = data.draw(st.permutations(range(len(sizes))))
    labels, n = chunks(np.array(order, np.int32), np.array(sizes, np.int64), least)
    expected = literal(list(order), sizes, least)
    assert n == len(expected)
    found = {frozenset(np.flatnonzero(labels == g).tolist()) for g in range(n)}
    assert found == {frozenset(group) for group in expected}
    if sum(sizes) >= least:
        assert all(sum(sizes[i] for i in group) >= least for group in found)
