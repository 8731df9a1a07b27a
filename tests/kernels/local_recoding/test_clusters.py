"""Clusters: what is noted about parts, against the rows in them."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.neighbourhood import Neighbourhood, neighbourhoods
from unlinkable.kernels.local_recoding.clusters import (
    box_price,
    cheapest_cluster,
    drop,
    joint_price,
    shift,
)


@given(neighbourhoods(), st.data())
def test_rows_that_move_are_noted_where_they_go(rows: Neighbourhood, data: st.DataObject) -> None:
    clusters, prices = rows.clusters(), rows.prices
    for _ in range(data.draw(st.integers(0, 8))):
        row = data.draw(st.integers(0, len(rows.keys) - 1))
        old = int(clusters.part[row])
        to = data.draw(st.sampled_from([p for p in range(clusters.head.size) if p != old]))
        shift(clusters, prices, row, to)
        drop(clusters, prices, old)
        assert clusters.part[row] == to
    rows.check(clusters)


@given(neighbourhoods(), st.integers(1, 4), st.floats(0, 30))
def test_the_cheapest_home_is_found_among_all(rows: Neighbourhood, least: int, most: float) -> None:
    clusters = rows.clusters()
    for row, own in enumerate(rows.parts):
        extra = {}
        for part in set(rows.parts) - {own}:
            inside = [i for i, p in enumerate(rows.parts) if p == part]
            records = sum(rows.sizes[i] for i in inside)
            if records >= least:
                after = rows.cost([*inside, row]) * (records + rows.sizes[row])
                extra[part] = after - rows.cost(inside) * records
        to, cost = cheapest_cluster(clusters, rows.prices, row, least, most, clusters.head.size)
        if extra and min(extra.values()) < most:
            assert cost == extra[to] == min(extra.values())
        else:
            assert (to, cost) == (-1, most)


@given(neighbourhoods())
def test_a_box_that_grows_by_a_row_costs_what_the_box_around_both_costs(
    rows: Neighbourhood,
) -> None:
    keys = np.array(rows.keys, np.int32)
    lo, hi = keys.min(axis=0), keys.max(axis=0)
    assert box_price(rows.prices, lo, hi) == rows.cost(list(range(len(keys))))
    for row in range(len(keys)):
        joint = joint_price(rows.prices, keys[row], keys[0], keys[0])
        assert joint == rows.cost([0, row])
