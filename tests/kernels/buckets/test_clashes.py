"""Exchanging records: fewer pairs of a bucket share a value, and nothing else changes."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.buckets.bucketing import order_by_label
from unlinkable.kernels.buckets.clashes import n_clashes, part_clashing

Records = list[tuple[int, int, int, int]]
"""The bucket of each record, its leading value, and two others."""

RECORDS = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 3), st.integers(0, 3)),
    min_size=1,
    max_size=16,
)


def by_definition(buckets: list[int], records: Records) -> int:
    """Pairs of records of one bucket that share a value, counted for every column."""
    pairs = combinations(range(len(records)), 2)
    return sum(
        sum(records[i][c] == records[j][c] for c in (2, 3))
        for i, j in pairs
        if buckets[i] == buckets[j]
    )


def parted(records: Records, seed: int = 0) -> list[int]:
    labels = np.array([record[0] for record in records], np.int32)
    lead = np.array([record[1] for record in records], np.int32)
    hidden = np.array([record[2:] for record in records], np.int32)
    members, first = order_by_label(np.arange(labels.size), labels, 4)
    by_value, starts = order_by_label(np.arange(labels.size), lead, 3)
    state = np.array([seed], np.uint64)
    found = part_clashing(labels, members, first, lead, by_value, starts, hidden, 5, 20, state)
    return [int(g) for g in found]


@given(RECORDS)
def test_clashes_are_counted_as_defined(records: Records) -> None:
    labels = np.array([record[0] for record in records], np.int32)
    hidden = np.array([record[2:] for record in records], np.int32)
    members, first = order_by_label(np.arange(labels.size), labels, 4)
    found = [n_clashes(hidden, members, first, int(g), i, i) for i, g in enumerate(labels)]
    assert sum(found) == 2 * by_definition(labels.tolist(), records)


@given(RECORDS)
def test_fewer_clash_and_leading_values_stay(records: Records) -> None:
    before = [record[0] for record in records]
    after = parted(records)
    assert by_definition(after, records) <= by_definition(before, records)
    leads = [record[1] for record in records]
    assert Counter(zip(before, leads, strict=True)) == Counter(zip(after, leads, strict=True))


def test_an_exchange_that_helps_is_found() -> None:
    # Two buckets with the same leading values; both records of each share the other values.
    records = [(0, 0, 1, 1), (0, 1, 1, 1), (1, 0, 2, 2), (1, 1, 2, 2)]
    assert by_definition(parted(records), records) == 0
