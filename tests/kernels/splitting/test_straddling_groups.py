"""Cuts that part what was together, against the definition."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.splitting.straddling_groups import count_open


@st.composite
def listed(draw: st.DrawFn) -> tuple[list[list[int]], list[int], list[list[int]], int]:
    """Draw lists of rows, the thing of each row, the groups of each thing, and their number."""
    n_things, n_groups = draw(st.integers(1, 6)), draw(st.integers(1, 4))
    order = draw(st.permutations(range(n_things)))
    lists = draw(st.lists(st.lists(st.integers(0, n_things - 1), unique=True), max_size=4))
    one = st.lists(st.integers(0, n_groups - 1), unique=True)
    groups = draw(st.lists(one, min_size=n_things, max_size=n_things))
    return lists, list(order), groups, n_groups


@given(listed())
def test_a_group_is_open_where_it_has_members_before_and_after(
    given: tuple[list[list[int]], list[int], list[list[int]], int],
) -> None:
    lists, order, groups, n_groups = given
    expected = [
        sum(
            any(g in groups[order[row]] for row in rows[:at])
            and any(g in groups[order[row]] for row in rows[at:])
            for g in range(n_groups)
        )
        for rows in lists
        for at in range(len(rows))
    ]
    found = count_open(
        np.array([row for rows in lists for row in rows], np.int32),
        np.cumsum([0, *map(len, lists)]),
        np.array(order, np.int32),
        np.cumsum([0, *map(len, groups)]),
        np.array([g for own in groups for g in own], np.int32),
        n_groups,
    )
    assert found.tolist() == expected
