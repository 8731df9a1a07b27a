"""Flows with bounds: against all flows of tiny graphs."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import load
from unlinkable.kernels.flows.bounded_flows import Arcs, complete, components

Plain = tuple[int, int, int, int]
"""Tail, head, capacity, and flow to begin with."""


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, list[Plain], list[int]]:
    """Draw a graph, a flow, and an excess that adds up to nothing."""
    n = draw(st.integers(2, 5))
    nodes = st.integers(0, n - 1)
    ends = draw(st.lists(st.tuples(nodes, nodes).filter(lambda e: e[0] != e[1]), max_size=5))
    arcs = []
    for tail, head in ends:
        capacity = draw(st.integers(0, 2))
        arcs.append((tail, head, capacity, draw(st.integers(0, capacity))))
    excess = [0] * n
    for _ in range(draw(st.integers(0, 3))):
        excess[draw(nodes)] += 1
        excess[draw(nodes)] -= 1
    return n, arcs, excess


def as_arrays(arcs: list[Plain]) -> Arcs:
    table = np.array(arcs, np.int64).reshape(-1, 4)
    return Arcs(
        table[:, 0].astype(np.int32),
        table[:, 1].astype(np.int32),
        table[:, 2].copy(),
        table[:, 3].copy(),
    )


def all_flows(n: int, arcs: list[Plain], excess: list[int]) -> list[tuple[int, ...]]:
    """List the flows that carry away the excess of the one to begin with."""
    found = []
    for flow in product(*(range(capacity + 1) for _, _, capacity, _ in arcs)):
        left = list(excess)
        for (tail, head, _, begun), now in zip(arcs, flow, strict=True):
            left[tail] -= now - begun
            left[head] += now - begun
        if not any(left):
            found.append(flow)
    return found


@given(graphs())
def test_completes_a_flow_if_there_is_one(graph: tuple[int, list[Plain], list[int]]) -> None:
    n, plain, excess = graph
    arcs, left = as_arrays(plain), np.array(excess, np.int64)
    flows = all_flows(n, plain, excess)
    assert complete(arcs, left) == bool(flows)
    if flows:
        assert tuple(arcs.flow.tolist()) in flows
        assert not left.any()


@given(graphs())
def test_components_tell_which_arcs_can_carry_something(
    graph: tuple[int, list[Plain], list[int]],
) -> None:
    n, plain, excess = graph
    arcs = as_arrays(plain)
    if complete(arcs, np.array(excess, np.int64)):
        part = components(arcs, n)
        can = (arcs.flow > 0) | ((part[arcs.tail] == part[arcs.head]) & (arcs.capacity > 0))
        flows = all_flows(n, plain, excess)
        assert can.tolist() == [any(f[k] > 0 for f in flows) for k in range(len(plain))]


def feasible(case: dict[str, list[list[str]]]) -> list[bool]:
    """Tell which edges of a figure lie in a matching that covers all records of the first side."""
    one, other = case["V1"], case["V2"]
    names = [*one, *other, "outside"]
    plain = [(names.index(a), names.index(b), 1, 0) for a, b, _ in case["edges"]]
    free = [(len(names) - 1, names.index(b), 1, 1) for b in other]
    excess = [1] * len(one) + [0] * len(other) + [-len(one)]
    arcs = as_arrays([*plain, *free])
    assert complete(arcs, np.array(excess, np.int64))
    part = components(arcs, len(names))
    can = (arcs.flow > 0) | (part[arcs.tail] == part[arcs.head])
    return [bool(x) for x in can[: len(plain)]]


def test_figure_9i_an_edge_becomes_infeasible() -> None:
    case = load("byun-fig9i-infeasible-edge")
    left = [edge[:2] for edge in case["expected"]["computed"]["edges_after"]]
    edges = [edge[:2] for edge in case["input"]["edges"]]
    kept = [e for e, can in zip(edges, feasible(case["input"]), strict=True) if can]
    assert kept == left


def test_figure_9ii_every_edge_is_in_one_of_the_two_assignments() -> None:
    case = load("byun-fig9ii-equal-count-rule")
    assert feasible(case["input"]) == [True] * 4


def test_long_ways_need_no_deep_recursion() -> None:
    n = 20_000
    plain = [(i, i + 1, 1, 0) for i in range(n - 1)]
    arcs, excess = as_arrays(plain), np.zeros(n, np.int64)
    excess[0], excess[-1] = 1, -1
    assert complete(arcs, excess)
    assert arcs.flow.all()
    assert len(set(components(arcs, n).tolist())) == n
