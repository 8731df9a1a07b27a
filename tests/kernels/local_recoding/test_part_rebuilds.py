"""Rebuilding: what is kept is cheaper and large enough, and better ways are found."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.neighbourhood import Neighbourhood, neighbourhoods
from unlinkable.kernels.local_recoding.part_rebuilds import rebuild
from unlinkable.kernels.local_recoding.sites import blank_site

LEAST = 3


@given(neighbourhoods(least=LEAST), st.integers(0, 1 << 32), st.integers(1, 3), st.integers(2, 14))
def test_rebuilding_never_costs_more_and_keeps_parts_large(
    rows: Neighbourhood, seed: int, reach: int, room: int
) -> None:
    clusters = rows.clusters()
    site = blank_site(clusters, room)
    state = np.array([seed], np.uint64)
    cost, total = rows.total(rows.parts), 0
    for _ in range(4):
        order = np.arange(len(rows.keys), dtype=np.int32)
        looks, made = rebuild(
            order, reach, clusters, rows.prices, rows.levels, rows.losses, site, LEAST, state
        )
        rows.check(clusters)
        before, cost, total = cost, rows.total(clusters.part.tolist()), total + made
        assert (cost < before) == (made > 0)
        assert cost <= before
        assert looks >= 0
        assert (site.goes == -2).all()
        spare = site.spare[1 : site.spare[0] + 1].tolist()
        assert sorted(spare) == np.flatnonzero(clusters.records == 0).tolist()
    assert clusters.records[clusters.records > 0].min() >= LEAST


def test_rows_that_are_mixed_up_are_sorted_out() -> None:
    """No single move helps here, because every part is as small as it may be."""
    keys = [(a, b) for a in (0, 3) for b in range(4)]
    rows = Neighbourhood(keys, [1] * 8, [0, 1, 0, 1, 0, 1, 0, 1])
    clusters = rows.clusters()
    site, state = blank_site(clusters, 8), np.array([1], np.uint64)
    order = np.arange(8, dtype=np.int32)
    for _ in range(8):
        rebuild(order, 3, clusters, rows.prices, rows.levels, rows.losses, site, 4, state)
    assert rows.total(rows.parts) == 8 * 6.0
    assert rows.total(clusters.part.tolist()) == 8 * 3.0


def test_parts_that_cost_nothing_are_left_alone() -> None:
    rows = Neighbourhood([(0, 0), (3, 3)], [3, 3], [0, 1])
    clusters = rows.clusters()
    site, state = blank_site(clusters, 2), np.array([1], np.uint64)
    made = rebuild(
        np.array([0, 1], np.int32),
        3,
        clusters,
        rows.prices,
        rows.levels,
        rows.losses,
        site,
        3,
        state,
    )
    assert made == (0, 0)
