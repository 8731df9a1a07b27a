"""Watched links: groups of a new release are split as long as records have enough candidates.

A record can belong to everybody in its group who could have its value (`kernels.linked_groups`):
its candidates. A split can only exclude candidates, never add any. What a trial writes is logged
and can be undone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from unlinkable.kernels.flows.linked_groups import (
    POSSIBLE,
    ROOT,
    Links,
    Room,
    build,
    links_of,
    new_end,
    note,
    relink,
)
from unlinkable.typing import CodeArray, CountArray

__all__ = ["ALLOWED", "FULL", "REFUSED", "Candidates", "begin", "try_split", "undo_split"]

REFUSED, ALLOWED, FULL = 0, 1, 2
"""The outcome of a trial: some record has too few candidates; none has; the log is full."""


class Candidates(NamedTuple):
    """How many people could have the records of every group with every value.

    Attributes
    ----------
    is_possible
        By person and value whether he could have it.
        By person and value whether they could have it.
    old, has_old
    new, has_new
        The same by group of the new release.
    """

    is_possible: NDArray[np.bool_]
    old: CodeArray
    has_old: CodeArray
    new: CodeArray
    has_new: CodeArray


@njit(cache=True, nogil=True)
def begin(links: Links, room: Room, can: Candidates, bounds: tuple[int, int, int]) -> bool:
    """Find all components while everybody is in one group, and count candidates.

    ``is_possible`` says who could have what by the earlier releases alone, and the numbers of
    records are known; the rest is written. Returns whether every record has enough candidates.
    """
    n_old, n_releases = links.starts.size - 1, links.outside.size
    n_people, n_values = can.is_possible.shape
    for release in range(n_releases):
        first = links.outside[release - 1] + 1 if release > 0 else 0
        for value in range(n_values):
            n = 0
            for node in range(first, links.outside[release]):
                if can.has_old[node, value] > 0:
                    room.left[n] = node
                    n += 1
            room.left[n], room.left[n + 1] = links.outside[release], n_old + release
            # If nobody is outside of the new release, all links lead to the one group and no search
            # is needed.
            if n_people == links.order.size:
                _link_to_one(links, room, can, release, value, n + 1)
            else:
                build(links, room, release, value, n + 2)
            # The initial state is never undone, so its log is dropped.
            room.used[0] = 0
            for person in range(n_people):
                if links.values[person] == value or not can.is_possible[person, value]:
                    continue
                a, b = links.ends[release, person], new_end(links, release, person)
                root = links.ways[value, a, ROOT]
                # People whose two ends are in different components cannot exchange the value with
                # anybody.
                if a != b and (root < 0 or root != links.ways[value, b, ROOT]):
                    can.is_possible[person, value] = False
    for person in range(n_people):
        for value in range(n_values):
            if can.is_possible[person, value]:
                _count(links, can, person, value, 1)
    is_fine = _is_fine(can.new[0], can.has_new[0], bounds)
    for node in range(n_old):
        is_fine = is_fine and _is_fine(can.old[node], can.has_old[node], bounds)
    return is_fine


@njit(cache=True, nogil=True)
def _link_to_one(
    links: Links, room: Room, can: Candidates, release: int, value: int, n: int
) -> None:
    """Link all nodes to the one group that everybody is in: those with people of both kinds."""
    whole, root, most = links.starts.size - 1 + release, -1, 0
    for i in range(n):
        node = room.left[i]
        people = links_of(links, node)
        n_with = can.has_old[node, value]
        if node == links.outside[release]:
            n_with = 0
            for person in people:
                n_with += links.values[person] == value
        # A node is on a cycle with the group if somebody there has the value and somebody has not.
        if 0 < n_with < people.size:
            for way in range(2):
                links.ways[value, node, way] = whole
            links.ways[value, node, ROOT] = 0
            if people.size > most:
                root, most = node, people.size
    if root < 0:
        return
    for i in range(n):
        if links.ways[value, room.left[i], ROOT] >= 0:
            links.ways[value, room.left[i], ROOT] = root
    for way in range(2):
        links.ways[value, whole, way] = root
    links.ways[value, whole, ROOT] = root


@njit(cache=True, nogil=True)
def try_split(
    links: Links,
    room: Room,
    can: Candidates,
    bounds: tuple[int, int, int],
    group: int,
    new: int,
    right: CountArray,
) -> int:
    """Make people of a group a new one, and tell whether every record still has enough candidates.

    ``bounds`` are the fewest candidates, and numerator and denominator of the largest share of them
    that may have the value. Unless the result is `ALLOWED`, the caller must undo the split.
    """
    n_values, n_releases, n_old = can.has_new.shape[1], links.outside.size, links.starts.size - 1
    n_nodes = n_old + (new + 1) * n_releases
    _part(links, room.moved, group, new, right)
    for value in range(n_values):
        can.new[new, value] = can.has_new[new, value] = 0
        for release in range(n_releases):
            links.ways[value, n_old + new * n_releases + release, ROOT] = -1
    for person in links_of(links, n_old + new * n_releases):
        can.has_new[group, links.values[person]] -= 1
        can.has_new[new, links.values[person]] += 1
        for value in range(n_values):
            if can.is_possible[person, value]:
                can.new[group, value] -= 1
                can.new[new, value] += 1
    # The halves are judged before any links change: candidates only become fewer.
    is_fine = _is_fine(can.new[group], can.has_new[group], bounds)
    if not is_fine or not _is_fine(can.new[new], can.has_new[new], bounds):
        return REFUSED
    # Rare values have the fewest candidates, so a split that must be refused is refused early.
    for value in links.rarest:
        if can.has_new[group, value] + can.has_new[new, value] == 0:
            continue
        for release in range(n_releases):
            # A trial must never run out of log in the middle, where it could not be undone.
            if room.used[0] + 7 * n_nodes + links.values.size > room.log.size:
                return FULL
            n_left = relink(links, room, release, value, group, new)
            for i in range(n_left):
                if not _exclude(links, room, can, bounds, release, value, room.left[i], group, new):
                    return REFUSED
    is_fine = _is_fine(can.new[group], can.has_new[group], bounds)
    is_fine = is_fine and _is_fine(can.new[new], can.has_new[new], bounds)
    return ALLOWED if is_fine else REFUSED


@njit(cache=True, nogil=True)
def undo_split(links: Links, room: Room, can: Candidates, group: int, new: int) -> None:
    """Undo what `try_split` wrote."""
    n_values = can.has_new.shape[1]
    # Entries are undone from the last to the first, because a place may have been written twice.
    for i in range(room.used[0] - 1, -1, -1):
        at, kind = room.log[i] // 4, room.log[i] % 4
        if kind == POSSIBLE:
            can.is_possible[at // n_values, at % n_values] = True
            _count(links, can, at // n_values, at % n_values, 1)
        else:
            links.ways[at % n_values, at // n_values, kind] = room.old[i]
    room.used[0] = 0
    for value in range(n_values):
        can.new[group, value] += can.new[new, value]
        can.has_new[group, value] += can.has_new[new, value]
    _rejoin(links, room.moved, group, new)


@njit(cache=True, nogil=True)
def _part(links: Links, moved: CodeArray, group: int, new: int, right: CountArray) -> None:
    """Put the people who leave behind those who stay; both keep their order."""
    for person in right:
        links.labels[person] = new
    n, at = 0, links.parts[group, 0]
    for i in range(links.parts[group, 0], links.parts[group, 1]):
        person = links.order[i]
        if links.labels[person] == new:
            moved[n] = person
            n += 1
        else:
            links.order[at] = person
            at += 1
    links.parts[new, 0], links.parts[new, 1] = at, links.parts[group, 1]
    links.parts[group, 1] = at
    for i in range(n):
        links.order[at + i] = moved[i]


@njit(cache=True, nogil=True)
def _rejoin(links: Links, moved: CodeArray, group: int, new: int) -> None:
    """Put the people who left back, in the order of their values."""
    first, last = links.parts[group, 0], links.parts[new, 1]
    i, j = first, links.parts[new, 0]
    middle = j
    for k in range(last - first):
        # Both halves are sorted by value, so merging them restores the order.
        if j == last or (
            i < middle and links.values[links.order[i]] <= links.values[links.order[j]]
        ):
            moved[k] = links.order[i]
            i += 1
        else:
            moved[k] = links.order[j]
            links.labels[links.order[j]] = group
            j += 1
    for k in range(last - first):
        links.order[first + k] = moved[k]
    links.parts[group, 1] = last


@njit(cache=True, nogil=True)
def _count(links: Links, can: Candidates, person: int, value: int, by: int) -> None:
    """Count a person as a candidate in all their groups."""
    for release in range(links.outside.size):
        node = links.ends[release, person]
        if node != links.outside[release]:
            can.old[node, value] += by
    if links.labels[person] >= 0:
        can.new[links.labels[person], value] += by


@njit(cache=True, nogil=True)
def _exclude(
    links: Links,
    room: Room,
    can: Candidates,
    bounds: tuple[int, int, int],
    release: int,
    value: int,
    node: int,
    group: int,
    new: int,
) -> bool:
    """Exclude the people at a node who cannot have a value any more; tell whether enough are left.

    The two groups that are being split are judged later.
    """
    is_fine = True
    for person in links_of(links, node):
        if links.values[person] == value or not can.is_possible[person, value]:
            continue
        a, b = links.ends[release, person], new_end(links, release, person)
        root = links.ways[value, a, ROOT]
        if root >= 0 and root == links.ways[value, b, ROOT]:
            continue
        can.is_possible[person, value] = False
        note(room, POSSIBLE, person * can.is_possible.shape[1] + value, 1)
        _count(links, can, person, value, -1)
        for other in range(links.outside.size):
            end = links.ends[other, person]
            if end != links.outside[other]:
                n, has = can.old[end, value], can.has_old[end, value]
                is_fine = is_fine and _is_enough(n, has, bounds)
        label = links.labels[person]
        if label >= 0 and label != group and label != new:
            n, has = can.new[label, value], can.has_new[label, value]
            is_fine = is_fine and _is_enough(n, has, bounds)
    return is_fine


@njit(cache=True, nogil=True)
def _is_fine(candidates: CodeArray, records: CodeArray, bounds: tuple[int, int, int]) -> bool:
    for value in range(records.size):
        if not _is_enough(candidates[value], records[value], bounds):
            return False
    return True


@njit(cache=True, nogil=True)
def _is_enough(n: int, has: int, bounds: tuple[int, int, int]) -> bool:
    k, p, q = bounds
    return has == 0 or (n >= k and has * q <= n * p)
