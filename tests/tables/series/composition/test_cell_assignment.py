"""Casting: who appears together, from plain numbers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.errors import UnsupportedError
from unlinkable.tables.series.composition.cell_assignment import OUT, CellAssignment, assign_cells
from unlinkable.tables.series.composition.role_assignment import FREE
from unlinkable.tables.series.composition.roles import DECOY, Roles

ROLES = Roles.none().with_more([0, 1, 2], [0, 0, 0], [0, 1, 2], [0, DECOY, DECOY])


def cast_of(
    people: list[int], values: list[int], roles: Roles = ROLES, seen: int = 3, size: int = 3
) -> CellAssignment:
    who = np.array(people)
    published = np.arange(40) < seen
    return assign_cells(
        who, np.array(values, np.int32), np.arange(who.size), roles, published, size
    )


def test_a_whole_cell_appears_as_it_is() -> None:
    made = cast_of([0, 1, 2, 10, 11, 12], [0] + [DECOY] * 5)
    assert made.cell.tolist() == [0, 0, 0, FREE, FREE, FREE]
    assert made.n_left_out == made.stands_in.size == 0


def test_somebody_new_stands_in_for_one_who_is_away() -> None:
    made = cast_of([0, 2, 10, 11, 12, 13], [0] + [DECOY] * 5)
    assert made.cell.tolist().count(0) == 3
    assert made.roles.cohort[-1] == 1
    assert made.stands_in.size == 0


def test_a_counterfeit_stands_in_if_nobody_is_new() -> None:
    made = cast_of([1, 2], [DECOY, DECOY])
    assert made.cell.tolist() == [0, 0]
    assert (made.stands_in.tolist(), made.lacks.tolist()) == ([0], [0])


def test_one_of_three_is_left_out() -> None:
    made = cast_of([2], [DECOY])
    assert made.cell.tolist() == [OUT]
    assert made.left_out == {"belong together with people who are not there": 1}


def test_new_holders_get_as_many_cells_as_there_are_others() -> None:
    made = cast_of([3, 4, 5, 6, 7, 8], [0, 0, 0, DECOY, DECOY, DECOY], Roles.none(), 0)
    assert made.n_left_out == 3
    assert made.left_out == {
        "hold a permanent value, and too few others are new": 2,
        "are fewer than 3 without a role": 1,
    }
    assert sorted(made.roles.value.tolist()) == [DECOY, DECOY, 0]


@given(
    st.lists(st.sampled_from([0, 1, 2, DECOY, DECOY, DECOY]), min_size=1, max_size=30),
    st.integers(2, 4),
)
def test_new_cells_have_each_value_once_and_one_of_each_cohort(
    values: list[int], size: int
) -> None:
    made = cast_of(list(range(len(values))), values, Roles.none(), 0, size)
    for c in range(made.roles.n_cells):
        mine = made.roles.cell == c
        assert sorted(made.roles.cohort[mine].tolist()) == list(range(size))
        held = [v for v in made.roles.value[mine].tolist() if v != DECOY]
        assert held
        assert len(set(held)) == len(held)
    holders = [i for i, v in enumerate(values) if v != DECOY]
    assert all(made.cell[i] != FREE for i in holders)
    for person, value in zip(made.roles.person, made.roles.value, strict=True):
        assert values[person] == value


def test_refuses_holders_who_lost_their_value() -> None:
    with pytest.raises(UnsupportedError, match="1 person no longer has a permanent value"):
        cast_of([0, 1, 2], [DECOY] * 3)
