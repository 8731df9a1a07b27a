"""Taxonomy-encoded anonymity: an index of the groups that have each node of each column.

``nodes[g, j]`` is the node that group ``g`` has on column ``j``, in one numbering of the nodes of
all columns. The groups that have a node are a chain: ``head[v]`` is the first, ``after[j, g]`` the
next one and ``before[j, g]`` the one before, -1 at the ends; ``n_held[v]`` is their number. The
hash of a group is the sum of the ``salts`` of its nodes. So the cost of a generalization depends on
the groups that it concerns, and not on how many there are.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from unlinkable.typing import CodeArray, CountArray

__all__ = ["chain", "gather", "join", "least_after", "match"]

HashArray = NDArray[np.uint64]


@njit(cache=True, nogil=True)
def chain(
    nodes: CodeArray, head: CodeArray, after: CodeArray, before: CodeArray, n_held: CodeArray
) -> None:
    """Put every group into the chains of its nodes. O(n d)."""
    head[:] = -1
    n_held[:] = 0
    # Groups are put in front, so going backwards leaves every chain in rising order.
    for g in range(nodes.shape[0] - 1, -1, -1):
        for j in range(nodes.shape[1]):
            _put_in(g, j, nodes[g, j], head, after, before, n_held)


@njit(cache=True, nogil=True)
def gather(
    children: CodeArray, j: int, head: CodeArray, after: CodeArray, n_held: CodeArray
) -> CodeArray:
    """List the groups that show one of these nodes on column ``j``. O(groups listed)."""
    n = 0
    for child in children:
        n += n_held[child]
    rows = np.empty(n, np.int32)
    i = 0
    for child in children:
        g = head[child]
        while g >= 0:
            rows[i] = g
            i += 1
            g = after[j, g]
    return rows


@njit(cache=True, nogil=True)
def match(
    rows: CodeArray, j: int, nodes: CodeArray, hashes: HashArray, salts: HashArray
) -> tuple[CodeArray, CodeArray]:
    """Number the groups by their nodes on all columns but ``j``.

    Returns the number of each, in the order in which they appear, and the first group with each
    number. O(groups * columns) expected.
    """
    bits = 4
    while 1 << bits < 2 * rows.size:
        bits += 1
    slots = np.empty(1 << bits, np.int32)
    slots[:] = -1
    labels = np.empty(rows.size, np.int32)
    first = np.empty(rows.size, np.int32)
    last = slots.size - 1
    count = 0
    for i in range(rows.size):
        g = rows[i]
        # The hash is a sum, so leaving a column out is a subtraction. Sums wrap around modulo 2^64.
        hashed = hashes[g] - salts[nodes[g, j]]
        slot = np.int64(hashed >> np.uint64(64 - bits))
        while slots[slot] >= 0 and not _alike(nodes, g, first[slots[slot]], j):
            slot = (slot + 1) & last
        if slots[slot] < 0:
            slots[slot] = count
            first[count] = g
            count += 1
        labels[i] = slots[slot]
    return labels, first[:count].copy()


@njit(cache=True, nogil=True)
def join(
    rows: CodeArray,
    labels: CodeArray,
    first: CodeArray,
    children: CodeArray,
    j: int,
    node: int,
    nodes: CodeArray,
    hashes: HashArray,
    salts: HashArray,
    sizes: CountArray,
    into: CodeArray,
    head: CodeArray,
    after: CodeArray,
    before: CodeArray,
    n_held: CodeArray,
) -> None:
    """Generalize the children of ``node`` to it on column ``j``, and merge groups that are equal.

    ``rows`` are all groups that have a child, and ``labels`` and ``first`` the result of `match`
    for them. The first of each stays with the sum of the sizes; the others go ``into`` it, leave
    their chains, and get size -1. O(groups * columns).
    """
    # Every group of a child is in ``rows``, so the chains of column j are dropped as a whole.
    for child in children:
        head[child] = -1
        n_held[child] = 0
    for i in range(rows.size):
        g, heir = rows[i], first[labels[i]]
        if g != heir:
            sizes[heir] += sizes[g]
            sizes[g] = -1
            into[g] = heir
            for k in range(nodes.shape[1]):
                if k != j:
                    _take_out(g, k, nodes[g, k], head, after, before, n_held)
    for i in range(first.size - 1, -1, -1):
        g = first[i]
        hashes[g] += salts[node] - salts[nodes[g, j]]
        nodes[g, j] = node
        _put_in(g, j, node, head, after, before, n_held)


@njit(cache=True, nogil=True)
def least_after(tally: CountArray, old: CountArray, new: CountArray, least: int) -> int:
    """Find the smallest size of all if groups of some sizes are replaced by others, no smaller.

    ``tally[s]`` counts the groups of size s; there is none below ``least``, and at least one in
    the end. Sizes of 0 do not count. O(groups replaced + increase of the smallest size).
    """
    for size in old:
        tally[size] -= 1
    for size in new:
        tally[size] += 1
    found = max(least, 1)
    while tally[found] == 0:
        found += 1
    # The tally is only tried out, and restored.
    for size in old:
        tally[size] += 1
    for size in new:
        tally[size] -= 1
    return found


@njit(cache=True, nogil=True, inline="always")
def _alike(nodes: CodeArray, g: int, other: int, j: int) -> bool:
    n_different = 0
    for k in range(nodes.shape[1]):
        n_different += k != j and nodes[g, k] != nodes[other, k]
    return n_different == 0


@njit(cache=True, nogil=True, inline="always")
def _put_in(
    g: int,
    j: int,
    node: int,
    head: CodeArray,
    after: CodeArray,
    before: CodeArray,
    n_held: CodeArray,
) -> None:
    """Put a group in front of a chain."""
    second = head[node]
    after[j, g] = second
    before[j, g] = -1
    if second >= 0:
        before[j, second] = g
    head[node] = g
    n_held[node] += 1


@njit(cache=True, nogil=True, inline="always")
def _take_out(
    g: int,
    j: int,
    node: int,
    head: CodeArray,
    after: CodeArray,
    before: CodeArray,
    n_held: CodeArray,
) -> None:
    """Take a group out of a chain."""
    left, right = before[j, g], after[j, g]
    if left >= 0:
        after[j, left] = right
    else:
        head[node] = right
    if right >= 0:
        before[j, right] = left
    n_held[node] -= 1
