"""Tracing: records with one sensitive value are followed from one release to another.

The people of two releases fall into *cells*: those who are in group ``a`` of the one and in group
``b`` of the other. Group number ``n_a``, or ``n_b``, is outside: those who are in the other release
only. How many people of each cell have the value is a flow from the groups of the one release to
those of the other. The count of the value in a group says how much flows through it; through the
outside any amount may flow. A cell can contain a person with the value if some flow uses it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from unlinkable.kernels.flows.bounded_flows import Arcs, complete, components
from unlinkable.typing import CodeArray, CountArray

__all__ = ["ByValue", "Cells", "mark_infeasible"]


class Cells(NamedTuple):
    """Cells of two releases, sorted by ``a``: those of ``a`` begin at ``starts[a]``."""

    starts: CountArray
    a: CodeArray
    b: CodeArray
    n: CountArray
    n_b: int


class ByValue(NamedTuple):
    """For every value where it occurs and how often, as a CSR matrix."""

    starts: CountArray
    where: CodeArray
    counts: CountArray


@njit(cache=True, nogil=True)
def mark_infeasible(
    cells: Cells,
    in_a: ByValue,
    in_b: ByValue,
    first: ByValue,
    asked: ByValue,
    cell_of: CodeArray,
    is_possible: NDArray[np.bool_],
) -> int:
    """Mark which people cannot have which value, for one pair of releases.

    Parameters
    ----------
    cells
        The cells.
    in_a, in_b
        The groups of both releases by the values in them.
    first
        The cells by values: the initial flow. It is kept if it is feasible.
    asked
        The pairs of an item and a value in question, by values: ``where`` is the number of the
        item, ``counts`` the position in ``is_possible``.
    cell_of
        The cell of each item, -1 if it is in none.
    is_possible
        Written: false where an item cannot have the value.

    Returns
    -------
    int
        For how many values there is no flow: a person's value changed. Nothing is marked for them.

    Notes
    -----
    O(m) per value for m cells of groups that have it, if the initial flow is feasible.
    """
    n_a = cells.starts.size - 2
    is_open = np.zeros(cells.a.size, np.bool_)
    begun = np.zeros(cells.a.size, np.int64)
    at_a, at_b = np.full(n_a, -1, np.int64), np.full(cells.n_b, -1, np.int64)
    n_failed = 0
    for value in range(asked.starts.size - 1):
        n_nodes = in_a.starts[value + 1] - in_a.starts[value]
        # Besides the groups that have the value there is one node for the outside.
        n_nodes += in_b.starts[value + 1] - in_b.starts[value] + 1
        if n_nodes == 1:
            continue
        for k in range(first.starts[value], first.starts[value + 1]):
            begun[first.where[k]] = first.counts[k]
        arcs = _arcs(value, cells, in_a, in_b, at_a, at_b)
        if _flows(value, n_nodes, arcs, cells, in_a, in_b, begun, at_a, at_b, is_open):
            for k in range(asked.starts[value], asked.starts[value + 1]):
                cell = cell_of[asked.where[k]]
                if cell >= 0 and not is_open[cell]:
                    is_possible[asked.counts[k]] = False
        else:
            n_failed += 1
        # The scratch memory is cleared entry by entry: it is as large as all cells, and a value
        # uses few.
        for k in range(first.starts[value], first.starts[value + 1]):
            begun[first.where[k]] = 0
        for cell in arcs:
            is_open[cell] = False
        for k in range(in_a.starts[value], in_a.starts[value + 1]):
            at_a[in_a.where[k]] = -1
        for k in range(in_b.starts[value], in_b.starts[value + 1]):
            at_b[in_b.where[k]] = -1
    return n_failed


@njit(cache=True, nogil=True)
def _arcs(
    value: int, cells: Cells, in_a: ByValue, in_b: ByValue, at_a: CountArray, at_b: CountArray
) -> CountArray:
    """List the cells both of whose groups have a value, and number these groups."""
    n_a, n_nodes, most = cells.starts.size - 2, 0, 0
    for k in range(in_a.starts[value], in_a.starts[value + 1]):
        at_a[in_a.where[k]] = n_nodes
        most += cells.starts[in_a.where[k] + 1] - cells.starts[in_a.where[k]]
        n_nodes += 1
    for k in range(in_b.starts[value], in_b.starts[value + 1]):
        at_b[in_b.where[k]] = n_nodes
        n_nodes += 1
    most += cells.starts[n_a + 1] - cells.starts[n_a]
    arcs, n = np.empty(most, np.int64), 0
    # The turn after the last group is for the people who are outside of the first release.
    for k in range(in_a.starts[value], in_a.starts[value + 1] + 1):
        a = in_a.where[k] if k < in_a.starts[value + 1] else n_a
        for cell in range(cells.starts[a], cells.starts[a + 1]):
            if cells.b[cell] == cells.n_b or at_b[cells.b[cell]] >= 0:
                arcs[n] = cell
                n += 1
    return arcs[:n]


@njit(cache=True, nogil=True)
def _flows(
    value: int,
    n_nodes: int,
    arcs: CountArray,
    cells: Cells,
    in_a: ByValue,
    in_b: ByValue,
    begun: CountArray,
    at_a: CountArray,
    at_b: CountArray,
    is_open: NDArray[np.bool_],
) -> bool:
    """Mark the cells through which something can flow; tell whether any flow exists."""
    n, n_a = arcs.size, cells.starts.size - 2
    tail, head = np.empty(n, np.int32), np.empty(n, np.int32)
    capacity, flow = np.empty(n, np.int64), np.empty(n, np.int64)
    excess = np.zeros(n_nodes, np.int64)
    outside = n_nodes - 1
    # A group with c records of the value must send or receive exactly c. The outside balances the
    # sum, so all excesses add up to 0 and a flow with no excess left is a circulation.
    for k in range(in_a.starts[value], in_a.starts[value + 1]):
        excess[at_a[in_a.where[k]]] += in_a.counts[k]
        excess[outside] -= in_a.counts[k]
    for k in range(in_b.starts[value], in_b.starts[value + 1]):
        excess[at_b[in_b.where[k]]] -= in_b.counts[k]
        excess[outside] += in_b.counts[k]
    for k in range(n):
        cell = arcs[k]
        a, b = cells.a[cell], cells.b[cell]
        tail[k] = at_a[a] if a < n_a else outside
        head[k] = at_b[b] if b < cells.n_b else outside
        capacity[k], flow[k] = cells.n[cell], begun[cell]
        excess[tail[k]] -= flow[k]
        excess[head[k]] += flow[k]
    graph = Arcs(tail, head, capacity, flow)
    if not complete(graph, excess):
        return False
    part = components(graph, n_nodes)
    for k in range(n):
        # A cell without flow can get some if and only if it closes a cycle of the residual graph,
        # that is, if both its ends are in one strongly connected component.
        is_open[arcs[k]] = flow[k] > 0 or part[tail[k]] == part[head[k]]
    return True
