"""Difference attacks: whether a release in the making still resists them when a group is split.

Differences are formed in both directions: earlier groups subtracted from new ones, and new ones
from earlier ones.

That no difference has fewer than k people is decided anew by pushing flow from the two halves: only
differences with one half can be new. That no value is too frequent is proved by a flow for every
value that is kept from split to split: it takes the gains of the groups that are subtracted to the
costs of covering them. What fits the halves fits the whole, so a flow needs no repair when a split
is not made.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.kernels.flows.dividing import Earlier, Flows, Pieces
from unlinkable.kernels.flows.residual import OPEN, OUT, Lists, Network, Scratch, push, undo
from unlinkable.typing import CodeArray, CountArray

__all__ = ["settle", "withstands"]


@njit(cache=True, nogil=True)
def withstands(
    g: int,
    new: int,
    k: int,
    bound: tuple[int, int],
    pieces: Pieces,
    past: Earlier,
    flows: Flows,
    notes: Scratch,
) -> bool:
    """Whether no difference reveals too much, now that a group was divided into two.

    A half with fewer than k records, or with a value above its share, is rejected as well. O(edges
    reached) for each path that must be found: few, and short, where people of both releases mix.
    """
    start, end, _ = pieces.lists
    for part in (g, new):
        size = end[part] - start[part]
        if size < k:
            return False
        for s in range(pieces.counts.shape[0]):
            if bound[1] * pieces.counts[s, part] > bound[0] * size:
                return False
    for r in range(past.groups.shape[0]):
        for y, other in ((g, new), (new, g)):
            if not _keeps_onward(r, y, other, k, pieces, past, flows, notes):
                return False
            if not _keeps_backward(r, y, other, k, pieces, past, flows, notes):
                return False
    # Flows of values are kept when the split is made, so their changes are not logged.
    silent = Scratch(notes.mark, notes.via, notes.queue, np.zeros(1, np.int64))
    for r in range(past.groups.shape[0]):
        if not _fits_onward(r, g, new, bound, pieces, past, flows, silent):
            return False
        if not _fits_backward(r, g, new, bound, pieces, past, flows, silent):
            return False
    return True


@njit(cache=True, nogil=True)
def _keeps_onward(
    r: int,
    y: int,
    other: int,
    k: int,
    pieces: Pieces,
    past: Earlier,
    flows: Flows,
    notes: Scratch,
) -> bool:
    """Whether k people are left if earlier groups are subtracted from one half and not the other.

    Then no group with people in the other half is subtracted.
    """
    # People on no edge of a removable group stay in any case.
    if flows.on_free[r, y] >= k:
        return True
    start, end, order = pieces.lists
    net, o = _onward(pieces, past, r), past.offset[r]
    for at in range(start[other], end[other]):
        x = past.groups[r, order[at]]
        if x >= 0 and past.may_go[o + x]:
            notes.mark[x] = OUT
    root = net.outgoing.start.size + y
    flow, room, free = flows.on_flow[r], flows.on_room[r], flows.on_free[r]
    is_kept = _keeps(root, k, net, flow, room, flows.on_stay[r], free, notes)
    for at in range(start[other], end[other]):
        x = past.groups[r, order[at]]
        if x >= 0:
            notes.mark[x] = OPEN
    return is_kept


@njit(cache=True, nogil=True)
def _keeps_backward(
    r: int,
    x: int,
    other: int,
    k: int,
    pieces: Pieces,
    past: Earlier,
    flows: Flows,
    notes: Scratch,
) -> bool:
    """Whether k people are left if one half is subtracted and the other is not."""
    # A half with people whom the earlier release lacks cannot be subtracted from it.
    if pieces.strangers[r, x] > 0:
        return True
    net, o, e = _backward(pieces, past, r), past.offset[r], past.offset[r + 1]
    notes.mark[other] = OUT if pieces.strangers[r, other] == 0 else OPEN
    flow, room, free = flows.back_flow[r], flows.back_room[o:e], flows.back_free[o:e]
    is_kept = _keeps(x, k, net, flow, room, flows.back_stay[r], free, notes)
    notes.mark[other] = OPEN
    return is_kept


@njit(cache=True, nogil=True)
def _keeps(
    root: int,
    k: int,
    net: Network,
    flow: CountArray,
    room: CountArray,
    stay: CountArray,
    free: CountArray,
    notes: Scratch,
) -> bool:
    """Whether k people, or nobody, are left in the smallest difference with this group.

    Nobody is left if the groups reached have the same people in both releases. Some of these groups
    may leave people of the others. But then the others, subtracted in the other direction, leave
    the same people without this group: that difference existed before.
    """
    n, _ = push(root, k, net, flow, room, notes)
    undo(notes.log, flow, room, stay, free)
    return n == 0 or n >= k


@njit(cache=True, nogil=True)
def _fits_onward(
    r: int,
    g: int,
    new: int,
    bound: tuple[int, int],
    pieces: Pieces,
    past: Earlier,
    flows: Flows,
    notes: Scratch,
) -> bool:
    """Divide the room of a new group, and redirect what is too much for a half."""
    used, costs = _sums(flows.on_values[r], new, pieces), _weights(new, bound, pieces)
    for s in range(used.size):
        rooms = flows.on_rooms[r, s]
        rooms[new] = costs[s] - used[s]
        rooms[g] -= rooms[new]
        # Both halves together have the room of the whole, which was enough, so at most one lacks
        # some.
        y = g if rooms[g] < 0 else new
        if rooms[y] < 0:
            need = -int(rooms[y])
            rooms[y] = 0
            net, flow = _onward(pieces, past, r), flows.on_values[r, :, s]
            n, _ = push(net.outgoing.start.size + y, need, net, flow, rooms, notes)
            # What found no other room is booked on the half, so that joining the halves restores
            # the whole.
            rooms[y] -= need - n
            if n < need:
                return False
    return True


@njit(cache=True, nogil=True)
def _fits_backward(
    r: int,
    g: int,
    new: int,
    bound: tuple[int, int],
    pieces: Pieces,
    past: Earlier,
    flows: Flows,
    notes: Scratch,
) -> bool:
    """Let each half that can be subtracted send what it gains."""
    start, end, order = pieces.lists
    o, e = past.offset[r], past.offset[r + 1]
    has_both = pieces.strangers[r, g] + pieces.strangers[r, new] == 0
    for x, other in ((g, new), (new, g)):
        if pieces.strangers[r, x] > 0:
            continue
        sent, gains = _sums(flows.back_values[r], x, pieces), _weights(x, bound, pieces)
        for s in range(sent.size):
            need = gains[s] - sent[s]
            if need <= 0:
                continue
            net, rooms = _backward(pieces, past, r), flows.back_rooms[s, o:e]
            flow = flows.back_values[r, :, s]
            # Both halves together sent the gain of the whole; what one sent too much makes way for
            # the other.
            if has_both:
                _give_back(need, start[other], end[other], order, net.right, flow, rooms)
            n, _ = push(x, need, net, flow, rooms, notes)
            if n < need:
                if has_both:
                    # The flow of the other half is restored, so that the whole is valid again if
                    # the split is refused.
                    push(other, need - n, net, flow, rooms, notes)
                return False
    return True


@njit(cache=True, nogil=True)
def _sums(values: CountArray, g: int, pieces: Pieces) -> CountArray:
    """Add up the flow on the records of a group, by value."""
    start, end, order = pieces.lists
    found = np.zeros(values.shape[1], np.int64)
    for at in range(start[g], end[g]):
        i = order[at]
        for s in range(found.size):
            found[s] += values[i, s]
    return found


@njit(cache=True, nogil=True)
def _weights(g: int, bound: tuple[int, int], pieces: Pieces) -> CountArray:
    """Compute what a group gains if it is subtracted, or costs if it is needed, by value."""
    start, end, _ = pieces.lists
    found = np.empty(pieces.counts.shape[0], np.int64)
    for s in range(found.size):
        found[s] = bound[0] * (end[g] - start[g]) - bound[1] * pieces.counts[s, g]
    return found


@njit(cache=True, nogil=True)
def _give_back(
    amount: int,
    start: int,
    end: int,
    order: CountArray,
    right: CodeArray,
    flow: CountArray,
    rooms: CountArray,
) -> None:
    """Take back this much of what a group sends."""
    for at in range(start, end):
        i = order[at]
        part = min(amount, flow[i])
        flow[i] -= part
        rooms[right[i]] += part
        amount -= part
        if amount == 0:
            return


@njit(cache=True, nogil=True)
def settle(
    gains: CountArray,
    n_groups: int,
    bound: tuple[int, int],
    pieces: Pieces,
    past: Earlier,
    flows: Flows,
    notes: Scratch,
) -> bool:
    """Find the initial flows of all values; False if a value is too frequent somewhere.

    ``gains`` are those of earlier groups, by value; rooms are set. O(paths times edges reached).
    """
    silent = Scratch(notes.mark, notes.via, notes.queue, np.zeros(1, np.int64))
    start, end, _ = pieces.lists
    for r in range(past.groups.shape[0]):
        o, e = past.offset[r], past.offset[r + 1]
        onward, backward = _onward(pieces, past, r), _backward(pieces, past, r)
        for s in range(pieces.counts.shape[0]):
            for x in range(e - o):
                if past.may_go[o + x]:
                    need = gains[s, o + x]
                    flow, rooms = flows.on_values[r, :, s], flows.on_rooms[r, s]
                    if push(x, need, onward, flow, rooms, silent)[0] < need:
                        return False
            for x in range(n_groups):
                if pieces.strangers[r, x] == 0 and start[x] < end[x]:
                    need = bound[0] * (end[x] - start[x]) - bound[1] * pieces.counts[s, x]
                    flow, rooms = flows.back_values[r, :, s], flows.back_rooms[s, o:e]
                    if push(x, need, backward, flow, rooms, silent)[0] < need:
                        return False
    return True


@njit(cache=True, nogil=True)
def _onward(pieces: Pieces, past: Earlier, r: int) -> Network:
    """Make the network from the groups of an earlier release to the new ones."""
    o, e = past.offset[r], past.offset[r + 1]
    lists = Lists(past.start[o:e], past.end[o:e], past.edges[r])
    return Network(past.groups[r], pieces.group, lists, pieces.lists)


@njit(cache=True, nogil=True)
def _backward(pieces: Pieces, past: Earlier, r: int) -> Network:
    """Make the network from the new groups to those of an earlier release."""
    o, e = past.offset[r], past.offset[r + 1]
    lists = Lists(past.start[o:e], past.end[o:e], past.edges[r])
    return Network(pieces.group, past.groups[r], pieces.lists, lists)
