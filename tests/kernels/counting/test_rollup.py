"""The kernels of roll-up do what their names say."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
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


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(4, 6), st.integers(1, 9)), max_size=40),
    st.lists(st.integers(0, 4), min_size=7, max_size=7),
    st.sampled_from([1, 9, 1 << 40]),
)
def test_group_recoded(rows: list[tuple[int, int, int]], digits: list[int], base: int) -> None:
    # A small base fits into a table of all numbers, a large one is hashed.
    worth = [digit * (base if code >= 4 else 1) for code, digit in enumerate(digits)]
    shown = [worth[a] + worth[b] for a, b, _ in rows]
    distinct = list(dict.fromkeys(shown))
    n = len(rows)
    labels, first = np.empty(n, np.int32), np.empty(n, np.int32)
    sums, keys = np.empty(n, np.int64), np.empty(n, np.uint64)
    count = rollup.group_recoded(
        np.array([row[:2] for row in rows], np.int32).reshape(n, 2),
        np.array(worth, np.uint64),
        4 * base + 5,
        np.array([row[2] for row in rows], np.int64),
        labels,
        first,
        sums,
        keys,
        np.full(128, 5, np.int32),
    )
    assert labels.tolist() == [distinct.index(key) for key in shown]
    assert first[:count].tolist() == [shown.index(key) for key in distinct]
    assert sums[:count].tolist() == [
        sum(row[2] for row, key in zip(rows, shown, strict=True) if key == this)
        for this in distinct
    ]


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.lists(st.tuples(st.integers(0, 2), st.integers(1, 5)))),
        max_size=12,
    ),
    st.lists(st.booleans(), min_size=4, max_size=4),
)
def test_sum_peaks(rows: list[tuple[int, list[tuple[int, int]]]], keep: list[bool]) -> None:
    classes = [Counter[int]() for _ in keep]
    for label, entries in rows:
        for value, n in entries:
            classes[label][value] += n
    expected = sum(max(c.values(), default=0) for c, k in zip(classes, keep, strict=True) if k)
    entries = [entry for _, mine in rows for entry in mine]
    found = rollup.sum_peaks(
        np.array([label for label, _ in rows], np.int32),
        np.array(keep),
        np.append(0, np.cumsum([len(mine) for _, mine in rows])).astype(np.int64),
        np.array([value for value, _ in entries], np.int32),
        np.array([n for _, n in entries], np.int64),
        3,
        np.full(12, 77, np.int64),
    )
    assert found == expected


@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(3, 5), st.booleans(), st.integers(0, 9))),
    st.lists(st.integers(0, 9), min_size=6, max_size=6),
)
def test_sum_left_out(groups: list[tuple[int, int, bool, int]], amounts: list[int]) -> None:
    expected = sum(
        Fraction(weight) * (amounts[a] + amounts[b])
        for a, b, is_kept, weight in groups
        if not is_kept
    )
    n = len(groups)
    rows = np.array([group[:2] for group in groups], np.int32).reshape(n, 2)
    found = rollup.sum_left_out(
        rows,
        np.arange(n, dtype=np.int32),
        np.array([group[2] for group in groups], bool),
        np.array([group[3] for group in groups], float),
        np.array(amounts, float),
    )
    assert found == pytest.approx(float(expected))
