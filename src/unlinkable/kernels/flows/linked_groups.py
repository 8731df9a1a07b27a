"""Linked groups: which people of two releases can exchange values, while groups are split.

People are arcs between a group of an earlier release and a group of the new one. For every value,
an arc leads from the new group back to the earlier one if the person has the value, and from the
earlier to the new one if not. A person who does not have the value could have it if and only if the
ends of their arc are in the same strongly connected component: then people exchange values along a
cycle. A person who is not in one of the releases is an arc to or from the *outside* of the pair.

Splitting groups of the new release only ever divides components. Each component has a root, and
every node of it the next node on a path to the root (``down``) and on a path from it (``up``).
After a split the nodes whose path is gone search another. Those that find none leave the component,
and only among them components are searched anew.

Nodes: the groups of all earlier releases and, after those of each, the outside; then for every new
group one node for each earlier release.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from unlinkable.typing import CodeArray, CountArray

__all__ = ["POSSIBLE", "ROOT", "Links", "Room", "build", "links_of", "new_end", "note", "relink"]

_DOWN, _UP = 0, 1
"""Paths to the root, and paths from it."""

ROOT, POSSIBLE = 2, 3
"""What else is written, besides paths."""


class Links(NamedTuple):
    """People as arcs, and the components that they make.

    Attributes
    ----------
    ends
        For each earlier release and person the node that they come from.
    outside
        For each earlier release the node of those who are not in the one or the other.
    values, rarest
        The value of each person, and all values, the rarest first.
    labels
        The new group of each person; -1 if they are not in the new release.
    order, parts
        The people of every new group by rising values, and where these begin and end.
    starts, people
        The people at every node of an earlier release, by rising values.
    ways
        For paths to the root and from it, every node and every value the next node; at `ROOT` the
        root, -1 if a node is in no component.
    """

    ends: CodeArray
    outside: CodeArray
    values: CodeArray
    rarest: CodeArray
    labels: CodeArray
    order: CodeArray
    parts: CountArray
    starts: CountArray
    people: CodeArray
    ways: CodeArray


class Room(NamedTuple):
    """Scratch memory, and a log of what was written to undo it.

    Attributes
    ----------
    is_lost, queue, left
        Nodes that search a path, a list of them, and of those that left their component.
    seen, low, at, stack, path
        For components.
    moved
        People.
    log, old, used
        What was written, as one number, what was there before, and how many entries there are.
    """

    is_lost: NDArray[np.int8]
    queue: CodeArray
    left: CodeArray
    seen: CodeArray
    low: CodeArray
    at: CountArray
    stack: CodeArray
    path: CodeArray
    moved: CodeArray
    log: CountArray
    old: CodeArray
    used: CountArray


@njit(cache=True, nogil=True)
def _across(links: Links, release: int, node: int, person: int, value: int, way: int) -> int:
    """Find the node that a person leads to from one of their ends; -1 if they do not lead there.

    A path down follows the arc of a person, a path up goes against it.
    """
    a = links.ends[release, person]
    b = new_end(links, release, person)
    is_on = (links.values[person] != value) == (a == node)
    if is_on != (way == _DOWN):
        return -1
    return b if a == node else a


@njit(cache=True, nogil=True)
def new_end(links: Links, release: int, person: int) -> int:
    """Find the node of the new release that a person leads to."""
    if links.labels[person] < 0:
        return int(links.outside[release])
    return int(links.starts.size - 1 + links.labels[person] * links.outside.size + release)


@njit(cache=True, nogil=True)
def links_of(links: Links, node: int) -> CodeArray:
    """List the people at a node."""
    n_old = links.starts.size - 1
    if node < n_old:
        return links.people[links.starts[node] : links.starts[node + 1]]
    group = (node - n_old) // links.outside.size
    return links.order[links.parts[group, 0] : links.parts[group, 1]]


@njit(cache=True, nogil=True)
def _spans(
    links: Links, release: int, node: int, value: int, way: int
) -> tuple[tuple[int, int], tuple[int, int]]:
    """Find which of the people at a node lead on: two slices of the list."""
    people = links_of(links, node)
    # At the outside both ends of arcs meet, so people with and without the value lead on.
    if node == links.outside[release]:
        return (0, people.size), (0, 0)
    low, high = _first_from(links, people, value), _first_from(links, people, value + 1)
    # People are sorted by value, so those who have it are one slice and the others are two.
    if (node >= links.starts.size - 1) == (way == _DOWN):
        return (low, high), (0, 0)
    return (0, low), (high, people.size)


@njit(cache=True, nogil=True)
def _first_from(links: Links, people: CodeArray, value: int) -> int:
    """Find the first of a list who has a value or a larger one."""
    low, high = 0, people.size
    while low < high:
        middle = (low + high) // 2
        if links.values[people[middle]] < value:
            low = middle + 1
        else:
            high = middle
    return low


@njit(cache=True, nogil=True)
def note(room: Room, kind: int, at: int, old: int) -> None:
    """Log what was there before something is written."""
    room.log[room.used[0]] = at * 4 + kind
    room.old[room.used[0]] = old
    room.used[0] += 1


@njit(cache=True, nogil=True)
def _write(links: Links, room: Room, kind: int, node: int, value: int, new: int) -> None:
    note(room, kind, node * links.ways.shape[0] + value, links.ways[value, node, kind])
    links.ways[value, node, kind] = new


@njit(cache=True, nogil=True)
def relink(links: Links, room: Room, release: int, value: int, group: int, new: int) -> int:
    """Update components after people of a new group became another; list the nodes that left.

    Returns how many nodes left their component; they are in ``room.left``. O(d) for d people at
    the nodes whose path is gone, if hardly any component falls apart.
    """
    n_old, n_releases = links.starts.size - 1, links.outside.size
    node, part = n_old + group * n_releases + release, n_old + new * n_releases + release
    root = links.ways[value, node, ROOT]
    _write(links, room, ROOT, part, value, root)
    if root < 0:
        return 0
    n_left = 0
    for way in (_DOWN, _UP):
        n = 0
        # Both parts of the split group search a path, and so does everything whose path led through
        # it and now leads to the other part.
        for u in (node, part):
            if u != root and links.ways[value, u, ROOT] == root:
                room.is_lost[u] = 1
                room.queue[n] = u
                n += 1
        people = links_of(links, part)
        for lo, hi in _spans(links, release, part, value, 1 - way):
            for k in range(lo, hi):
                w = _across(links, release, part, people[k], value, 1 - way)
                if w < 0 or w == root or room.is_lost[w] or links.ways[value, w, ROOT] != root:
                    continue
                # Paths still name the old node, also where the person who carried them is now in
                # the new part.
                if links.ways[value, w, way] == node:
                    room.is_lost[w] = 1
                    room.queue[n] = w
                    n += 1
        n = _mend(links, room, release, value, root, way, n)
        for i in range(n):
            u = room.queue[i]
            room.is_lost[u] = 0
            _write(links, room, ROOT, u, value, -1)
            room.left[n_left] = u
            n_left += 1
    if n_left > 1:
        build(links, room, release, value, n_left)
    return n_left


@njit(cache=True, nogil=True)
def _mend(links: Links, room: Room, release: int, value: int, root: int, way: int, n: int) -> int:
    """Search paths for the nodes in the queue; return how many have none. They stay in the queue.

    Nodes whose path led through a node without one are added; afterwards all that still have none
    are reached from those that found one.
    """
    first, n_found = 0, 0
    while first < n:
        u = room.queue[first]
        first += 1
        if _hook(links, room, release, value, root, way, u):
            room.is_lost[u] = 0
            room.path[n_found] = u
            n_found += 1
            continue
        people = links_of(links, u)
        for lo, hi in _spans(links, release, u, value, 1 - way):
            for k in range(lo, hi):
                w = _across(links, release, u, people[k], value, 1 - way)
                if w < 0 or w == root or room.is_lost[w] or links.ways[value, w, ROOT] != root:
                    continue
                if links.ways[value, w, way] == u:
                    room.is_lost[w] = 1
                    room.queue[n] = w
                    n += 1
    first = 0
    while first < n_found and n_found < n:
        u = room.path[first]
        first += 1
        people = links_of(links, u)
        for lo, hi in _spans(links, release, u, value, 1 - way):
            for k in range(lo, hi):
                w = _across(links, release, u, people[k], value, 1 - way)
                if w >= 0 and room.is_lost[w]:
                    room.is_lost[w] = 0
                    _write(links, room, way, w, value, u)
                    room.path[n_found] = w
                    n_found += 1
    kept = 0
    for i in range(n):
        if room.is_lost[room.queue[i]]:
            room.queue[kept] = room.queue[i]
            kept += 1
    return kept


@njit(cache=True, nogil=True)
def _hook(
    links: Links, room: Room, release: int, value: int, root: int, way: int, node: int
) -> bool:
    """Find a next node whose own path is not lost."""
    people = links_of(links, node)
    for lo, hi in _spans(links, release, node, value, way):
        for k in range(lo, hi):
            v = _across(links, release, node, people[k], value, way)
            if v < 0 or links.ways[value, v, ROOT] != root:
                continue
            # The path of the candidate is followed to the root: a lost node on it would make it
            # invalid.
            x = v
            while x != root and not room.is_lost[x]:
                x = links.ways[value, x, way]
            if not room.is_lost[x]:
                _write(links, room, way, node, value, v)
                return True
    return False


@njit(cache=True, nogil=True)
def build(links: Links, room: Room, release: int, value: int, n: int) -> None:
    """Find the components among the first nodes in ``room.left``, which are in none.

    Tarjan's method without recursion.
    """
    n_seen, n_stack = 0, 0
    for i in range(n):
        room.seen[room.left[i]] = 0
    for i in range(n):
        first = room.left[i]
        if room.seen[first] != 0:
            continue
        depth, room.path[0] = 0, first
        n_seen += 1
        room.seen[first] = room.low[first] = n_seen
        room.stack[n_stack], room.at[first] = first, 0
        n_stack += 1
        while depth >= 0:
            u = room.path[depth]
            people = links_of(links, u)
            if room.at[u] < people.size:
                v = _across(links, release, u, people[room.at[u]], value, _DOWN)
                room.at[u] += 1
                # Nodes that are not among those given have a negative number and are ignored.
                if v < 0 or room.seen[v] < 0:
                    continue
                if room.seen[v] == 0:
                    n_seen += 1
                    room.seen[v] = room.low[v] = n_seen
                    room.stack[n_stack], room.at[v] = v, 0
                    n_stack += 1
                    depth += 1
                    room.path[depth] = v
                else:
                    room.low[u] = min(room.low[u], room.seen[v])
                continue
            if room.low[u] == room.seen[u]:
                start = n_stack - 1
                while room.stack[start] != u:
                    start -= 1
                _settle(links, room, release, value, start, n_stack)
                n_stack = start
            depth -= 1
            if depth >= 0:
                above = room.path[depth]
                room.low[above] = min(room.low[above], room.low[u])


@njit(cache=True, nogil=True)
def _settle(links: Links, room: Room, release: int, value: int, start: int, end: int) -> None:
    """Give the nodes on the stack a root, and paths to and from it; a single node needs none."""
    root, most = room.stack[start], -1
    for i in range(start, end):
        u = room.stack[i]
        room.seen[u] = -1
        size = links_of(links, u).size if u < links.starts.size - 1 else 0
        # The largest earlier group becomes the root: earlier groups are never split, and many arcs
        # keep paths short.
        if size > most:
            root, most = u, size
    if end - start < 2:
        return
    for i in range(start, end):
        _write(links, room, ROOT, room.stack[i], value, root)
    # A breadth-first search from the root in each direction gives shortest paths.
    for way in (_DOWN, _UP):
        room.queue[0] = root
        room.is_lost[root] = 1
        first, last = 0, 1
        while first < last:
            u = room.queue[first]
            first += 1
            people = links_of(links, u)
            for lo, hi in _spans(links, release, u, value, 1 - way):
                for k in range(lo, hi):
                    w = _across(links, release, u, people[k], value, 1 - way)
                    if w < 0 or room.is_lost[w] or links.ways[value, w, ROOT] != root:
                        continue
                    room.is_lost[w] = 1
                    _write(links, room, way, w, value, u)
                    room.queue[last] = w
                    last += 1
        for i in range(last):
            room.is_lost[room.queue[i]] = 0
