"""Dividing groups of a release that is being made: counts are those of the halves."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.flows.dividing import divide, rejoin
from unlinkable.tables.attacks.series.series import Sheet
from unlinkable.tables.series.incremental.split_state import SplitState
from unlinkable.typing import CodeArray, CountArray


@st.composite
def states(draw: st.DrawFn) -> tuple[SplitState, list[CodeArray], CodeArray]:
    """A state with two groups and two earlier releases, their groups, and the values."""
    n = draw(st.integers(2, 12))
    values = np.array(draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)), np.int32)
    old = [
        np.array(draw(st.lists(st.integers(-1, 2), min_size=n, max_size=n)), np.int32)
        for _ in range(2)
    ]
    sheets = []
    for groups in old:
        used, codes = np.unique(groups[groups >= 0], return_inverse=True)
        groups[groups >= 0] = codes
        there = np.flatnonzero(groups >= 0)
        sheets.append(Sheet(there, groups[there], values[there], used.size, 3))
    slots = np.array([0, 1, *draw(st.lists(st.integers(-1, 1), min_size=n - 2, max_size=n - 2))])
    state = SplitState.of(sheets, values, slots.astype(np.int32), 1, Fraction(1, 4))
    return state, old, values


def snapshot(state: SplitState) -> list[CountArray]:
    order = state.pieces.lists
    records = np.concatenate(
        [np.sort(order.edges[a:b]) for a, b in zip(order.start[:2], order.end[:2], strict=True)]
    )
    counted = (state.pieces.counts, state.pieces.strangers)
    parts = [
        array[..., :2].copy() for array in (*counted, state.flows.on_free, state.flows.on_room)
    ]
    whole = [array.copy() for array in (*state.flows[2:4], *state.flows[6:8])]
    return [records, state.pieces.group.astype(np.int64), *parts, *whole]


@given(states(), st.data())
def test_halves_are_counted_and_can_be_joined_again(
    made: tuple[SplitState, list[CodeArray], CodeArray], data: st.DataObject
) -> None:
    state, old, values = made
    before = snapshot(state)
    members = np.flatnonzero(state.pieces.group == 0)
    moved = np.array(sorted(data.draw(st.sets(st.sampled_from(members.tolist())))), np.int64)
    divide(0, 2, moved, state.pieces, state.past, state.flows)
    lists = state.pieces.lists
    for g in range(3):
        mine = np.flatnonzero(state.pieces.group == g)
        assert sorted(lists.edges[lists.start[g] : lists.end[g]]) == mine.tolist()
        watched = state.pieces.codes[values == values[0]][0]
        if watched >= 0:
            assert state.pieces.counts[watched, g] == (values[mine] == values[0]).sum()
        for r, groups in enumerate(old):
            assert state.pieces.strangers[r, g] == (groups[mine] < 0).sum()
            assert state.flows.on_free[r, g] == (state.flows.on_stay[r, mine] == 0).sum()
            may_go = (groups[mine] >= 0).all()
            assert (state.flows.back_stay[r, mine] == may_go).all()
    assert state.pieces.group[moved].tolist() == [2] * moved.size
    rejoin(0, 2, state.pieces, state.past, state.flows)
    for was, now in zip(before, snapshot(state), strict=True):
        assert (was == now).all()
