"""Finding equal keys: few and many, small and large, with a table and with hashing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels import by_definition
from unlinkable.kernels.counting import grouping

SMALL = st.lists(st.integers(0, 20), max_size=60)
LARGE = st.lists(st.integers(0, 2**64 - 1) | st.integers(2**63, 2**63 + 3), max_size=60)


@given(SMALL | LARGE)
def test_numbers_keys_as_they_appear(keys: list[int]) -> None:
    labels, first = grouping.number_keys(np.array(keys, np.uint64), 0)
    assert (labels.tolist(), first.tolist()) == by_definition.number_keys(keys)


@given(SMALL)
def test_a_table_of_all_keys_numbers_as_hashing_does(keys: list[int]) -> None:
    labels, first = grouping.number_keys(np.array(keys, np.uint64), 21)
    assert (labels.tolist(), first.tolist()) == by_definition.number_keys(keys)


@pytest.mark.parametrize("n", [1023, 1024, 1025, 2048, 2049, 100_000])
def test_the_table_of_slots_grows(n: int) -> None:
    rng = np.random.default_rng(n)
    keys = rng.permutation(n).astype(np.uint64) << np.uint64(40)
    labels, first = grouping.number_keys(np.concatenate([keys, keys[::-1]]), 0)
    assert labels.tolist() == [*range(n), *range(n)[::-1]]
    assert first.tolist() == list(range(n))


def test_keys_that_fall_into_the_same_slot_are_told_apart() -> None:
    # Multiples of 2^52 differ in their high bits only, and most of the hash is the same.
    keys = np.arange(4000, dtype=np.uint64) << np.uint64(52)
    labels, _ = grouping.number_keys(keys, 0)
    assert np.array_equal(labels, keys >> np.uint64(52))


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 4)), max_size=20))
def test_appending_a_digit_is_counting_in_its_base(pairs: list[tuple[int, int]]) -> None:
    high, low = (np.array([p[i] for p in pairs], np.int32) for i in (0, 1))
    keys = high.astype(np.uint64)
    grouping.append_code(keys, low, 5)
    assert keys.tolist() == [5 * a + b for a, b in pairs]

    codes = np.array([4, 3, 2, 1, 0], np.int32)
    keys = high.astype(np.uint64)
    grouping.append_digit(keys, low, codes, 5)
    assert keys.tolist() == [5 * a + 4 - b for a, b in pairs]
