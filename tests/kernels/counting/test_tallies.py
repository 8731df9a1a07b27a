"""Counting what groups hide: by definition, on random labels and codes."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels import by_definition
from unlinkable.kernels.counting import tallies

N_GROUPS, N_CODES = 5, 7
RECORDS = st.lists(
    st.tuples(st.integers(-1, N_GROUPS - 1), st.integers(0, N_CODES - 1), st.integers(0, 9)),
    max_size=40,
)


def columns(records: list[tuple[int, int, int]]) -> tuple[list[int], list[int], list[int]]:
    return [r[0] for r in records], [r[1] for r in records], [r[2] for r in records]


@given(RECORDS)
def test_counts_and_sums_by_label(records: list[tuple[int, int, int]]) -> None:
    labels, _, amounts = columns(records)
    given_ = np.array(labels, np.int32)
    assert tallies.count(given_, N_GROUPS).tolist() == by_definition.count(labels, N_GROUPS)
    expected = by_definition.sum_by_label(amounts, labels, N_GROUPS)
    counts = tallies.sum_by_label(np.array(amounts, np.int64), given_, N_GROUPS)
    weights = tallies.sum_floats_by_label(np.array(amounts, float), given_, N_GROUPS)
    assert counts.dtype == np.int64
    assert counts.tolist() == weights.tolist() == expected


@given(RECORDS)
def test_tallies_every_code_of_every_group(records: list[tuple[int, int, int]]) -> None:
    labels, codes, _ = columns(records)
    found = tallies.tally(np.array(labels, np.int32), np.array(codes, np.int32), N_GROUPS, N_CODES)
    assert by_definition.rows_of(*found) == by_definition.tally(labels, codes, N_GROUPS)


@given(RECORDS, st.lists(st.integers(-1, 2), min_size=N_GROUPS, max_size=N_GROUPS))
def test_merging_adds_up_rows(records: list[tuple[int, int, int]], parent: list[int]) -> None:
    labels, codes, _ = columns(records)
    fine = tallies.tally(np.array(labels, np.int32), np.array(codes, np.int32), N_GROUPS, N_CODES)
    found = tallies.merge_tallies(*fine, np.array(parent, np.int32), 3, N_CODES)
    expected = by_definition.merge_tallies(by_definition.rows_of(*fine), parent, 3)
    assert by_definition.rows_of(*found) == expected

    above = [parent[label] if label >= 0 else -1 for label in labels]
    at_once = tallies.tally(np.array(above, np.int32), np.array(codes, np.int32), 3, N_CODES)
    assert by_definition.rows_of(*at_once) == expected


def test_nothing_is_tallied_into_no_groups() -> None:
    none = np.zeros(0, np.int32)
    indptr, values, counts = tallies.tally(none, none, 0, 3)
    assert indptr.tolist() == [0]
    assert values.size == counts.size == 0


def test_counts_beyond_31_bits_add_up() -> None:
    indptr, values = np.array([0, 1, 2]), np.zeros(2, np.int32)
    counts = np.array([2**40, 2**40])
    _, _, merged = tallies.merge_tallies(indptr, values, counts, np.zeros(2, np.int32), 1, 1)
    assert merged.tolist() == [2**41]
