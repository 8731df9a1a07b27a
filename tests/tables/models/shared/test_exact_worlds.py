"""Chances as fractions: by definition, and where they take too long."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.worlds.test_assignments import crowds
from tests.kernels.worlds_by_definition import credibilities, joint_chances, value_chances
from unlinkable.tables.models.shared.exact_worlds import credibility, joint_chance, value_chance


@given(st.dictionaries(st.integers(1, 99), st.integers(1, 3), min_size=1, max_size=4), st.data())
def test_one_value_against_all_others(kinds: dict[int, int], data: st.DataObject) -> None:
    people = tuple((Fraction(p, 100), n) for p, n in kinds.items())
    f = data.draw(st.integers(1, sum(kinds.values())))
    worlds = value_chances([p for p, _ in people], [n for _, n in people], f)
    assert value_chance(people, f) == max(worlds)


@given(crowds(lowest=1), st.data())
def test_all_values_at_once(
    crowd: tuple[list[list[Fraction]], list[int], list[int]], data: st.DataObject
) -> None:
    weights, sizes, room = crowd
    place = data.draw(st.integers(0, len(room) - 1))
    worlds = joint_chances(weights, sizes, room)
    found = joint_chance(tuple(map(tuple, weights)), tuple(sizes), tuple(room), place)
    assert found == max(row[place] for row in worlds)


@given(
    st.lists(st.integers(1, 4), min_size=1, max_size=4),
    st.fractions(Fraction(1, 10), 1, max_denominator=12),
    st.data(),
)
def test_groups_that_had_to_be_merged(sizes: list[int], h: Fraction, data: st.DataObject) -> None:
    j = data.draw(st.integers(1, sum(sizes)))
    worlds = credibilities(sizes, [int(h * n) for n in sizes], j)
    assert credibility(tuple(sizes), h, j) == max(worlds, default=Fraction(j, sum(sizes)))


def test_gives_up_what_takes_too_long() -> None:
    half = Fraction(1, 2)
    assert value_chance(((half, 1000), (half / 2, 1000)), 1000) is None
    assert joint_chance(((half,) * 20,) * 20, (1,) * 20, (1,) * 20, 0) is None
    assert credibility((1000, 2000), half, 1000) is None
