"""Lattice sweep: rows that look alike at a node form a part if there are enough; the rest waits."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from unlinkable.typing import CodeArray, CountArray

__all__ = ["Levels", "group_at", "sweep"]

_SEED = np.uint64(1469598103934665603)
_PRIME = np.uint64(1099511628211)


class Levels(NamedTuple):
    """The levels of all columns.

    ``blocks[starts[j] + level * n_codes[j] + code]`` is the node of that level of column ``j`` that
    the code belongs to, and ``heights[j]`` the number of its levels.
    """

    blocks: CodeArray
    starts: CountArray
    n_codes: CountArray
    heights: CountArray


@njit(cache=True, nogil=True)
def _mix(hashed: np.uint64, number: int) -> np.uint64:
    """Take one more number into a hash."""
    hashed = (hashed ^ np.uint64(number)) * _PRIME
    return hashed ^ (hashed >> np.uint64(29))


@njit(cache=True, nogil=True)
def group_at(
    node: CodeArray,
    rows: CodeArray,
    keys: CodeArray,
    levels: Levels,
    slots: CountArray,
    firsts: CodeArray,
    labels: CodeArray,
) -> int:
    """Number the sets of rows that look alike at a node, and count these sets.

    ``slots`` is scratch memory for a hash table, all -1 before and after; its length is a power of
    two, at least twice the number of rows. ``firsts[s]`` becomes the position of the first row of
    set ``s``, and ``labels[i]`` the set of row ``rows[i]``.
    """
    room, d, n_sets = slots.size - 1, keys.shape[1], 0
    used = np.empty(rows.size, np.int64)
    for i in range(rows.size):
        hashed = _SEED
        for j in range(d):
            at = levels.starts[j] + node[j] * levels.n_codes[j]
            hashed = _mix(hashed, levels.blocks[at + keys[rows[i], j]])
        place = np.int64(hashed & np.uint64(room))
        while slots[place] >= 0:
            # Equal hashes prove nothing: the row is compared with the first of the set on every
            # column.
            other, is_same = rows[firsts[slots[place]]], True
            for j in range(d):
                at = levels.starts[j] + node[j] * levels.n_codes[j]
                if levels.blocks[at + keys[rows[i], j]] != levels.blocks[at + keys[other, j]]:
                    is_same = False
                    break
            if is_same:
                break
            place = (place + 1) & room
        if slots[place] < 0:
            slots[place], firsts[n_sets], used[n_sets] = n_sets, i, place
            n_sets += 1
        labels[i] = slots[place]
    # Only the slots that were used are cleared, so a node with few rows costs little.
    for s in range(n_sets):
        slots[used[s]] = -1
    return n_sets


@njit(cache=True, nogil=True)
def sweep(
    nodes: CodeArray,
    keys: CodeArray,
    sizes: CountArray,
    levels: Levels,
    least: int,
    parts: CodeArray,
    n_parts: int,
    budget: int,
) -> tuple[int, int]:
    """Form parts of at least ``least`` records from rows that look alike at a node, node by node.

    ``parts[i]`` is the part of row i, -1 as long as it has none; new parts get the numbers from
    ``n_parts`` on. Nodes are skipped where visiting every node with all waiting rows would take
    more than ``budget`` row visits. Returns the number of parts, and of nodes visited.
    """
    n = keys.shape[0]
    waiting = np.empty(n, np.int32)
    n_waiting = 0
    for i in range(n):
        if parts[i] < 0:
            waiting[n_waiting] = i
            n_waiting += 1
    room = 2
    while room < 2 * n_waiting:
        room *= 2
    slots = np.full(room, -1, np.int64)
    firsts, labels = np.empty(n_waiting, np.int32), np.empty(n_waiting, np.int32)
    totals, number = np.empty(n_waiting, np.int64), np.empty(n_waiting, np.int32)
    v, n_looked = 0, 0
    while v < nodes.shape[0] and n_waiting > 0:
        rows = waiting[:n_waiting]
        n_sets = group_at(nodes[v], rows, keys, levels, slots, firsts, labels)
        n_looked += 1
        budget -= n_waiting
        for s in range(n_sets):
            totals[s] = 0
        for i in range(n_waiting):
            totals[labels[i]] += sizes[rows[i]]
        for s in range(n_sets):
            number[s] = -1
            if totals[s] >= least:
                number[s] = n_parts
                n_parts += 1
        n_left = 0
        for i in range(n_waiting):
            row = rows[i]
            parts[row] = number[labels[i]]
            if parts[row] < 0:
                # Rows without a part move to the front of the same array; writing is never ahead of
                # reading.
                waiting[n_left] = row
                n_left += 1
        n_waiting = n_left
        # If all remaining nodes cost ``n_waiting`` each, this stride spends about the budget on
        # them.
        n_nodes_left = nodes.shape[0] - v - 1
        v += max(1, min(n_nodes_left, n_nodes_left * n_waiting // max(budget, 1)))
    return n_parts, n_looked
