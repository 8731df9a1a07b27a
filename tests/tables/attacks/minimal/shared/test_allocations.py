"""Pools: kinds of people and groups that hang together.

Deals: all tables of counts with given sums, each once.
"""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.tables.attacks.minimal.shared.allocations import (
    Deal,
    Fits,
    Pool,
    count_deals,
    count_free_deals,
    deals,
    free_deals,
    ways,
)

N_KINDS, N_GROUPS = 7, 7


@given(st.sets(st.tuples(st.integers(0, N_KINDS - 1), st.integers(0, N_GROUPS - 1)), max_size=14))
def test_pools_are_what_can_be_reached(edges: set[tuple[int, int]]) -> None:
    listed = np.array(sorted(edges), np.int64).reshape(-1, 2)
    fits = Fits(listed[:, 0], listed[:, 1], np.ones(len(listed), np.int64))
    of_kind, of_group = fits.pools(N_KINDS, N_GROUPS)
    for group in range(N_GROUPS):
        reached, before = {group}, set[int]()
        while reached != before:
            before = set(reached)
            kinds = {k for k, g in edges if g in reached}
            reached |= {g for k, g in edges if k in kinds}
        kinds = {k for k, g in edges if g in reached}
        assert set(np.flatnonzero(of_group == of_group[group]).tolist()) == reached
        assert set(np.flatnonzero(of_kind == of_group[group]).tolist()) == kinds
    assert all(of_kind[k] == -1 for k in range(N_KINDS) if k not in {kind for kind, _ in edges})
    assert sorted(set(of_group.tolist())) == list(range(len(set(of_group.tolist()))))


def test_people_left_out_choose_by_how_frequent_values_are() -> None:
    pool = Pool((np.array([4, 5]),), np.array([0, 2]), (3, 1), is_left_out=True)
    assert list(pool.dealt()) == [(((0, 2),), 1), (((1, 1),), 6), (((2, 0),), 9)]
    assert pool.n_classes(10) == 3


def test_others_share_out_what_is_there() -> None:
    pool = Pool((np.array([0, 1]), np.array([2])), np.array([0, 2]), (2, 1))
    assert list(pool.dealt()) == [(((1, 1), (1, 0)), 2), (((2, 0), (0, 1)), 1)]
    assert pool.n_classes(10) == 2


@st.composite
def margins(draw: st.DrawFn) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Draw people of several kinds, and a value for each of them."""
    kinds = draw(st.lists(st.integers(0, 2), min_size=1, max_size=6))
    values = draw(st.lists(st.integers(0, 2), min_size=len(kinds), max_size=len(kinds)))
    return (
        tuple(kinds.count(k) for k in sorted(set(kinds))),
        tuple(values.count(v) for v in sorted(set(values))),
    )


def by_definition(sizes: tuple[int, ...], room: tuple[int, ...]) -> dict[Deal, int]:
    """Name everybody, deal every value to somebody, and count what leads to the same."""
    values = [v for v, n in enumerate(room) for _ in range(n)]
    found: dict[Deal, int] = {}
    for dealt in set(permutations(values)):
        rest = iter(dealt)
        hands = [[next(rest) for _ in range(n)] for n in sizes]
        deal = tuple(tuple(hand.count(v) for v in range(len(room))) for hand in hands)
        found[deal] = found.get(deal, 0) + 1
    return found


@given(margins())
def test_all_deals_come_once_and_count_what_leads_to_them(
    given_: tuple[tuple[int, ...], tuple[int, ...]],
) -> None:
    sizes, room = given_
    listed = list(deals(sizes, room))
    wanted = by_definition(sizes, room)
    assert len(listed) == len(set(listed))
    assert {deal: ways(deal) for deal in listed} == wanted
    assert count_deals(sizes, room, 10_000) == len(listed)


@given(margins(), st.integers(1, 30))
def test_counting_stops_at_a_bound(
    given_: tuple[tuple[int, ...], tuple[int, ...]], most: int
) -> None:
    n = len(list(deals(*given_)))
    assert count_deals(*given_, most) == min(n, most + 1)


@pytest.mark.parametrize(("sizes", "n_values"), [((), 2), ((2,), 1), ((2, 1), 3), ((1, 1, 2), 2)])
def test_free_deals_are_all_choices(sizes: tuple[int, ...], n_values: int) -> None:
    found: dict[Deal, int] = {}
    for chosen in product(range(n_values), repeat=sum(sizes)):
        rest = iter(chosen)
        hands = [[next(rest) for _ in range(n)] for n in sizes]
        deal = tuple(tuple(hand.count(v) for v in range(n_values)) for hand in hands)
        found[deal] = found.get(deal, 0) + 1
    listed = list(free_deals(sizes, n_values))
    assert {deal: ways(deal) for deal in listed} == found
    assert count_free_deals(sizes, n_values) == len(listed)


def test_large_crowds_are_counted_at_once() -> None:
    assert count_deals((1000, 1000, 1000), (1500, 1000, 500), 20_000) == 20_001
