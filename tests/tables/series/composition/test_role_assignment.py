"""Role assignment: people near to others, none of them twice."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.tables.series.composition.role_assignment import pick_near


@st.composite
def offers(draw: st.DrawFn) -> tuple[list[int], list[int], list[int]]:
    need = draw(st.lists(st.integers(0, 3), min_size=1, max_size=6))
    wanted = sorted(draw(st.lists(st.integers(0, 99), min_size=len(need), max_size=len(need))))
    n = draw(st.integers(sum(need), sum(need) + 10))
    return wanted, need, sorted(draw(st.sets(st.integers(0, 99), min_size=n, max_size=n)))


@given(offers())
def test_nobody_is_picked_twice(drawn: tuple[list[int], list[int], list[int]]) -> None:
    wanted, need, offered = map(np.array, drawn)
    picked = pick_near(wanted, need.astype(np.int64), offered).tolist()
    assert len(set(picked)) == len(picked) == need.sum()
    assert picked == sorted(picked)
    assert all(0 <= at < offered.size for at in picked)


def test_picks_those_who_are_nearest_if_nobody_else_wants_them() -> None:
    offered = np.arange(0, 100, 10)
    picked = pick_near(np.array([31, 78]), np.array([2, 2]), offered)
    assert offered[picked].tolist() == [30, 40, 70, 80]
