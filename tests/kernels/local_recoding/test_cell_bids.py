"""Bidding: bounds hold, cells are opened for enough records, and what is left finds a home."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.neighbourhood import Neighbourhood, neighbourhoods
from unlinkable.kernels.local_recoding.cell_bids import (
    Bidders,
    Market,
    award,
    begin_bids,
    bid,
    clear,
    join_rest,
)
from unlinkable.kernels.local_recoding.cell_listing import Cells


def all_cells(rows: Neighbourhood) -> dict[frozenset[int], float]:
    """Give all cells of the lattice, with their cost."""
    found = {}
    for node in product(range(3), repeat=rows.n_columns):
        sets: dict[tuple[int, ...], list[int]] = {}
        for i, key in enumerate(rows.keys):
            shown = tuple((c, c // 2, 0)[level] for c, level in zip(key, node, strict=True))
            sets.setdefault(shown, []).append(i)
        found.update({frozenset(cell): rows.cost(cell) for cell in sets.values()})
    return found


def market_of(cells: dict[frozenset[int], float]) -> Market:
    starts = np.cumsum([0] + [len(cell) for cell in cells])
    rows = np.array([row for cell in cells for row in sorted(cell)], np.int32)
    n = len(cells)
    costs = np.array(list(cells.values()))
    return Market(Cells(costs, starts, rows), np.zeros(n), np.zeros(n, np.int64))


def bidders_of(rows: Neighbourhood, bids: list[float]) -> Bidders:
    n = len(rows.keys)
    return Bidders(
        np.array(rows.sizes), np.array(bids), np.full(n, np.inf), np.full(n, -1, np.int32)
    )


def bids_of(
    market: Market,
    bidders: Bidders,
    least: int,
    n_rounds: int,
    is_new: bool,
    target: float,
    paid: float = 0.0,
    at_once: int = 60,
) -> float:
    """Bid for some rounds, in portions; give the bound of the bids that are kept."""
    bidding = begin_bids(bidders, 0.3)
    for first in range(0, n_rounds, at_once):
        rounds = first, min(first + at_once, n_rounds)
        if not bid(market, bidders, bidding, least, 1.0, rounds, is_new, target, paid):
            break
    bidders.bids[:] = bidding.kept
    return float(bidding.numbers[0])


def members(market: Market, c: int) -> list[int]:
    cells = market.cells
    found: list[int] = cells.rows[cells.starts[c] : cells.starts[c + 1]].tolist()
    return found


def bound_by_definition(
    cells: dict[frozenset[int], float], sizes: list[int], bids: list[float], least: int
) -> float:
    """Add what every cell lacks, if that is below nothing, to what all bid."""
    bound = sum(b * s for b, s in zip(bids, sizes, strict=True))
    for cell, cost in cells.items():
        lack, missing = 0.0, least
        for row in sorted(cell, key=lambda row: -bids[row]):
            taken = sizes[row] if bids[row] > cost else max(min(sizes[row], missing), 0)
            lack += taken * (cost - bids[row])
            missing -= sizes[row]
        bound += min(lack, 0.0) if missing <= 0 else 0.0
    return bound


def least_cost(cells: dict[frozenset[int], float], rows: Neighbourhood, least: int) -> float:
    """Try all ways to give every row one cell that holds it; cells in use have enough records."""
    order = list(cells.items())
    n = len(rows.keys)
    choices = [[c for c, (cell, _) in enumerate(order) if row in cell] for row in range(n)]
    best = np.inf
    for chosen in product(*choices):
        records = dict.fromkeys(chosen, 0)
        for row, c in enumerate(chosen):
            records[c] += rows.sizes[row]
        if min(records.values()) >= least:
            best = min(best, sum(order[c][1] * n for c, n in records.items()))
    return best


BIDS = st.sampled_from([0.0, 0.5, 1.0, 2.5, 4.0, 7.0])


@given(neighbourhoods(), st.integers(1, 6), st.data())
def test_the_bound_of_one_round_is_what_it_is_by_definition(
    rows: Neighbourhood, least: int, data: st.DataObject
) -> None:
    bids = data.draw(st.lists(BIDS, min_size=len(rows.keys), max_size=len(rows.keys)))
    cells, bidders = all_cells(rows), bidders_of(rows, bids)
    found = bids_of(market_of(cells), bidders, least, 1, True, 10.0, 2.0)
    assert abs(found - 2.0 - bound_by_definition(cells, rows.sizes, bids, least)) < 1e-9
    assert bidders.bids.tolist() == bids


@given(neighbourhoods(max_rows=5), st.integers(1, 4), st.integers(2, 20), st.data())
def test_bids_are_the_same_in_portions(
    rows: Neighbourhood, least: int, n_rounds: int, data: st.DataObject
) -> None:
    bids = data.draw(st.lists(BIDS, min_size=len(rows.keys), max_size=len(rows.keys)))
    found = []
    for at_once in (n_rounds, data.draw(st.integers(1, n_rounds))):
        market, bidders = market_of(all_cells(rows)), bidders_of(rows, bids)
        bound = bids_of(market, bidders, least, n_rounds, True, 10.0, at_once=at_once)
        found.append((bound, bidders.bids.tolist(), market.heat.tolist()))
    assert found[0] == found[1]


@given(neighbourhoods(max_rows=5), st.integers(1, 4), st.integers(1, 20), st.data())
def test_no_groups_cost_less_than_the_bound(
    rows: Neighbourhood, least: int, n_rounds: int, data: st.DataObject
) -> None:
    bids = data.draw(st.lists(BIDS, min_size=len(rows.keys), max_size=len(rows.keys)))
    every = all_cells(rows)
    bidders = bidders_of(rows, bids)
    market = market_of(every)
    first = bids_of(market, bidders, least, 1, True, 10.0)
    bids_of(market, bidders, least, n_rounds, False, 10.0)
    # The bids that are kept are as good as the first, and bound the cost whatever was looked at.
    after = bound_by_definition(every, rows.sizes, bidders.bids.tolist(), least)
    assert after <= least_cost(every, rows, least) + 1e-9
    assert first <= least_cost(every, rows, least) + 1e-9
    assert (bidders.bids >= 0).all()


def test_bids_find_the_cheapest_cover() -> None:
    """Two pairs that share a row with a third, dearer one: bids tell which to open."""
    cells = {frozenset({0, 1}): 1.0, frozenset({2, 3}): 1.0, frozenset({1, 2}): 1.5}
    rows = Neighbourhood([(0,), (1,), (2,), (3,)], [1] * 4, [0] * 4)
    market, bidders = market_of(cells), bidders_of(rows, [2.0] * 4)
    bound = bids_of(market, bidders, 2, 60, True, 4.0)
    assert 3.9 < bound <= 4.0 + 1e-9
    assert market.heat[:2].min() > market.heat[2]


@given(neighbourhoods(), st.integers(1, 6), st.integers(1, 4), st.data())
def test_open_cells_have_enough_records_that_bid_most(
    rows: Neighbourhood, least: int, most: int, data: st.DataObject
) -> None:
    bids = data.draw(st.lists(BIDS, min_size=len(rows.keys), max_size=len(rows.keys)))
    cells = all_cells(rows)
    market, bidders = market_of(cells), bidders_of(rows, bids)
    market.heat[:] = 1.0
    ranking = np.array(data.draw(st.permutations(range(len(cells)))))
    n_open, paid = award(market, bidders, least, 1.0, ranking, most, 0)
    home = bidders.home.tolist()
    assert n_open == len(set(home) - {-1}) <= most
    order, total = list(cells.items()), 0.0
    taken: set[int] = set()
    opened = [c for c in ranking.tolist() if market.heat[c] == 0.0]
    for number, c in enumerate(opened):
        cell, cost = order[c]
        mine = {row for row, part in enumerate(home) if part == number}
        assert mine <= cell
        assert sum(rows.sizes[row] for row in mine) >= least
        assert all(bidders.caps[row] <= cost for row in cell)
        assert all(row in mine | taken or bids[row] <= cost for row in cell)
        taken |= mine
        total += cost * sum(rows.sizes[row] for row in mine)
    assert len(opened) == n_open
    assert abs(paid - total) < 1e-9
    assert (bidders.bids <= bidders.caps).all()


@given(neighbourhoods(), st.integers(1, 6), st.data())
def test_what_is_cleared_is_what_has_a_home(
    rows: Neighbourhood, least: int, data: st.DataObject
) -> None:
    cells, bidders = all_cells(rows), bidders_of(rows, [1.0] * len(rows.keys))
    for row in range(len(rows.keys)):
        bidders.home[row] = data.draw(st.sampled_from([-1, 0]))
    market = market_of(cells)
    market.heat[:] = np.arange(len(cells))
    after = clear(market, bidders, least)
    expected = []
    for heat, (cell, cost) in enumerate(cells.items()):
        left = [row for row in sorted(cell) if bidders.home[row] < 0]
        if sum(rows.sizes[row] for row in left) >= least:
            expected.append((left, cost, heat))
    found = [
        (members(after, c), after.cells.costs[c], after.heat[c]) for c in range(after.heat.size)
    ]
    assert found == expected


@given(neighbourhoods(), st.data())
def test_the_rest_goes_where_it_costs_least(rows: Neighbourhood, data: st.DataObject) -> None:
    n = len(rows.keys)
    bidders = bidders_of(rows, [0.0] * n)
    clusters = data.draw(st.lists(st.sampled_from([-1, 0, 1]), min_size=n, max_size=n))
    clusters[0] = 0
    clusters = [h if 1 in clusters or h < 1 else 0 for h in clusters]
    n_parts = max(clusters) + 1
    bidders.home[:] = clusters
    keys = np.array(rows.keys, np.int32)
    lo, hi = (
        np.array([f(keys[np.array(clusters) == p], axis=0) for p in range(n_parts)], np.int32)
        for f in (np.min, np.max)
    )
    records = np.array(
        [
            sum(s for s, h in zip(rows.sizes, clusters, strict=True) if h == p)
            for p in range(n_parts)
        ]
    )
    rest = np.flatnonzero(bidders.home < 0)
    join_rest(keys, rest, bidders, rows.prices, lo, hi, records)
    for row in range(n):
        if clusters[row] < 0:
            totals = [
                _total(rows, [p if i == row else h for i, h in enumerate(clusters)])
                for p in range(n_parts)
            ]
            clusters[row] = int(bidders.home[row])
            assert totals[clusters[row]] == min(totals)
    assert records.tolist() == [
        sum(s for s, h in zip(rows.sizes, clusters, strict=True) if h == p) for p in range(n_parts)
    ]


def _total(rows: Neighbourhood, clusters: list[int]) -> float:
    """Add up what records with a home cost."""
    total = 0.0
    for part in set(clusters) - {-1}:
        mine = [i for i, h in enumerate(clusters) if h == part]
        total += rows.cost(mine) * sum(rows.sizes[i] for i in mine)
    return total
