"""Residual graph: flow is pushed through two releases, groups left and right and edges between.

Flow runs from left to right along edges, without a limit, and leaves a right group through its
``room``. It can be taken back where it flows. Nodes are left groups, then right ones.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from unlinkable.typing import CodeArray, CountArray

__all__ = ["OPEN", "OUT", "SHUT", "Lists", "Network", "Scratch", "push", "scratch_for", "undo"]

OPEN, OUT, SHUT = 0, 1, 2
"""What may be done at a node: continue; end there with flow taken back from it; nothing."""


class Lists(NamedTuple):
    """The edges of each group: ``edges[start[g]:end[g]]``."""

    start: CountArray
    end: CountArray
    edges: CountArray


class Network(NamedTuple):
    """The left and the right group of each edge, and the edges of left and of right groups."""

    left: CodeArray
    right: CodeArray
    outgoing: Lists
    incoming: Lists


class Scratch(NamedTuple):
    """Scratch memory of a search, clean in between: all zero, ``via`` -1.

    Attributes
    ----------
    mark
        What may be done at each node.
    via
        The edge by which each node was reached, -1 if it was not.
    queue
        The nodes reached.
    log
        What was changed, edges and then right groups behind them; a flag for each of these that is
        set if it is listed; and how many are listed. Nothing is logged if it has length one.
    """

    mark: CodeArray
    via: CountArray
    queue: CountArray
    log: CountArray


@njit(cache=True, nogil=True)
def scratch_for(n_nodes: int, n_noted: int) -> Scratch:
    """Allocate scratch memory for so many nodes, and so many edges and right groups to log."""
    return Scratch(
        np.zeros(n_nodes, np.int32),
        np.full(n_nodes, -1, np.int64),
        np.empty(n_nodes, np.int64),
        np.zeros(2 * n_noted + 1, np.int64),
    )


@njit(cache=True, nogil=True)
def push(
    root: int, need: int, net: Network, flow: CountArray, room: CountArray, notes: Scratch
) -> tuple[int, int]:
    """Push flow from a node until this much has found room, or no more can.

    Returns how much was pushed, and how many nodes are reached if no more can be: they stand first
    in the queue. Shortest paths first. O(edges reached) for each path.
    """
    n_left, pushed = net.outgoing.start.size, 0
    while pushed < need:
        last, back, reached = _find_room(root, net, flow, room, notes)
        # An augmenting path ends in free room, or in flow that may be taken back from a removed
        # group.
        if last >= 0:
            limit = flow[back] if back >= 0 else room[last - n_left]
            amount = _narrowest(last, min(need - pushed, limit), net, flow, notes.via)
            if back >= 0:
                flow[back] -= amount
                _note(notes.log, back)
            else:
                room[last - n_left] -= amount
                _note(notes.log, flow.size + last - n_left)
            _change(last, amount, net, flow, notes)
            pushed += amount
        for i in range(reached):
            notes.via[notes.queue[i]] = -1
        # If no room is reached, the nodes reached are one side of a minimum cut.
        if last < 0:
            return pushed, reached
    return pushed, 0


@njit(cache=True, nogil=True)
def _find_room(
    root: int, net: Network, flow: CountArray, room: CountArray, notes: Scratch
) -> tuple[int, int, int]:
    """Find the nearest right group with room, or with flow of a removed group, and its edge."""
    n_left = net.outgoing.start.size
    via, queue, mark = notes.via, notes.queue, notes.mark
    # -2 marks the root, which was reached by no edge.
    queue[0], via[root] = root, -2
    head, tail = 0, 1
    while head < tail:
        node = queue[head]
        head += 1
        if node < n_left:
            for at in range(net.outgoing.start[node], net.outgoing.end[node]):
                edge = net.outgoing.edges[at]
                there = n_left + int(net.right[edge])
                if via[there] == -1 and mark[there] == OPEN:
                    via[there], queue[tail] = edge, there
                    tail += 1
                    # Checking the room on arrival ends the search one level of the tree earlier.
                    if room[there - n_left] > 0:
                        return there, -1, tail
            continue
        y = node - n_left
        if room[y] > 0:
            return node, -1, tail
        for at in range(net.incoming.start[y], net.incoming.end[y]):
            edge = net.incoming.edges[at]
            # From right to left a path may only take back what flows.
            if flow[edge] > 0:
                x = int(net.left[edge])
                if mark[x] == OUT:
                    return node, edge, tail
                if via[x] == -1 and mark[x] == OPEN:
                    via[x], queue[tail] = edge, x
                    tail += 1
    return -1, -1, tail


@njit(cache=True, nogil=True)
def _narrowest(node: int, amount: int, net: Network, flow: CountArray, via: CountArray) -> int:
    """Compute how much can go along the path to a node."""
    n_left = net.outgoing.start.size
    while via[node] != -2:
        edge = via[node]
        if node < n_left:
            amount = min(amount, flow[edge])
            node = n_left + int(net.right[edge])
        else:
            node = int(net.left[edge])
    return amount


@njit(cache=True, nogil=True)
def _change(node: int, amount: int, net: Network, flow: CountArray, notes: Scratch) -> None:
    """Send more flow along the path to a node."""
    n_left = net.outgoing.start.size
    while notes.via[node] != -2:
        edge = notes.via[node]
        _note(notes.log, edge)
        if node < n_left:
            flow[edge] -= amount
            node = n_left + int(net.right[edge])
        else:
            flow[edge] += amount
            node = int(net.left[edge])


@njit(cache=True, nogil=True)
def _note(log: CountArray, what: int) -> None:
    """Log what is changed, unless it is listed already or there is no log."""
    half = log.size // 2
    if half and log[half + what] == 0:
        log[half + what] = 1
        log[log[-1]] = what
        log[-1] += 1


@njit(cache=True, nogil=True)
def undo(
    log: CountArray, flow: CountArray, room: CountArray, people: CountArray, free: CountArray
) -> None:
    """Restore what was changed to ``people`` on edges and ``free`` room. O(changes)."""
    half = log.size // 2
    for i in range(log[-1]):
        what = log[i]
        log[half + what] = 0
        if what < flow.size:
            flow[what] = people[what]
        else:
            room[what - flow.size] = free[what - flow.size]
    log[-1] = 0
