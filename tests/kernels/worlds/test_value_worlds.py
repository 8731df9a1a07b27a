"""One value against all others: by definition, and in groups that nobody could write out."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.worlds_by_definition import value_chances
from unlinkable.kernels.worlds.value_worlds import _chance_by_waves, extremes, greatest_chances

SHARES = st.sampled_from([0, 1]) | st.integers(0, 100)
KINDS = st.lists(st.tuples(SHARES, st.integers(1, 3)), min_size=1, max_size=4)


def greatest(shares: list[float], others: list[float], sizes: list[int], f: int) -> float:
    """Ask about one value in one group."""
    indptr, rows = np.array([0, len(sizes)]), np.arange(len(sizes), dtype=np.int32)
    at, columns = np.array([0, 1]), np.zeros(1, np.int32)
    p, q = np.array(shares).reshape(-1, 1), np.array(others).reshape(-1, 1)
    most, least = extremes(indptr, rows, at, columns, p)
    people = indptr, rows, np.array(sizes)
    return float(greatest_chances(*people, at, columns, np.array([f]), p, q, most, least)[0])


@given(KINDS, st.data())
def test_the_likeliest_person_is_as_likely_as_all_worlds_say(
    kinds: list[tuple[int, int]], data: st.DataObject
) -> None:
    shares, sizes = [Fraction(p, 100) for p, _ in kinds], [n for _, n in kinds]
    f = data.draw(st.integers(1, sum(sizes)))
    found = greatest([float(p) for p in shares], [float(1 - p) for p in shares], sizes, f)
    if len({*shares}) == 1:
        assert found == f / sum(sizes)
    elif worlds := value_chances(shares, sizes, f):
        assert found == pytest.approx(float(max(worlds)), rel=1e-12)
    else:
        assert np.isnan(found)


@given(st.lists(st.tuples(st.integers(1, 99), st.integers(0, 4)), max_size=3), st.data())
def test_waves_say_what_worlds_say(kinds: list[tuple[int, int]], data: st.DataObject) -> None:
    odds, sizes = [Fraction(o, 100) for o, _ in kinds], [n for _, n in kinds]
    n = sum(sizes) + 1
    if n == 1:
        return
    f = data.draw(st.integers(1, n - 1))
    shares = [Fraction(1, 2), *(o / (1 + o) for o in odds)]
    wanted = value_chances(
        [s for s, n in zip(shares, [1, *sizes], strict=True) if n], [n for n in [1, *sizes] if n], f
    )[0]
    found = _chance_by_waves(np.array([float(o) for o in odds]), np.array(sizes, np.int64), n, f)
    assert found == pytest.approx(float(wanted), rel=1e-10)


def test_two_kinds_of_a_million_people_share_the_value_out() -> None:
    sizes, f = [400_000, 600_000], 300_000
    likelier = greatest([0.3, 0.2], [0.7, 0.8], sizes, f)
    # In large groups the ratio of the odds of two kinds of people stays what it was.
    rest = (f - likelier * sizes[0]) / sizes[1]
    odds_ratio = likelier / (1 - likelier) / (rest / (1 - rest))
    assert odds_ratio == pytest.approx((0.3 / 0.7) / (0.2 / 0.8), rel=1e-5)
    assert greatest([0.3, 0.3], [0.7, 0.7], sizes, f) == 0.3


def test_beliefs_of_very_different_size_do_not_vanish() -> None:
    shares, sizes = [1e-3, 1e-9], [2, 40]
    found = greatest(shares, [1 - p for p in shares], sizes, 30)
    ratio = (1e-9 / (1 - 1e-9)) / (1e-3 / (1 - 1e-3))
    # Ways for 29 or 30 of all others: one of them is of the first kind, and 40 of the second.
    inside = ratio**28 * (ratio * _comb(40, 29) + _comb(40, 28))
    outside = ratio**29 * (ratio * _comb(40, 30) + _comb(40, 29))
    assert found == pytest.approx(inside / (inside + outside), rel=1e-10)


def test_values_that_nobody_asks_about_have_no_chance() -> None:
    indptr, rows = np.array([0, 1]), np.zeros(1, np.int32)
    at, columns = np.array([0, 2]), np.array([-1, 0], np.int32)
    p = np.array([[0.25]])
    most, least = extremes(indptr, rows, at, columns, p)
    assert most.tolist() == least.tolist() == [-1, 0]
    times = np.array([3, 1])
    people = indptr, rows, np.array([4])
    found = greatest_chances(*people, at, columns, times, p, 1 - p, most, least)
    assert found.tolist() == [0.0, 0.25]


def _comb(n: int, k: int) -> float:
    return float(np.prod([(n - i) / (i + 1) for i in range(k)]))
