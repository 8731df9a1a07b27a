"""Cuts that break a kind, against the definition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.splitting.broken_kinds import KindCounts, count_broken

Record = tuple[int, int]
"""The kind of a record, and its value."""


@st.composite
def listed(draw: st.DrawFn) -> tuple[list[list[int]], list[int], list[list[Record]]]:
    """Draw lists of rows, the item of each row, and the records of each item."""
    n_items = draw(st.integers(1, 6))
    order = draw(st.permutations(range(n_items)))
    lists = draw(st.lists(st.lists(st.integers(0, n_items - 1), unique=True), max_size=4))
    record = st.tuples(st.integers(0, 2), st.integers(0, 2))
    items = draw(st.lists(st.lists(record, max_size=4), min_size=n_items, max_size=n_items))
    return lists, list(order), items


def counts_of(items: Sequence[Sequence[Record]]) -> KindCounts:
    cells = sorted({record for records in items for record in records})
    counted = [sorted(Counter(map(cells.index, records)).items()) for records in items]
    kinds = [kind for kind, _ in cells]
    return KindCounts(
        np.cumsum([0, *map(len, counted)]),
        np.array([cell for own in counted for cell, _ in own], np.int32),
        np.array([n for own in counted for _, n in own], np.int64),
        np.array(kinds, np.int32),
        np.searchsorted(kinds, np.arange(4)),
    )


def is_broken(below: Sequence[int], above: Sequence[int], k: int, p: int, q: int) -> bool:
    """Judge a kind by its values on both sides."""
    return bool(below and above) and any(
        len(part) < k or any(n * q > len(part) * p for n in Counter(part).values())
        for part in (below, above)
    )


@given(listed(), st.integers(1, 3), st.sampled_from([(1, 2), (2, 3), (1, 1)]))
def test_a_kind_is_broken_where_a_part_of_it_does_not_keep_the_bounds(
    given: tuple[list[list[int]], list[int], list[list[Record]]], k: int, bound: tuple[int, int]
) -> None:
    lists, order, items = given

    def values(rows: Sequence[int], kind: int) -> list[int]:
        return [value for row in rows for own, value in items[order[row]] if own == kind]

    expected = [
        sum(
            is_broken(values(rows[:at], kind), values(rows[at:], kind), k, *bound)
            for kind in range(3)
        )
        for rows in lists
        for at in range(len(rows))
    ]
    found = count_broken(
        np.array([row for rows in lists for row in rows], np.int32),
        np.cumsum([0, *map(len, lists)]),
        np.array(order, np.int32),
        counts_of(items),
        k,
        bound,
    )
    assert found.tolist() == expected
