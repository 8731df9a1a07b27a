"""What groups have in common with earlier ones: by definition."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.counting.tallies import tally
from unlinkable.kernels.flows.intersection_check import KnownValues, are_safe, is_safe, part

KINDS = st.lists(st.lists(st.integers(0, 3), max_size=5), min_size=1, max_size=3)


@given(KINDS, st.integers(1, 4), st.data())
def test_asks_for_everybody_of_whom_something_is_known(
    known_values: list[list[int]], q: int, data: st.DataObject
) -> None:
    labels = [i for i, one in enumerate(known_values) for _ in one]
    flat = [v for one in known_values for v in one]
    sets = tally(np.array(labels, np.int32), np.array(flat, np.int32), len(known_values), 4)
    people = data.draw(
        st.lists(st.tuples(st.integers(0, 3), st.integers(-1, len(known_values) - 1)), max_size=7)
    )
    known = KnownValues(
        np.array([v for v, _ in people], np.int32),
        np.array([k for _, k in people], np.int32),
        *sets,
    )
    bound = Fraction(data.draw(st.integers(1, q)), q)
    parts = [data.draw(st.integers(0, 2)) for _ in people]
    expected = []
    for group in range(3):
        members = [i for i, g in enumerate(parts) if g == group]
        here = Counter(people[i][0] for i in members)
        left = [Counter(known_values[people[i][1]]) & here for i in members if people[i][1] >= 0]
        fine = all(max(c.values(), default=0) <= bound * c.total() for c in left)
        counted, seen = np.zeros(4, np.int64), np.zeros(len(known_values) + 1, np.int64)
        pq = bound.numerator, bound.denominator
        assert is_safe(np.array(members, np.int64), known, pq, counted, seen) == fine
        assert not counted.any()
        assert not seen.any()
        expected.append(fine)
    order = np.argsort(np.array(parts, np.int64), kind="stable")
    ends = np.cumsum(np.bincount(np.array(parts, np.int64), minlength=3))
    assert are_safe(order, ends, known, (bound.numerator, bound.denominator), 4) == all(expected)


@given(st.sets(st.integers(2, 8)))
def test_those_who_leave_stand_behind_the_others(right: set[int]) -> None:
    order, seen = np.arange(10), np.zeros(10, np.int64)
    middle = part(order, 2, 9, np.array(sorted(right), np.int64), seen)
    assert set(order[middle:9].tolist()) == right
    assert sorted(order.tolist()) == list(range(10))
    assert order[[0, 1, 9]].tolist() == [0, 1, 9]
    assert not seen.any()
