"""What is believed of everybody: all worlds one by one, and groups that nobody could write out."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.worlds.test_assignments import crowds
from tests.kernels.worlds_by_definition import joint_chances, value_chances
from unlinkable.kernels.worlds.posteriors import (
    joint_posteriors,
    row_starts,
    rule_out,
    value_posteriors,
)
from unlinkable.typing import BoolArray, FloatArray

Crowd = tuple[list[list[Fraction]], list[int], list[int]]

SHARES = st.sampled_from([0, 100]) | st.integers(0, 100)
KINDS = st.lists(st.tuples(SHARES, st.integers(1, 3)), min_size=1, max_size=4)


def one_value(shares: list[float], others: list[float], sizes: list[int], f: int) -> FloatArray:
    """Ask about one value in one group."""
    people = np.array([0, len(sizes)]), np.arange(len(sizes), dtype=np.int32), np.array(sizes)
    values = np.array([0, 1]), np.zeros(1, np.int32), np.array([f])
    p, q = np.array(shares).reshape(-1, 1), np.array(others).reshape(-1, 1)
    return value_posteriors(*people, *values, p, q)


def all_values(crowd: Crowd, most_states: int) -> tuple[FloatArray, BoolArray]:
    """Ask about all values in one group."""
    weights, sizes, room = crowd
    shares = np.array([[float(w) for w in row] for row in weights])
    rows, columns = (np.arange(len(x), dtype=np.int32) for x in (sizes, room))
    people = np.array([0, len(sizes)]), rows, np.array(sizes)
    values = np.array([0, len(room)]), columns, np.array(room)
    found, is_counted = joint_posteriors(*people, *values, shares, most_states)
    return found.reshape(len(sizes), len(room)), is_counted


@given(KINDS, st.data())
def test_everybody_is_as_likely_as_all_worlds_say(
    kinds: list[tuple[int, int]], data: st.DataObject
) -> None:
    shares, sizes = [Fraction(p, 100) for p, _ in kinds], [n for _, n in kinds]
    f = data.draw(st.integers(1, sum(sizes)))
    found = one_value([float(p) for p in shares], [float(1 - p) for p in shares], sizes, f)
    if len({*shares}) == 1:
        assert found == pytest.approx([f / sum(sizes)] * len(sizes))
    elif worlds := value_chances(shares, sizes, f):
        assert found == pytest.approx([float(p) for p in worlds], rel=1e-11, abs=1e-15)
    else:
        assert np.isnan(found).all()


def test_large_groups_share_the_value_out() -> None:
    sizes, f = [300, 500, 200], 400
    found = one_value([0.3, 0.2, 0.001], [0.7, 0.8, 0.999], sizes, f)
    assert found @ sizes == pytest.approx(f, rel=1e-9)
    odds = found / (1 - found)
    # In large groups the ratio of the odds of two kinds of people stays about what it was.
    assert odds[0] / odds[1] == pytest.approx((0.3 / 0.7) / (0.2 / 0.8), rel=1e-2)
    assert odds[1] / odds[2] == pytest.approx((0.2 / 0.8) / (0.001 / 0.999), rel=2e-2)


def test_people_of_very_different_odds_do_not_overflow() -> None:
    sizes, f = [20, 40], 30
    p = [0.5, 1e-15]
    found = one_value(p, [1 - x for x in p], sizes, f)
    assert found @ sizes == pytest.approx(f, rel=1e-9)
    assert found[1] == pytest.approx(10 / 40, rel=1e-6)


def test_who_is_certain_leaves_the_rest_to_the_others() -> None:
    assert one_value([1.0, 0.5, 0.0], [0.0, 0.5, 1.0], [1, 2, 1], 2).tolist() == [1, 0.5, 0]
    assert one_value([1.0, 0.5, 0.0], [0.0, 0.5, 1.0], [2, 2, 1], 2).tolist() == [1, 0, 0]


def test_values_that_nobody_asks_about_have_no_chance() -> None:
    people = np.array([0, 1]), np.zeros(1, np.int32), np.array([2])
    values = np.array([0, 2]), np.array([-1, 0], np.int32), np.array([1, 1])
    found = value_posteriors(*people, *values, np.array([[0.5]]), np.array([[0.5]]))
    assert found.tolist() == [0.0, 0.5]


@given(crowds())
def test_all_values_at_once_are_as_likely_as_all_worlds_say(crowd: Crowd) -> None:
    worlds = joint_chances(*crowd)
    found, is_counted = all_values(crowd, 1 << 12)
    assert is_counted.all()
    if worlds:
        wanted = np.array([[float(p) for p in row] for row in worlds])
        assert found == pytest.approx(wanted, rel=1e-11, abs=1e-15)
    else:
        assert np.isnan(found).all()


@given(crowds())
def test_what_is_not_counted_is_bounded(crowd: Crowd) -> None:
    worlds = joint_chances(*crowd)
    found, is_counted = all_values(crowd, 1)
    assert is_counted.all() == (len({*map(tuple, crowd[0])}) == 1)
    if worlds:
        wanted = np.array([[float(p) for p in row] for row in worlds])
        assert (found >= wanted * (1 - 1e-12)).all()


@given(
    st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=5), min_size=1, max_size=3),
    st.integers(0, 5),
)
def test_the_likeliest_others_are_ruled_out(rows: list[list[int]], l: int) -> None:  # noqa: E741
    start = np.append(0, np.cumsum([len(row) for row in rows]))
    found = rule_out(start, np.array([x for row in rows for x in row], float), l).tolist()
    wanted = []
    for row in rows:
        for i in range(len(row)):
            others = row[:i] + row[i + 1 :]
            n = min(l, len(others))
            wanted.append(min(sum(others) - sum(gone) for gone in combinations(others, n)))
    assert found == wanted


def test_rows_begin_where_those_before_end() -> None:
    assert row_starts(np.array([0, 2, 3]), np.array([0, 3, 4])).tolist() == [0, 3, 6, 7]
