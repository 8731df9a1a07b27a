"""Listing cells: against all cells of the lattice, written out."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.neighbourhood import Neighbourhood, neighbourhoods
from unlinkable.kernels.local_recoding.cell_listing import Cells, list_cells

BIDS = st.sampled_from([0.0, 0.5, 1.0, 2.5, 4.0, 7.0])


def listed(
    rows: Neighbourhood,
    bids: list[float],
    least: int,
    slack: float,
    most: float,
    room: int = 1 << 12,
    looks: int = 1 << 20,
) -> tuple[Cells, int]:
    columns = np.ascontiguousarray(np.array(rows.keys, np.int32).T)
    return list_cells(
        columns, np.array(rows.sizes), np.array(bids), np.arange(rows.n_columns)[::-1].copy(),
        rows.levels, rows.prices, least, slack, most, room, looks,
    )  # fmt: skip


def as_dict(cells: Cells) -> dict[frozenset[int], float]:
    """Give the cost of every set of rows; no set may be listed twice."""
    sets = [
        frozenset(cells.rows[start:end].tolist())
        for start, end in zip(cells.starts, cells.starts[1:], strict=False)
    ]
    assert len(set(sets)) == len(sets)
    return dict(zip(sets, cells.costs.tolist(), strict=True))


def lack(rows: Neighbourhood, bids: list[float], cell: list[int], cost: float, least: int) -> float:
    total, missing = 0.0, least
    for row in sorted(cell, key=lambda row: -bids[row]):
        taken = rows.sizes[row] if bids[row] > cost else max(min(rows.sizes[row], missing), 0)
        total += taken * (cost - bids[row])
        missing -= rows.sizes[row]
    return total if missing <= 0 else np.inf


def by_definition(
    rows: Neighbourhood, bids: list[float], least: int, most: float
) -> dict[frozenset[int], float]:
    """List the cells of all nodes by their rows, with the cost of the box around these."""
    found = {}
    for node in product(range(3), repeat=rows.n_columns):
        sets: dict[tuple[int, ...], list[int]] = {}
        for i, key in enumerate(rows.keys):
            shown = tuple((c, c // 2, 0)[level] for c, level in zip(key, node, strict=True))
            sets.setdefault(shown, []).append(i)
        for cell in sets.values():
            cost = rows.cost(cell)
            if lack(rows, bids, cell, cost, least) <= most:
                found[frozenset(cell)] = cost
    return found


@given(neighbourhoods(), st.integers(1, 6), st.sampled_from([-2.0, 0.0, 3.0, 9.0]), st.data())
def test_all_cells_that_lack_little_are_listed_once(
    rows: Neighbourhood, least: int, most: float, data: st.DataObject
) -> None:
    bids = data.draw(st.lists(BIDS, min_size=len(rows.keys), max_size=len(rows.keys)))
    cells, looks = listed(rows, bids, least, slack=1e9, most=most)
    assert looks > 0
    assert as_dict(cells) == by_definition(rows, bids, least, most)


@given(neighbourhoods(), st.integers(1, 6), st.sampled_from([0.0, 0.5, 2.0]), st.data())
def test_rows_that_bid_far_less_are_left_out(
    rows: Neighbourhood, least: int, slack: float, data: st.DataObject
) -> None:
    bids = data.draw(st.lists(BIDS, min_size=len(rows.keys), max_size=len(rows.keys)))
    cells, _ = listed(rows, bids, least, slack, most=9.0)
    listed_with_all = by_definition(rows, bids, least, 1e9)
    for members, cost in as_dict(cells).items():
        assert cost == rows.cost(list(members))
        assert all(bids[row] >= cost - slack for row in members)
        assert sum(rows.sizes[row] for row in members) >= least
    # A cell that everybody in it would nearly pay for is there as it is.
    for members, cost in listed_with_all.items():
        if all(bids[row] >= cost for row in members):
            assert as_dict(cells)[members] == cost


def test_a_list_that_is_too_long_says_so() -> None:
    rows = Neighbourhood([(i, j) for i in range(4) for j in range(4)], [1] * 16, [0] * 16)
    bids = [7.0] * 16
    n_listed = listed(rows, bids, 2, 9.0, 9.0)[0].rows.size
    assert listed(rows, bids, 2, 9.0, 9.0, room=n_listed)[1] > 0
    cells, looks = listed(rows, bids, 2, 9.0, 9.0, room=n_listed - 1)
    assert looks < 0
    assert cells.rows.size < n_listed
    assert listed(rows, bids, 2, 9.0, 9.0, looks=20)[1] < 0


def test_looks_are_what_they_were() -> None:
    """Each of 16 rows is on 3 ways after one column, and in 9 of the 49 cells."""
    rows = Neighbourhood([(i, j) for i in range(4) for j in range(4)], [1] * 16, [0] * 16)
    cells, looks = listed(rows, [7.0] * 16, 1, 9.0, 9.0)
    assert (cells.costs.size, cells.rows.size) == (49, 144)
    assert looks == 16 * (1 + 3 + 9)


def test_many_codes_are_sorted_by_inserting() -> None:
    """Two rows among many codes are found in the order of their codes."""
    rows = Neighbourhood([(3,), (0,)], [1, 1], [0, 0])
    cells, _ = listed(rows, [7.0, 7.0], 2, 9.0, 9.0)
    assert as_dict(cells) == {frozenset({0, 1}): 3.0}
