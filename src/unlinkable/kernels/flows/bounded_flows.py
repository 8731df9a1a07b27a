"""Bounded flows: integer flows with capacities, and which arcs can carry something in one of them.

Arcs have a capacity and carry a flow of whole units. ``excess[u]`` units have to leave node ``u``;
if it is negative, so many have to arrive. A flow is complete once no node has an excess.

An arc that carries nothing in one complete flow carries something in another one if and only if it
has spare capacity and its ends are in the same strongly connected component of the residual graph:
two complete flows differ by cycles of that graph.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from unlinkable.typing import CodeArray, CountArray

__all__ = ["Arcs", "complete", "components"]


class Arcs(NamedTuple):
    """Where arcs begin and end, how much they can carry, and what they carry now."""

    tail: CodeArray
    head: CodeArray
    capacity: CountArray
    flow: CountArray


class _At(NamedTuple):
    """The arcs at every node: ``arcs[starts[u]:starts[u + 1]]``."""

    starts: CountArray
    arcs: CountArray


@njit(cache=True, nogil=True)
def complete(arcs: Arcs, excess: CountArray) -> bool:
    """Change a flow until no node has an excess; tell whether that is possible.

    Dinic's method from all nodes with an excess to all with a deficit at once: shortest paths
    first, O(m sqrt(m)) for m arcs of capacity 1. The flow and ``excess`` are changed.
    """
    n = excess.size
    left = 0
    for u in range(n):
        if excess[u] > 0:
            left += excess[u]
    if left == 0:
        return True
    at = _incident(arcs, n)
    level, current = np.empty(n, np.int64), np.empty(n, np.int64)
    queue, way = np.empty(n, np.int64), np.empty(n + 1, np.int64)
    while left > 0:
        # If no node with a deficit can be reached, the flow is maximal and the rest cannot be
        # placed.
        if not _measure(arcs, at, excess, level, queue):
            return False
        for u in range(n):
            current[u] = at.starts[u]
        for u in range(n):
            while excess[u] > 0:
                sent = _send(u, arcs, at, excess, level, current, way)
                if sent == 0:
                    break
                left -= sent
    return True


@njit(cache=True, nogil=True)
def components(arcs: Arcs, n: int) -> CodeArray:
    """Number the strongly connected components of the residual graph of n nodes.

    An arc can be used forwards if it has spare capacity, and backwards if it carries something.
    Tarjan's method without recursion, O(n + m).
    """
    at = _incident(arcs, n)
    found = np.full(n, -1, np.int32)
    seen, low, current = np.full(n, -1, np.int64), np.zeros(n, np.int64), at.starts[:n].copy()
    stack, path = np.empty(n, np.int64), np.empty(n, np.int64)
    n_seen, n_stack, n_found = 0, 0, 0
    for first in range(n):
        if seen[first] >= 0:
            continue
        depth, path[0], v = -1, 0, first
        while True:
            if v >= 0 and seen[v] < 0:
                seen[v] = low[v] = n_seen
                n_seen += 1
                stack[n_stack] = v
                n_stack += 1
                depth += 1
                path[depth] = v
            # A visited node without a component is still on the stack, so it lies on a cycle with
            # the path.
            elif v >= 0 and found[v] < 0:
                low[path[depth]] = min(low[path[depth]], seen[v])
            u = path[depth]
            if current[u] < at.starts[u + 1]:
                v = _next(u, at.arcs[current[u]], arcs)
                current[u] += 1
                continue
            # No arc leads from here above u: everything on the stack down to u is one component.
            if low[u] == seen[u]:
                while found[u] < 0:
                    n_stack -= 1
                    found[stack[n_stack]] = n_found
                n_found += 1
            depth, v = depth - 1, -1
            if depth < 0:
                break
            low[path[depth]] = min(low[path[depth]], low[u])
    return found


@njit(cache=True, nogil=True)
def _incident(arcs: Arcs, n: int) -> _At:
    """List the arcs at every node: those that begin there and those that end there."""
    starts = np.zeros(n + 1, np.int64)
    for k in range(arcs.tail.size):
        starts[arcs.tail[k] + 1] += 1
        starts[arcs.head[k] + 1] += 1
    for u in range(n):
        starts[u + 1] += starts[u]
    free = starts[:n].copy()
    listed = np.empty(2 * arcs.tail.size, np.int64)
    for k in range(arcs.tail.size):
        listed[free[arcs.tail[k]]] = k
        free[arcs.tail[k]] += 1
        listed[free[arcs.head[k]]] = k
        free[arcs.head[k]] += 1
    return _At(starts, listed)


@njit(cache=True, nogil=True)
def _next(u: int, arc: int, arcs: Arcs) -> int:
    """Return the node that an arc leads to from one of its ends; -1 if it cannot be used."""
    if arcs.tail[arc] == u:
        return arcs.head[arc] if arcs.flow[arc] < arcs.capacity[arc] else -1
    return arcs.tail[arc] if arcs.flow[arc] > 0 else -1


@njit(cache=True, nogil=True)
def _measure(arcs: Arcs, at: _At, excess: CountArray, level: CountArray, queue: CountArray) -> bool:
    """Compute the distance of nodes from those with an excess; tell if a deficit is reached."""
    last = 0
    for u in range(excess.size):
        level[u] = -1
        if excess[u] > 0:
            level[u] = 0
            queue[last] = u
            last += 1
    first, is_reached = 0, False
    while first < last:
        u = queue[first]
        first += 1
        for k in range(at.starts[u], at.starts[u + 1]):
            v = _next(u, at.arcs[k], arcs)
            if v >= 0 and level[v] < 0:
                level[v] = level[u] + 1
                queue[last] = v
                last += 1
                is_reached = is_reached or excess[v] < 0
    return is_reached


@njit(cache=True, nogil=True)
def _send(
    source: int,
    arcs: Arcs,
    at: _At,
    excess: CountArray,
    level: CountArray,
    current: CountArray,
    way: CountArray,
) -> int:
    """Send flow from a node along one shortest path to a node with a deficit; return how much."""
    u, depth = source, 0
    while excess[u] >= 0:
        v = -1
        while current[u] < at.starts[u + 1]:
            v = _next(u, at.arcs[current[u]], arcs)
            if v >= 0 and level[v] == level[u] + 1:
                break
            v = -1
            # An arc that leads nowhere now leads nowhere until levels are measured again.
            current[u] += 1
        if v >= 0:
            way[depth] = at.arcs[current[u]]
            depth += 1
            u = v
        elif depth == 0:
            return 0
        # A dead end: the path goes back by one arc, which is not tried again in this phase.
        else:
            depth -= 1
            arc = way[depth]
            u = arcs.tail[arc] if arcs.head[arc] == u else arcs.head[arc]
            current[u] += 1
    # The amount is the least of the excess, the deficit and the spare capacities on the path.
    sink, amount = u, min(excess[source], -excess[u])
    for step in range(depth - 1, -1, -1):
        arc = way[step]
        is_along = arcs.head[arc] == u
        amount = min(amount, arcs.capacity[arc] - arcs.flow[arc] if is_along else arcs.flow[arc])
        u = arcs.tail[arc] if is_along else arcs.head[arc]
    u = sink
    for step in range(depth - 1, -1, -1):
        arc = way[step]
        is_along = arcs.head[arc] == u
        arcs.flow[arc] += amount if is_along else -amount
        u = arcs.tail[arc] if is_along else arcs.head[arc]
    excess[source] -= amount
    excess[sink] += amount
    return int(amount)
