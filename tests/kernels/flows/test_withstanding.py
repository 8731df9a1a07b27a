"""Whether a split is withstood: small releases worked out by hand.

That it is the same as trying all sets of groups is shown where splits are watched.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from unlinkable.errors import ParameterError
from unlinkable.tables.attacks.series.series import Sheet
from unlinkable.tables.series.incremental.split_state import SplitState


def state_of(old: list[int], values: list[int], k: int, c: Fraction | int) -> SplitState:
    """One earlier release, and one group of all records."""
    groups, hidden = np.array(old, np.int32), np.array(values, np.int32)
    there = np.flatnonzero(groups >= 0)
    sheet = Sheet(there, groups[there], hidden[there], max(old) + 1, max(values) + 1)
    state = SplitState.of([sheet], hidden, np.zeros(len(old), np.int32), k, Fraction(c))
    assert state.settle()
    return state


def test_two_newcomers_must_stay_together() -> None:
    state = state_of([0, 0, 1, 1, -1, -1], [0] * 6, 2, 1)
    assert not state.divide(0, 1, np.array([0, 1, 4]))  # each half has one newcomer
    assert state.divide(0, 1, np.array([0, 1]))


def test_a_new_group_inside_an_old_one_must_leave_enough_of_it() -> None:
    state = state_of([0, 0, 0, -1, -1, -1], [0] * 6, 2, 1)
    assert not state.divide(0, 1, np.array([0, 1]))  # one of the three is left
    assert state.divide(0, 1, np.array([0, 1, 2]))


def test_nobody_left_is_no_channel_unless_something_can_be_spared() -> None:
    """Without newcomers, the whole leaves nobody, and its parts leave each other."""
    state = state_of([0, 0, 1, 1, 1, 2, 2, 2], [0] * 8, 2, 1)
    assert not state.divide(0, 1, np.array([0, 1, 2]))  # the first group leaves one of its half
    assert state.divide(0, 1, np.array([0, 1, 5, 6, 7]))


def test_whole_groups_leave_nobody_and_parts_of_them_do() -> None:
    state = state_of([0, 0, 1, 1, 1, 2, 2], [0] * 7, 2, 1)
    assert state.divide(0, 1, np.array([5, 6]))
    assert not state.divide(0, 2, np.array([0, 1, 2]))
    assert state.divide(0, 2, np.array([0, 1]))


def test_newcomers_with_one_value_must_not_be_left_alone() -> None:
    values = [0, 1, 2, 3, 1, 0, 2, 0]
    state = state_of([0, 0, 0, 0, -1, -1, -1, -1], values, 2, Fraction(1, 2))
    assert not state.divide(0, 1, np.array([0, 1, 2, 3, 5, 7]))  # zero twice, of two
    assert state.divide(0, 1, np.array([0, 1, 2, 3, 4, 5]))  # one of each


@pytest.mark.parametrize("moved", [[0], [0, 2]])
def test_a_half_that_is_bad_alone_is_not_withstood(moved: list[int]) -> None:
    state = state_of([-1, -1, -1, -1, 0, 0], [0, 1, 0, 1, 2, 3], 2, Fraction(1, 2))
    assert not state.divide(0, 1, np.array(moved))
    assert state.divide(0, 1, np.array([0, 1]))


def test_refuses_more_groups_than_there_can_be() -> None:
    with pytest.raises(ParameterError, match="6 groups of 2 records each cannot be: too many"):
        state_of([0, 0, 0, 0], [0] * 4, 2, 1).divide(0, 5, np.array([0, 1]))
