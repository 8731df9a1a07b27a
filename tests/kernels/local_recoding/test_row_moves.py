"""Moving rows: nothing gets dearer, nothing too small, and in the end nothing is left to move."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.neighbourhood import Neighbourhood, neighbourhoods
from unlinkable.kernels.local_recoding.row_moves import make_moves, move_rows, propose_moves

LEAST = 3


def single_gains(rows: Neighbourhood, parts: list[int]) -> list[float]:
    """What every allowed move of a single row saves."""
    before, gains = rows.total(parts), []
    for row, own in enumerate(parts):
        left = sum(s for s, p in zip(rows.sizes, parts, strict=True) if p == own) - rows.sizes[row]
        if left >= LEAST:
            for to in set(parts) - {own}:
                moved = [to if i == row else p for i, p in enumerate(parts)]
                gains.append(before - rows.total(moved))
    return gains


@given(neighbourhoods(least=LEAST))
def test_rows_move_until_no_single_move_saves_anything(rows: Neighbourhood) -> None:
    clusters = rows.clusters()
    order = np.arange(len(rows.keys), dtype=np.int32)
    cost = rows.total(rows.parts)
    while True:
        is_tried = np.zeros(clusters.head.size, bool)
        n_moved, n_given_up = move_rows(
            clusters, rows.prices, order, LEAST, clusters.head.size, is_tried
        )
        rows.check(clusters)
        before, cost = cost, rows.total(clusters.part.tolist())
        assert cost <= before
        assert (cost < before) == (n_moved + n_given_up > 0)
        if not n_moved + n_given_up:
            break
    assert clusters.records[clusters.records > 0].min() >= LEAST
    assert max(single_gains(rows, clusters.part.tolist()), default=0.0) <= 1e-9


@given(neighbourhoods(least=LEAST), st.data())
def test_proposed_moves_save_what_they_say_and_do_not_meet(
    rows: Neighbourhood, data: st.DataObject
) -> None:
    clusters = rows.clusters()
    n = len(rows.keys)
    refused = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    order = np.arange(n, dtype=np.int32)
    is_busy = np.zeros(clusters.head.size, bool)
    moved, to, gains = propose_moves(
        clusters, rows.prices, order, LEAST, clusters.head.size, refused, is_busy
    )
    assert clusters.part.tolist() == rows.parts
    assert not refused[moved].any()
    concerned = [*to.tolist(), *(rows.parts[i] for i in moved)]
    assert len(set(concerned)) == len(concerned)
    before = rows.total(rows.parts)
    for row, part, gain in zip(moved, to, gains, strict=True):
        after = [int(part) if i == row else p for i, p in enumerate(rows.parts)]
        assert np.isclose(before - rows.total(after), gain)
        assert gain > 0
    make_moves(clusters, rows.prices, moved, to)
    rows.check(clusters)
    assert np.isclose(rows.total(clusters.part.tolist()), before - gains.sum())
    if not refused.any() and not moved.size:
        assert max(single_gains(rows, rows.parts), default=0.0) <= 1e-9


def test_a_part_whose_rows_are_better_off_elsewhere_is_given_up() -> None:
    keys = [(0, 0), (3, 3), (0, 1), (0, 2), (3, 2), (3, 1)]
    rows = Neighbourhood(keys, [1] * 6, [0, 0, 1, 1, 2, 2])
    clusters = rows.clusters()
    order = np.arange(6, dtype=np.int32)
    is_tried = np.zeros(clusters.head.size, bool)
    assert move_rows(clusters, rows.prices, order, 2, clusters.head.size, is_tried) == (0, 1)
    assert clusters.part[0] == clusters.part[2]
    assert clusters.part[1] == clusters.part[4]
