"""Following records of one value: golden marks, and values that changed."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.attacks.series.tiny import shuffled, tiny_series
from unlinkable.kernels.flows.tracing import ByValue, Cells, mark_infeasible
from unlinkable.tables.attacks.series.series import Sheet
from unlinkable.tables.attacks.series.shared.traces import trace


def by_value(*entries: tuple[int, int, int], n_values: int = 1) -> ByValue:
    """Write down value, place and count, by rising value."""
    starts = np.searchsorted([e[0] for e in entries], np.arange(n_values + 1))
    return ByValue(
        starts.astype(np.int64),
        np.array([e[1] for e in entries], np.int32),
        np.array([e[2] for e in entries], np.int64),
    )


def mark(in_b: ByValue, first: ByValue, sizes: list[int]) -> tuple[int, list[bool]]:
    """Two groups become two others, and all of the first one's people stay in it or move."""
    cells = Cells(
        np.array([0, 2, 3, 3]),
        np.array([0, 0, 1], np.int32),
        np.array([0, 1, 1], np.int32),
        np.array(sizes),
        2,
    )
    is_possible = np.ones(3, bool)
    asked = by_value((0, 0, 0), (0, 1, 1), (0, 2, 2))
    in_a = by_value((0, 0, 1), (0, 1, 1))
    cell_of = np.arange(3, dtype=np.int32)
    n_failed = mark_infeasible(cells, in_a, in_b, first, asked, cell_of, is_possible)
    return n_failed, is_possible.tolist()


def test_a_definite_edge_takes_the_place_of_a_plausible_one() -> None:
    """Figure 9(i): the record of the second group must be in the second one."""
    in_b = by_value((0, 0, 1), (0, 1, 1))
    for first in (by_value((0, 0, 1), (0, 2, 1)), by_value(), by_value((0, 1, 1), (0, 2, 1))):
        assert mark(in_b, first, [2, 2, 2]) == (0, [True, False, True])


def test_more_room_leaves_more_ways() -> None:
    in_b = by_value((0, 1, 2))
    assert mark(in_b, by_value(), [2, 2, 2]) == (0, [False, True, True])


def test_where_there_is_no_way_nothing_is_marked() -> None:
    in_b = by_value((0, 0, 2))
    assert mark(in_b, by_value(), [2, 2, 2]) == (1, [True, True, True])
    crowded = by_value((0, 1, 2))
    assert mark(crowded, by_value(), [2, 0, 2]) == (1, [True, True, True])


@given(tiny_series(n_people=20, made_up=False), st.integers(0, 3))
def test_what_to_start_with_does_not_matter(sheets: tuple[Sheet, ...], seed: int) -> None:
    mixed = [shuffled(sheet, seed) for sheet in sheets]
    assert trace(sheets).is_possible.tolist() == trace(mixed).is_possible.tolist()
