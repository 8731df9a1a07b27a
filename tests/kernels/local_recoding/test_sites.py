"""Sites: new parts, and rows that get into none, against what boxes cost by definition."""

from __future__ import annotations

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.kernels.neighbourhood import Neighbourhood, neighbourhoods
from unlinkable.kernels.local_recoding.clusters import Clusters
from unlinkable.kernels.local_recoding.sites import (
    MOST_PARTS,
    Site,
    blank_site,
    join,
    move_in,
    place_rest,
)


def take_apart(rows: Neighbourhood, clusters: Clusters, first: int) -> tuple[Site, int]:
    """Take a part apart, and begin a new one with one of its rows."""
    site = blank_site(clusters, len(rows.keys))
    inside = [i for i, p in enumerate(rows.parts) if p == first]
    site.parts[0] = first
    site.rows[: len(inside)] = inside
    site.goes[inside] = -1
    site.records[0], site.weight[0] = 0, 0.0
    site.lo[0] = site.hi[0] = clusters.keys[inside[0]]
    join(inside[0], 0, clusters, site)
    site.cost[0] = 0.0
    return site, len(inside)


@given(neighbourhoods(), st.floats(0, 40), st.data())
def test_one_row_goes_where_it_costs_the_least(
    rows: Neighbourhood, most: float, data: st.DataObject
) -> None:
    pairs = [p for p in set(rows.parts) if rows.parts.count(p) == 2]
    assume(pairs)
    clusters = rows.clusters()
    first = data.draw(st.sampled_from(sorted(pairs)))
    site, n = take_apart(rows, clusters, first)
    seed, row = (i for i, p in enumerate(rows.parts) if p == first)
    others = [[i for i, p in enumerate(rows.parts) if p == to] for to in set(rows.parts) - {first}]
    extra = []
    for joined in [[seed], *others]:
        records = sum(rows.sizes[i] for i in joined)
        more = rows.cost([*joined, row]) * (records + rows.sizes[row])
        extra.append(more - rows.cost(joined) * records)
    found = place_rest(n, 1, 1, 0.0, most, clusters, rows.prices, site)
    assert found == (min(extra) < most)
    if found:
        before = sum(rows.cost(o) * sum(rows.sizes[i] for i in o) for o in others)
        move_in(n, 1, 1, clusters, rows.prices, site)
        assert np.isclose(rows.total(clusters.part.tolist()) - before, min(extra))


@given(neighbourhoods(), st.floats(0, 40), st.data())
def test_the_rest_is_placed_within_what_it_may_cost(
    rows: Neighbourhood, most: float, data: st.DataObject
) -> None:
    clusters = rows.clusters()
    first = data.draw(st.sampled_from(sorted(set(rows.parts))))
    site, n = take_apart(rows, clusters, first)
    inside = [i for i, p in enumerate(rows.parts) if p == first]
    found = place_rest(n, 1, 1, 0.0, most, clusters, rows.prices, site)
    assert (site.marks == -1).all()
    assert clusters.part.tolist() == rows.parts
    if found:
        goes = site.goes[inside].tolist()
        outside = [to - MOST_PARTS for to in goes if to >= MOST_PARTS]
        assert len(set(outside)) == len(outside)
        assert first not in outside
        before = rows.total(rows.parts) - rows.cost(inside) * sum(rows.sizes[i] for i in inside)
        move_in(n, 1, 1, clusters, rows.prices, site)
        rows.check(clusters)
        assert rows.total(clusters.part.tolist()) - before < most + 1e-9
        spare = site.spare[1 : site.spare[0] + 1].tolist()
        assert sorted(spare) == np.flatnonzero(clusters.records == 0).tolist()


def test_a_row_goes_outside_where_that_is_cheaper() -> None:
    rows = Neighbourhood([(0,), (3,), (2,)], [1, 1, 1], [0, 0, 1])
    clusters = rows.clusters()
    site, n = take_apart(rows, clusters, 0)
    assert place_rest(n, 1, 1, 0.0, 6.0, clusters, rows.prices, site)
    assert site.goes.tolist() == [0, MOST_PARTS + 1, -2]
    site, n = take_apart(rows, clusters, 0)
    assert not place_rest(n, 1, 1, 0.0, 2.0, clusters, rows.prices, site)
