"""Dividing: the groups of a release in the making, over those of earlier releases, are split.

Every record is an edge between its group in an earlier release and its group in the new one, so
that edges move with their records when a group is split.
"""

from __future__ import annotations

from typing import NamedTuple

from numba import njit

from unlinkable.kernels.flows.residual import Lists
from unlinkable.typing import BoolArray, CodeArray, CountArray

__all__ = ["Earlier", "Flows", "Pieces", "divide", "rejoin"]


class Pieces(NamedTuple):
    """The groups of the new release.

    Attributes
    ----------
    group
        The group of each record, -1 if it is left out.
    lists
        The records of each group.
    codes
        The value of each record among those that are watched, -1 for others.
    counts
        How often each value occurs in each group.
    strangers
        For each earlier release how many records of each group it does not have.
    """

    group: CodeArray
    lists: Lists
    codes: CodeArray
    counts: CountArray
    strangers: CountArray


class Earlier(NamedTuple):
    """The groups of earlier releases.

    Attributes
    ----------
    groups
        For each release the group of each record, -1 if it is not in it.
    offset
        The first group of each release among all.
    start, end, edges
        The records of each group: a stretch of the release's row of ``edges``.
    may_go
        Whether all records of each group are in the new release.
    """

    groups: CodeArray
    offset: CountArray
    start: CountArray
    end: CountArray
    edges: CountArray
    may_go: BoolArray


class Flows(NamedTuple):
    """Flows in both directions: earlier groups removed (``on``), and new ones (``back``).

    Attributes
    ----------
    on_stay, on_free, back_stay, back_free
        By release: the record on its edge, 1 if its group may be removed; the records of each group
        on no such edge.
    on_flow, on_room, back_flow, back_room
        The same, as working copies that are changed and restored.
    on_values, on_rooms, back_values, back_rooms
        The flow of values by release, edge and value, and the room by release, value and group. The
        room of earlier groups is by value only: their numbers determine the release.
    """

    on_stay: CountArray
    on_free: CountArray
    back_stay: CountArray
    back_free: CountArray
    on_flow: CountArray
    on_room: CountArray
    back_flow: CountArray
    back_room: CountArray
    on_values: CountArray
    on_rooms: CountArray
    back_values: CountArray
    back_rooms: CountArray


@njit(cache=True, nogil=True)
def divide(
    g: int, new: int, moved: CountArray, pieces: Pieces, past: Earlier, flows: Flows
) -> None:
    """Move records to a new group. O(records of the group, for each earlier release)."""
    start, end, order = pieces.lists
    for i in moved:
        pieces.group[i] = new
    low, high = start[g], end[g]
    # The records that leave go to the end of the list of their group, which becomes the list of the
    # new one: no list is copied.
    while low < high:
        if pieces.group[order[low]] == new:
            high -= 1
            order[low], order[high] = order[high], order[low]
        else:
            low += 1
    start[new], end[new], end[g] = low, end[g], low
    for s in range(pieces.counts.shape[0]):
        pieces.counts[s, new] = 0
    for i in moved:
        if pieces.codes[i] >= 0:
            pieces.counts[pieces.codes[i], new] += 1
            pieces.counts[pieces.codes[i], g] -= 1
    for r in range(past.groups.shape[0]):
        n_strangers = n_free = 0
        for i in moved:
            n_strangers += past.groups[r, i] < 0
            n_free += flows.on_stay[r, i] == 0
        was_out = pieces.strangers[r, g] > 0
        pieces.strangers[r, new], flows.on_free[r, new] = n_strangers, n_free
        pieces.strangers[r, g] -= n_strangers
        flows.on_free[r, g] -= n_free
        flows.on_room[r, g], flows.on_room[r, new] = flows.on_free[r, g], n_free
        # A group with a record that the earlier release lacks cannot be removed from that release.
        # Once split, a part without such records can.
        if was_out:
            for part in (g, new):
                if pieces.strangers[r, part] == 0:
                    _set_out(r, part, 1, pieces, past, flows)


@njit(cache=True, nogil=True)
def rejoin(g: int, new: int, pieces: Pieces, past: Earlier, flows: Flows) -> None:
    """Undo the division of a group."""
    start, end, order = pieces.lists
    for r in range(past.groups.shape[0]):
        # A part without strangers could be removed; joined with one that has some, it cannot any
        # more.
        if pieces.strangers[r, g] + pieces.strangers[r, new] > 0:
            for part in (g, new):
                if pieces.strangers[r, part] == 0:
                    _set_out(r, part, 0, pieces, past, flows)
        pieces.strangers[r, g] += pieces.strangers[r, new]
        flows.on_free[r, g] += flows.on_free[r, new]
        flows.on_room[r, g] = flows.on_free[r, g]
    for s in range(pieces.counts.shape[0]):
        pieces.counts[s, g] += pieces.counts[s, new]
        for r in range(past.groups.shape[0]):
            flows.on_rooms[r, s, g] += flows.on_rooms[r, s, new]
            flows.on_rooms[r, s, new] = 0
    for at in range(start[new], end[new]):
        pieces.group[order[at]] = g
    end[g] = end[new]


@njit(cache=True, nogil=True)
def _set_out(r: int, g: int, on: int, pieces: Pieces, past: Earlier, flows: Flows) -> None:
    """Allow a new group to be removed from an earlier release, or forbid it again."""
    start, end, order = pieces.lists
    for at in range(start[g], end[g]):
        i = order[at]
        # Only what really changes is booked, so calling this twice does no harm.
        there = past.offset[r] + past.groups[r, i]
        change = on - flows.back_stay[r, i]
        flows.back_stay[r, i] = flows.back_flow[r, i] = on
        flows.back_free[there] -= change
        flows.back_room[there] -= change
        # The flow of values over this edge is taken back, because the room it used is no longer the
        # same.
        for s in range(flows.back_values.shape[2]):
            flows.back_rooms[s, there] += flows.back_values[r, i, s]
            flows.back_values[r, i, s] = 0
