"""Smallest differences and largest surpluses: all choices of left groups are tried."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.flows.test_residual import FIVE, PAIRS, network_of
from unlinkable.kernels.counting.tallies import tally
from unlinkable.kernels.flows.closures import largest_surplus, smallest_populations

Choice = tuple[int, frozenset[int], frozenset[int]]


def choices(pairs: list[tuple[int, int]]) -> list[tuple[frozenset[int], frozenset[int]]]:
    """Every set of left groups that have edges, and its cover."""
    usable = sorted({x for x, _ in pairs})
    return [
        (frozenset(chosen), frozenset(y for x, y in pairs if x in chosen))
        for n in range(len(usable) + 1)
        for chosen in combinations(usable, n)
    ]


@given(PAIRS, st.lists(st.integers(-2, 9), min_size=5, max_size=5), FIVE)
def test_the_largest_surplus_of_all_choices(
    pairs: list[tuple[int, int]], gains: list[int], costs: list[int]
) -> None:
    worth = {
        chosen: sum(gains[x] for x in chosen) - sum(costs[y] for y in cover)
        for chosen, cover in choices(pairs)
    }
    net = network_of(pairs)
    part, surplus = largest_surplus(net, np.array(gains, np.int64), np.array(costs, np.int64))
    assert surplus == max(worth.values())
    best = [chosen for chosen, value in worth.items() if value == surplus]
    smallest = frozenset.intersection(*best)
    found = {x for x in range(5) if part[x] >= 0}
    assert smallest <= found
    assert all(gains[x] == 0 for x in found - smallest)
    cover = {y for x, y in pairs if x in smallest}
    assert {y for y in range(5) if part[5 + y] >= 0} == cover
    for p in range(int(part.max()) + 1):
        mine = {x for x in found if part[x] == p}
        costly = {y for x, y in pairs if x in mine}
        assert costly == {y for y in range(5) if part[5 + y] == p}
        assert sum(gains[x] for x in mine) > sum(costs[y] for y in costly)


def test_parts_that_share_no_cover_are_told_apart() -> None:
    gains, costs = np.array([5, 5, 0, 0, 1]), np.array([1, 1, 0, 0, 9])
    part, surplus = largest_surplus(network_of([(0, 0), (1, 1), (2, 1), (4, 4)]), gains, costs)
    assert surplus == 8
    assert part.tolist() == [0, 1, 1, -1, -1, 0, 1, -1, -1, -1]


@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=14, unique=True),
    st.data(),
    st.integers(1, 6),
)
def test_the_smallest_difference_of_all_choices(
    pairs: list[tuple[int, int]], data: st.DataObject, most: int
) -> None:
    people = np.array(data.draw(st.lists(st.integers(1, 3), min_size=14, max_size=14)))
    people, free = people[: len(pairs)], np.array(data.draw(FIVE))
    net = network_of(pairs)
    own = [
        np.bincount(net.left, people, 5).astype(np.int64),
        np.bincount(net.right, people, 5).astype(np.int64) + free,
    ]
    nothing = tally(np.zeros(0, np.int32), np.zeros(0, np.int32), 10, 1)
    found, _, _, _ = smallest_populations(
        net, people, free, np.concatenate(own), most, nothing, (1, 2), 0
    )
    tried = [(set(chosen), set(cover)) for chosen, cover in choices(pairs) if chosen]

    def least(y: int, x: int | None, cap: int) -> int:
        sizes = [
            int(own[1][[*cover]].sum() - own[0][[*chosen]].sum())
            for chosen, cover in tried
            if y in cover and x not in chosen
        ]
        smallest = min(sizes, default=cap)
        return smallest if smallest < cap else 0

    for i, (x, y) in enumerate(pairs):
        assert found[i] == least(y, x, min(most, int(own[0][x]), int(own[1][y])))
    for y in range(5):
        if free[y]:
            assert found[len(pairs) + y] == least(y, None, min(most, int(own[1][y])))
        else:
            assert found[len(pairs) + y] == 0


def test_the_most_frequent_value_of_what_is_left() -> None:
    """Of a right group with values 0, 1, 2, 2 the left one with 0 and 1 leaves twice 2."""
    net, people, free = network_of([(0, 0)]), np.array([2]), np.array([2, 0, 0, 0, 0])
    sizes = np.array([2, 0, 0, 0, 0, 4, 0, 0, 0, 0])
    labels = np.array([0, 0, 5, 5, 5, 5], np.int32)
    hidden = tally(labels, np.array([0, 1, 0, 1, 2, 2], np.int32), 10, 3)
    size, value, count, stands_out = smallest_populations(
        net, people, free, sizes, 9, hidden, (1, 2), 3
    )
    assert (size[1], value[1], count[1], stands_out[1]) == (2, 2, 2, True)
    assert size[0] == 0
    _, _, _, stands_out = smallest_populations(net, people, free, sizes, 9, hidden, (1, 1), 3)
    assert not stands_out.any()
