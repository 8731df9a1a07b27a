"""Pushing flow: as much as any other way to compute a maximum flow."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_flow

from unlinkable.kernels.flows.residual import OUT, Lists, Network, push, scratch_for, undo
from unlinkable.typing import CodeArray

PAIRS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=14)
"""The ends of edges between five left and five right groups; edges may repeat."""

MUCH = 1000


def lists_of(ends: CodeArray, n_groups: int = 5) -> Lists:
    counts = np.bincount(ends, minlength=n_groups)
    end = np.cumsum(counts)
    return Lists(end - counts, end, np.argsort(ends, kind="stable"))


def network_of(pairs: list[tuple[int, int]]) -> Network:
    left, right = (np.array(side, np.int32) for side in zip(*pairs, strict=True))
    return Network(left, right, lists_of(left), lists_of(right))


def most(pairs: list[tuple[int, int]], gains: list[int], room: list[int]) -> int:
    """The maximum flow from gains to room, by scipy."""
    graph = np.zeros((12, 12), np.int32)
    graph[0, 1:6], graph[6:11, 11] = gains, room
    for x, y in pairs:
        graph[1 + x, 6 + y] = MUCH
    return int(maximum_flow(csr_array(graph), 0, 11).flow_value)


FIVE = st.lists(st.integers(0, 6), min_size=5, max_size=5)


@given(PAIRS, FIVE, FIVE)
def test_all_gains_together_are_a_maximum_flow(
    pairs: list[tuple[int, int]], gains: list[int], room: list[int]
) -> None:
    net, left = network_of(pairs), np.array(room, np.int64)
    flow, notes = np.zeros(len(pairs), np.int64), scratch_for(10, 0)
    pushed = [push(x, gain, net, flow, left, notes)[0] for x, gain in enumerate(gains)]
    assert sum(pushed) == most(pairs, gains, room)
    assert flow.min() >= 0
    assert np.bincount(net.left, flow, 5).tolist() == pushed
    assert (np.bincount(net.right, flow, 5) + left).tolist() == room
    assert (notes.via == -1).all()


@given(PAIRS, FIVE, st.integers(0, 4), st.integers(1, 9))
def test_what_is_reached_has_no_room(
    pairs: list[tuple[int, int]], room: list[int], root: int, need: int
) -> None:
    net, left = network_of(pairs), np.array(room, np.int64)
    flow, notes = np.zeros(len(pairs), np.int64), scratch_for(10, 0)
    n, reached = push(root, need, net, flow, left, notes)
    seen = set(notes.queue[:reached].tolist())
    assert (n < need) == bool(reached)
    assert all(left[y - 5] == 0 for y in seen if y >= 5)
    assert all(5 + y in seen for x, y in pairs if x in seen)
    assert all(x in seen for i, (x, y) in enumerate(pairs) if 5 + y in seen and flow[i])


@given(PAIRS, FIVE, st.integers(0, 9), st.sets(st.integers(0, 4)))
def test_undone_is_as_before(
    pairs: list[tuple[int, int]], room: list[int], root: int, out: set[int]
) -> None:
    net, people = network_of(pairs), np.ones(len(pairs), np.int64)
    free = np.array(room, np.int64)
    flow, left, notes = people.copy(), free.copy(), scratch_for(10, len(pairs) + 5)
    notes.mark[[*out]] = OUT
    push(root, 4, net, flow, left, notes)
    undo(notes.log, flow, left, people, free)
    assert (flow == people).all()
    assert (left == free).all()
    assert not notes.log[notes.log.size // 2 :].any()


def test_flow_of_a_group_that_is_out_may_end() -> None:
    """Nothing has room; the second left group, which shares the first right one, is out."""
    net = network_of([(0, 0), (1, 0), (1, 0)])
    flow, room, notes = np.ones(3, np.int64), np.zeros(5, np.int64), scratch_for(10, 0)
    assert push(0, 5, net, flow, room, notes) == (0, 3)
    notes.mark[1] = OUT
    assert push(0, 5, net, flow, room, notes) == (2, 2)
    assert flow.tolist() == [3, 0, 0]
