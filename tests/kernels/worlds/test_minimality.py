"""Groups that were merged because they had to be: by definition, and bounds on large ones."""

from __future__ import annotations

from math import ceil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.worlds_by_definition import credibilities
from unlinkable.kernels.worlds.minimality import bound_credibility, greatest_credibilities

PART = st.integers(1, 5).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n)))


def greatest(sizes: list[int], caps: list[int], j: int) -> tuple[float, int]:
    """Ask about one value in one group."""
    parts = np.array([0, len(sizes)]), np.array(sizes), np.array(caps)
    value = np.array([0, 1]), np.array([j]), np.ones(1, bool)
    chance, who, counted = greatest_credibilities(*parts, *value, 1000)
    assert counted.all()
    return float(chance[0]), int(who[0])


def with_equal_caps(parts: list[tuple[int, int]]) -> tuple[list[int], list[int]]:
    """Give parts of the same size the same cap, as one bound on shares does."""
    cap = dict(parts)
    return [n for n, _ in parts], [cap[n] for n, _ in parts]


@given(st.lists(PART, min_size=1, max_size=4), st.data())
def test_the_likeliest_person_is_as_likely_as_all_worlds_say(
    parts: list[tuple[int, int]], data: st.DataObject
) -> None:
    sizes, caps = with_equal_caps(parts)
    j = data.draw(st.integers(1, sum(sizes)))
    worlds = credibilities(sizes, caps, j)
    chance, who = greatest(sizes, caps, j)
    if not worlds or len({*sizes}) == 1:
        assert chance == j / sum(sizes)
    else:
        assert chance == pytest.approx(float(max(worlds)), rel=1e-12)
        assert chance == pytest.approx(float(worlds[sizes.index(who)]), rel=1e-12)


@given(st.lists(PART, min_size=2, max_size=4), st.data())
def test_bounds_are_no_less_than_chances(parts: list[tuple[int, int]], data: st.DataObject) -> None:
    sizes, caps = with_equal_caps(parts)
    j = data.draw(st.integers(1, sum(sizes)))
    worlds = credibilities(sizes, caps, j)
    bound, who = bound_credibility(np.array(sizes), np.array(caps), sum(sizes), j)
    assert who in sizes
    if worlds:
        assert bound >= float(max(worlds)) * (1 - 1e-12)
    else:
        assert bound == j / sum(sizes)


@pytest.mark.parametrize(
    ("sizes", "j", "share"),
    [([400, 600], 100, 0.15), ([300, 700], 200, 0.25), ([50] * 10 + [60] * 8, 200, 0.5)],
)
def test_bounds_are_close_where_it_is_rare_that_a_part_has_too_much(
    sizes: list[int], j: int, share: float
) -> None:
    caps = [int(share * n) for n in sizes]
    bound, _ = bound_credibility(np.array(sizes), np.array(caps), sum(sizes), j)
    assert bound == pytest.approx(greatest(sizes, caps, j)[0], rel=1e-4)


def test_bounds_are_shares_where_some_part_nearly_always_has_too_much() -> None:
    sizes = np.tile(np.arange(1, 20), 50)
    n = int(sizes.sum())
    j = ceil(n / 5)
    bound, _ = bound_credibility(sizes, sizes // 2, n, j)
    assert j / n <= bound == pytest.approx(j / n, rel=1e-6)


def test_large_groups_are_bounded_and_values_that_nobody_asks_about_left_out() -> None:
    parts = np.array([0, 2]), np.array([400, 700]), np.array([100, 175])
    values = np.array([0, 2]), np.array([200, 900]), np.array([True, False])
    chance, who, counted = greatest_credibilities(*parts, *values, 1000)
    assert counted.tolist() == [False, True]
    assert chance[1] == who[1] == 0
    assert (chance[0], who[0]) == bound_credibility(parts[1], parts[2], 1100, 200)


def test_a_thousand_people_do_not_overflow() -> None:
    chance, _ = greatest([450, 550], [225, 275], 500)
    assert 0.5 < chance < 0.52
