"""Leaf partitions: the groups of a top-down search, and the links between those with one value.

``order`` has the rows of a table so that those of every leaf stand together: leaf ``P`` is the rows
``order[start[P]:end[P]]``. Rows themselves never move, and their order within a leaf is arbitrary.
``following[j, P]`` is the leaf after ``P`` among those that publish the same value on column ``j``,
and ``head[v]`` the first leaf that publishes the value ``v``; -1 ends a chain. A leaf of one row
cannot be split, and is removed from a chain when it is met there.

To refine a value is to split all leaves on its chain by ``target``, which says for every code of
the column to which part it goes. The parts of leaf ``leaves[g]`` are ``ends[g]:ends[g + 1]``.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.typing import CodeArray, CountArray

__all__ = ["arrange", "count_parts", "follow", "relink", "settle", "show_alone", "show_parts"]


@njit(cache=True, nogil=True)
def follow(
    head: CodeArray, value: int, following: CodeArray, start: CountArray, end: CountArray
) -> CodeArray:
    """List the leaves on the chain of a value that have several rows.

    Leaves of one row are removed from the chain: nothing splits them any more. O(n) for n leaves.
    """
    n, last, leaf = 0, -1, head[value]
    while leaf >= 0:
        after = following[leaf]
        if end[leaf] - start[leaf] > 1:
            n += 1
            last = leaf
        elif last >= 0:
            following[last] = after
        else:
            head[value] = after
        leaf = after
    found = np.empty(n, np.int32)
    leaf = head[value]
    for i in range(n):
        found[i] = leaf
        leaf = following[leaf]
    return found


@njit(cache=True, nogil=True)
def count_parts(
    order: CodeArray,
    codes: CodeArray,
    sizes: CountArray,
    start: CountArray,
    end: CountArray,
    leaves: CodeArray,
    target: CodeArray,
    n_targets: int,
) -> tuple[CountArray, CodeArray, CountArray, CountArray, CountArray]:
    """Count the parts of leaves without making them. O(n) for n rows.

    Returns where the parts of each leaf end, to which target each goes, which rows it would be, and
    how many records. Parts without rows do not exist.
    """
    room = 0
    for g in range(leaves.size):
        # A leaf has no more parts than rows, and no more than there are targets.
        room += min(end[leaves[g]] - start[leaves[g]], n_targets)
    ends = np.zeros(leaves.size + 1, np.int64)
    which = np.empty(room, np.int32)
    part_start = np.empty(room, np.int64)
    part_end = np.empty(room, np.int64)
    records = np.empty(room, np.int64)
    n_rows = np.zeros(n_targets, np.int64)
    n_records = np.zeros(n_targets, np.int64)
    out = 0
    for g in range(leaves.size):
        first, at = out, start[leaves[g]]
        for i in range(at, end[leaves[g]]):
            row = order[i]
            t = target[codes[row]]
            if n_rows[t] == 0:
                which[out] = t
                out += 1
            n_rows[t] += 1
            n_records[t] += sizes[row]
        for p in range(first, out):
            t = which[p]
            part_start[p] = at
            at += n_rows[t]
            part_end[p] = at
            records[p] = n_records[t]
            n_rows[t] = 0
            n_records[t] = 0
        ends[g + 1] = out
    return (
        ends,
        which[:out].copy(),
        part_start[:out].copy(),
        part_end[:out].copy(),
        records[:out].copy(),
    )


@njit(cache=True, nogil=True)
def arrange(
    order: CodeArray,
    codes: CodeArray,
    start: CountArray,
    end: CountArray,
    leaves: CodeArray,
    target: CodeArray,
    n_targets: int,
    ends: CountArray,
    which: CodeArray,
    part_start: CountArray,
) -> None:
    """Put the rows of leaves in the order of their parts, by counting. O(n) for n rows."""
    widest = 0
    for g in range(leaves.size):
        widest = max(widest, end[leaves[g]] - start[leaves[g]])
    held = np.empty(widest, np.int32)
    at = np.empty(n_targets, np.int64)
    for g in range(leaves.size):
        # A leaf with a single part keeps its rows as they are.
        if ends[g + 1] - ends[g] < 2:
            continue
        s, n = start[leaves[g]], end[leaves[g]] - start[leaves[g]]
        for p in range(ends[g], ends[g + 1]):
            at[which[p]] = part_start[p]
        for i in range(n):
            held[i] = order[s + i]
        for i in range(n):
            t = target[codes[held[i]]]
            order[at[t]] = held[i]
            at[t] += 1


@njit(cache=True, nogil=True)
def settle(
    start: CountArray,
    end: CountArray,
    records: CountArray,
    n_leaves: int,
    leaves: CodeArray,
    ends: CountArray,
    part_start: CountArray,
    part_end: CountArray,
    part_records: CountArray,
) -> CodeArray:
    """Make leaves of parts, and return their numbers. O(p) for p parts.

    The first part takes the number of its leaf, the others come after the ``n_leaves`` there are.
    """
    places = np.empty(part_start.size, np.int32)
    n = n_leaves
    for g in range(leaves.size):
        for p in range(ends[g], ends[g + 1]):
            place = leaves[g]
            if p > ends[g]:
                place = n
                n += 1
            places[p] = place
            start[place], end[place] = part_start[p], part_end[p]
            records[place] = part_records[p]
    return places


@njit(cache=True, nogil=True)
def relink(
    following: CodeArray,
    head: CodeArray,
    column: int,
    leaves: CodeArray,
    ends: CountArray,
    places: CodeArray,
    values: CodeArray,
) -> None:
    """Chain the parts of leaves: by their new values on the column that was refined.

    On all other columns a part stays beside its leaf. O(d p) for p parts and d columns.
    """
    for g in range(leaves.size):
        for p in range(ends[g], ends[g + 1]):
            place = places[p]
            if p > ends[g]:
                for j in range(following.shape[0]):
                    # On the other columns the part publishes the value of its leaf, so it is
                    # inserted right behind it.
                    if j != column:
                        following[j, place] = following[j, leaves[g]]
                        following[j, leaves[g]] = place
            following[column, place] = head[values[p]]
            head[values[p]] = place


@njit(cache=True, nogil=True)
def show_parts(
    shown: CodeArray,
    column: int,
    leaves: CodeArray,
    ends: CountArray,
    places: CodeArray,
    values: CodeArray,
) -> None:
    """Record what parts publish: ``shown[j, P]`` is the value of leaf P on column j.

    O(d p) for p parts and d columns.
    """
    for g in range(leaves.size):
        for p in range(ends[g], ends[g + 1]):
            place = places[p]
            if p > ends[g]:
                for j in range(shown.shape[0]):
                    shown[j, place] = shown[j, leaves[g]]
            shown[column, place] = values[p]


@njit(cache=True, nogil=True)
def show_alone(
    shown: CodeArray,
    n_leaves: int,
    order: CodeArray,
    codes: CodeArray,
    start: CountArray,
    end: CountArray,
    value: int,
    target: CodeArray,
    parts: CodeArray,
) -> CodeArray:
    """Refine a value that leaves of one row publish, and list them. O(n) for n leaves."""
    alone = np.empty(n_leaves, np.int32)
    n = 0
    for leaf in range(n_leaves):
        # Leaves of one row are on no chain, so they are found by looking at all leaves.
        if shown[leaf] == value and end[leaf] - start[leaf] == 1:
            shown[leaf] = parts[target[codes[order[start[leaf]]]]]
            alone[n] = leaf
            n += 1
    return alone[:n].copy()
