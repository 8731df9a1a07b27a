"""The kernels of roll-up do what their names say."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels import rollup_by_definition as by_definition
from unlinkable.kernels.counting import rollup

words = st.integers(0, (1 << 64) - 1)
keys = st.lists(st.one_of(st.integers(0, 5), words), max_size=60)
fields = st.tuples(st.integers(0, 56), st.integers(0, 8))


def as_keys(values: list[int]) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    return np.array(values, np.uint64)


@given(keys, fields, st.data())
def test_recode_field(values: list[int], field: tuple[int, int], data: st.DataObject) -> None:
    shift, bits = field
    mask = (1 << bits) - 1
    table = data.draw(st.lists(st.integers(0, mask), min_size=mask + 1, max_size=mask + 1))
    expected = by_definition.recode_field(values, shift, mask, table)
    found = as_keys(values)
    rollup.recode_field(found, shift, mask, np.array(table, np.int32))
    assert found.tolist() == expected


@given(keys, fields, st.data())
def test_sum_field(values: list[int], field: tuple[int, int], data: st.DataObject) -> None:
    shift, bits = field
    mask = (1 << bits) - 1
    number = st.integers(-4, 4).map(float)
    amounts = data.draw(st.lists(number, min_size=mask + 1, max_size=mask + 1))
    weights = data.draw(st.lists(number, min_size=len(values), max_size=len(values)))
    found = rollup.sum_field(as_keys(values), shift, mask, np.array(amounts), np.array(weights))
    assert found == by_definition.sum_field(values, shift, mask, amounts, weights)


@given(keys, st.data())
def test_merge_equal(values: list[int], data: st.DataObject) -> None:
    n = len(values)
    sizes = data.draw(st.lists(st.integers(1, 9), min_size=n, max_size=n))
    labels, distinct, sums = np.empty(n, np.int32), np.empty(n, np.uint64), np.empty(n, np.int64)
    slots = np.full(1024, 7, np.int32)
    count = rollup.merge_equal(
        as_keys(values), np.array(sizes, np.int64), labels, distinct, sums, slots
    )
    found = labels.tolist(), distinct[:count].tolist(), sums[:count].tolist()
    assert found == by_definition.merge_equal(values, sizes)


def test_merge_equal_makes_room_for_many_keys() -> None:
    values = (np.random.default_rng(0).integers(0, 9000, 20_000) * 7919).astype(np.uint64)
    labels, distinct = np.empty(20_000, np.int32), np.empty(20_000, np.uint64)
    sums, slots = np.empty(20_000, np.int64), np.empty(1 << 17, np.int32)
    count = rollup.merge_equal(values, np.ones(20_000, np.int64), labels, distinct, sums, slots)
    assert count == np.unique(values).size
    assert (distinct[labels] == values).all()
    assert (sums[:count] == np.bincount(labels)).all()


@given(st.lists(words, unique=True, max_size=40), keys)
def test_find_keys(distinct: list[int], values: list[int]) -> None:
    found = rollup.find_keys(as_keys(distinct), as_keys(values))
    assert found.tolist() == by_definition.find_keys(distinct, values)


def test_find_keys_among_many() -> None:
    distinct = np.arange(5000, dtype=np.uint64) << np.uint64(40)
    assert rollup.find_keys(distinct, distinct[::-1]).tolist() == list(range(4999, -1, -1))


@given(st.integers(1, 3), st.data())
def test_cheapest_below(width: int, data: st.DataObject) -> None:
    node = st.tuples(*[st.integers(0, 2)] * width)
    levels = data.draw(st.lists(node, max_size=8))
    costs = data.draw(st.lists(st.integers(1, 4), min_size=len(levels), max_size=len(levels)))
    target = data.draw(node)
    found = rollup.cheapest_below(
        np.array(levels, np.int32).reshape(len(levels), width),
        np.array(costs, np.int64),
        np.array(target, np.int32),
    )
    assert found == by_definition.cheapest_below(levels, costs, target)
