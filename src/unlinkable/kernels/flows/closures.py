"""Closures: which groups of one release, subtracted from another one, leave the fewest people.

Two releases are a graph: groups on the left, which are subtracted, groups on the right, and an edge
for the people that a left and a right one share. Subtracting left groups requires all right groups
with people of theirs (the cover). The remainder, cover minus what was subtracted, can be minimized
fast: it is a closure problem, that is, a minimum cut.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.kernels.flows.residual import OPEN, OUT, SHUT, Network, push, scratch_for, undo
from unlinkable.typing import BoolArray, CodeArray, CountArray

__all__ = ["largest_surplus", "smallest_populations"]


@njit(cache=True, nogil=True)
def smallest_populations(
    net: Network,
    people: CountArray,
    free: CountArray,
    sizes: CountArray,
    most: int,
    hidden: tuple[CountArray, CodeArray, CountArray],
    bound: tuple[int, int],
    n_values: int,
) -> tuple[CountArray, CodeArray, CountArray, BoolArray]:
    """Find the smallest set of people that each person can be narrowed down to.

    For the people of every edge, and then for those of every right group who are in no left group:
    the size of the smallest difference that they are in, if it is below ``most`` and smaller than
    their right group and their left one; 0 if there is none. With ``n_values``, also the value that
    is the most frequent in it, how often it occurs, and whether it stands out more than in the
    right groups alone: its count above the share ``bound`` = p/q, as q count - p size.

    The difference of a right group is the most that can be pushed from it. The initial flow leaves
    everybody where they are: ``people`` on each edge, ``free`` room for those who are in no left
    group. For people of a left group, that group must not be subtracted, which makes their places
    free. ``hidden`` counts what left and right groups hide. O(r (b + h)) for r right groups and
    edges, b the paths of one times the edges reached, and h values in groups reached.
    """
    n_right, n_edges, n_left = free.size, people.size, net.outgoing.start.size
    size = np.zeros(n_edges + n_right, np.int64)
    value, count = np.full(size.size, -1, np.int32), np.zeros(size.size, np.int64)
    stands_out = np.zeros(size.size, np.bool_)
    flow, room = people.copy(), free.copy()
    notes = scratch_for(n_left + n_right, n_edges + n_right)
    queue, mark = notes.queue, notes.mark
    tally, is_inside = np.zeros(n_values, np.int64), np.zeros(n_left, np.bool_)
    for y in range(n_right):
        root, mine = n_left + y, n_edges + y
        need = min(most, sizes[root])
        n, reached = push(root, need, net, flow, room, notes)
        undo(notes.log, flow, room, people, free)
        # Everything that is needed found room, so no difference is smaller than the group or
        # ``most``.
        if n == need:
            continue
        if n > 0:
            size[mine] = n
            value[mine], count[mine], stands_out[mine] = _standing_out(
                queue[:reached], n_left, sizes, hidden, bound, tally
            )
        # The queue is reused by the next search, so the nodes of this cut are kept.
        first = queue[:reached].copy()
        _set(is_inside, first, True)
        for at in range(net.incoming.start[y], net.incoming.end[y]):
            edge = net.incoming.edges[at]
            x = int(net.left[edge])
            least = min(need, sizes[x])
            if n >= least:
                continue
            # The cut of the right group does not subtract this left one, so it serves its people as
            # well.
            if not is_inside[x]:
                size[edge], stands_out[edge] = n, stands_out[mine]
                value[edge], count[edge] = value[mine], count[mine]
                continue
            # Otherwise the cut is computed again with the left group kept in.
            mark[x] = OUT
            m, reached = push(root, least, net, flow, room, notes)
            undo(notes.log, flow, room, people, free)
            mark[x] = OPEN
            if m < least:
                size[edge] = m
                value[edge], count[edge], stands_out[edge] = _standing_out(
                    queue[:reached], n_left, sizes, hidden, bound, tally
                )
        _set(is_inside, first, False)
        # The result was needed for the edges; nobody is in this right group alone.
        if free[y] == 0:
            size[mine] = 0
    return size, value, count, stands_out


@njit(cache=True, nogil=True)
def _set(is_inside: BoolArray, nodes: CountArray, what: bool) -> None:
    """Mark left groups among nodes."""
    for node in nodes:
        if node < is_inside.size:
            is_inside[node] = what


@njit(cache=True, nogil=True)
def _standing_out(
    nodes: CountArray,
    n_left: int,
    sizes: CountArray,
    hidden: tuple[CountArray, CodeArray, CountArray],
    bound: tuple[int, int],
    tally: CountArray,
) -> tuple[int, int, bool]:
    """Find the most frequent value of a difference, and whether subtracting is what reveals it."""
    if tally.size == 0:
        return -1, 0, False
    at, values, counts = hidden
    p, q = bound
    size = 0
    for node in nodes:
        # Right groups are added and left ones subtracted: this is the histogram of the difference.
        sign = -1 if node < n_left else 1
        size += sign * sizes[node]
        for i in range(at[node], at[node + 1]):
            tally[values[i]] += sign * counts[i]
    best = -1
    for node in nodes:
        for i in range(at[node], at[node + 1]):
            v = int(values[i])
            if best < 0 or tally[v] > tally[best] or (tally[v] == tally[best] and v < best):
                best = v
    n = tally[best]
    excess = q * n - p * size
    for node in nodes:
        for i in range(at[node], at[node + 1]):
            tally[values[i]] = 0
            if node >= n_left and values[i] == best:
                # What the right groups reveal by themselves is no merit of the subtraction.
                excess -= max(0, q * counts[i] - p * sizes[node])
    return best, n, excess > 0


@njit(cache=True, nogil=True)
def largest_surplus(net: Network, gains: CountArray, costs: CountArray) -> tuple[CodeArray, int]:
    """Choose left groups whose gains exceed the costs of their cover by as much as possible.

    No cost is negative. Returns the part that each node belongs to, -1 if it is not chosen, and by
    how much the gains exceed the costs. Parts share no right group, and each has a surplus of its
    own; of the choices with the largest surplus this is the smallest. Left groups without gain or
    loss are added to the part that covers them, if one does. Nothing is chosen if there is no
    surplus.

    Gains flow to costs. Flow that reaches no room is surplus; all nodes that it can reach are
    chosen, and will never have room again. O(paths times edges reached).
    """
    n_left = net.outgoing.start.size
    flow, room = np.zeros(net.left.size, np.int64), costs.copy()
    notes = scratch_for(n_left + costs.size, 0)
    surplus = 0
    for x in range(n_left):
        if gains[x] <= 0 or net.outgoing.start[x] == net.outgoing.end[x]:
            continue
        # All its right groups are chosen already and have no room left, so the whole gain is
        # surplus.
        if notes.mark[x] == SHUT:
            surplus += gains[x]
            continue
        n, reached = push(x, gains[x], net, flow, room, notes)
        surplus += gains[x] - n
        # Nodes reached without room are the source side of a minimum cut. Later paths skip them.
        for i in range(reached):
            notes.mark[notes.queue[i]] = SHUT
    return _parts(net, notes.mark, gains, notes.queue), surplus


@njit(cache=True, nogil=True)
def _parts(net: Network, mark: CodeArray, gains: CountArray, queue: CountArray) -> CodeArray:
    """Number the connected parts of the choice."""
    n_left, n_parts = net.outgoing.start.size, np.int32(0)
    part = np.full(mark.size, -1, np.int32)
    for root in range(n_left):
        if mark[root] != SHUT or part[root] >= 0:
            continue
        part[root], queue[0], head, tail = n_parts, root, 0, 1
        while head < tail:
            node = queue[head]
            head += 1
            lists = net.outgoing if node < n_left else net.incoming
            at = node if node < n_left else node - n_left
            for i in range(lists.start[at], lists.end[at]):
                edge = lists.edges[i]
                there = int(net.left[edge])
                if node < n_left:
                    there = n_left + int(net.right[edge])
                if mark[there] == SHUT and part[there] < 0:
                    part[there], queue[tail] = n_parts, there
                    tail += 1
        n_parts += 1
    for x in range(n_left):
        if part[x] < 0 and gains[x] == 0:
            part[x] = _common(net, part, x)
    return part


@njit(cache=True, nogil=True)
def _common(net: Network, part: CodeArray, x: int) -> int:
    """Find the part that all right groups of a left one are in; -1 if there is none."""
    n_left, common = net.outgoing.start.size, -2
    for i in range(net.outgoing.start[x], net.outgoing.end[x]):
        found = part[n_left + net.right[net.outgoing.edges[i]]]
        if common == -2:
            common = found
        if found != common:
            return -1
    return max(common, -1)
