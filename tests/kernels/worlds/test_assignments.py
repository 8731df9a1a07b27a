"""All values of a group at once: by definition, and bounds that are none too low."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.worlds_by_definition import joint_chances as by_definition
from unlinkable.kernels.worlds.assignments import joint_chances
from unlinkable.kernels.worlds.swap_bounds import bound_chances
from unlinkable.typing import FloatArray

MANY = 1 << 12


@st.composite
def crowds(draw: st.DrawFn, lowest: int = 0) -> tuple[list[list[Fraction]], list[int], list[int]]:
    """Draw how likely people have values, how many people there are, and how many of each value."""
    n = draw(st.integers(1, 6))
    kinds = draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    values = draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    sizes, room = ([c for i in range(4) if (c := x.count(i))] for x in (kinds, values))
    share = st.integers(lowest, 3) | st.integers(max(lowest, 1), 1000)
    row = st.lists(share, min_size=len(room), max_size=len(room))
    rows = draw(st.lists(row, min_size=len(sizes), max_size=len(sizes)))
    return [[Fraction(w, 1000) for w in row] for row in rows], sizes, room


def joint(
    weights: list[list[Fraction]], sizes: list[int], room: list[int], most_states: int
) -> tuple[list[float], list[int], bool, bool]:
    """Ask about one group."""
    shares = np.array([[float(w) for w in row] for row in weights])
    rows, columns = (np.arange(len(x), dtype=np.int32) for x in (sizes, room))
    people = np.array([0, len(sizes)]), rows, np.array(sizes)
    values = np.array([0, len(room)]), columns, np.array(room)
    chance, who, even, counted = joint_chances(*people, *values, shares, most_states)
    return chance.tolist(), who.tolist(), bool(even[0]), bool(counted[0])


@given(crowds())
def test_the_likeliest_person_is_as_likely_as_all_worlds_say(
    crowd: tuple[list[list[Fraction]], list[int], list[int]],
) -> None:
    worlds = by_definition(*crowd)
    chance, who, even, counted = joint(*crowd, MANY)
    assert counted
    assert even is (len({*map(tuple, crowd[0])}) == 1)
    for x, found in enumerate(chance):
        if not worlds:
            assert np.isnan(found)
            continue
        assert found == pytest.approx(float(max(row[x] for row in worlds)), rel=1e-12)
        assert found == pytest.approx(float(worlds[who[x]][x]), rel=1e-12)


@given(crowds())
def test_bounds_are_no_less_than_chances(
    crowd: tuple[list[list[Fraction]], list[int], list[int]],
) -> None:
    worlds = by_definition(*crowd)
    chance, _, even, counted = joint(*crowd, 1)
    assert counted is even
    if worlds:
        for x, found in enumerate(chance):
            assert found >= float(max(row[x] for row in worlds)) * (1 - 1e-12)


@given(crowds(lowest=1))
def test_bounds_of_people_alike_are_their_shares(
    crowd: tuple[list[list[Fraction]], list[int], list[int]],
) -> None:
    weights, sizes, room = crowd
    alike = np.array([[float(w) for w in weights[0]] for _ in sizes])
    out = np.empty_like(alike)
    bound_chances(alike, np.array(sizes), np.array(room), out)
    shares: FloatArray = np.array(room) / sum(room)
    assert out == pytest.approx(np.tile(shares, (len(sizes), 1)))


def test_bounds_notice_that_too_few_can_have_a_value() -> None:
    out = np.zeros((2, 2))
    bound_chances(np.array([[0.5, 0.5], [1.0, 0.0]]), np.array([1, 3]), np.array([2, 2]), out)
    assert np.isnan(out).all()


def test_many_people_of_few_kinds_are_counted() -> None:
    weights = [[Fraction(3, 10), Fraction(7, 10)], [Fraction(2, 10), Fraction(8, 10)]]
    chance, who, _, counted = joint(weights, [300, 700], [250, 750], 1 << 18)
    assert counted
    assert who == [0, 1]
    mine, theirs = chance[0], (250 - 300 * chance[0]) / 700
    odds_ratio = mine / (1 - mine) / (theirs / (1 - theirs))
    assert odds_ratio == pytest.approx((3 / 7) / (2 / 8), rel=1e-2)
    assert 1 - theirs == pytest.approx(chance[1], rel=1e-12)


def test_beliefs_of_very_different_size_do_not_vanish() -> None:
    one, tiny = Fraction(1), Fraction(1, 10**60)
    weights = [[one / 2, tiny, tiny], [one / 3, tiny**2, 2 * tiny**2]]
    chance, _, _, counted = joint(weights, [4, 5], [4, 3, 2], MANY)
    assert counted
    scaled = [[one / 2, one, one], [one / 3, tiny, 2 * tiny]]
    assert chance == pytest.approx(joint(scaled, [4, 5], [4, 3, 2], MANY)[0], rel=1e-9)
