"""Finding the boxes that a point lies in, by a tree of the boxes around boxes.

Boxes may overlap. The tree is balanced: node k has the children 2k + 1 and 2k + 2, each with half
of its boxes, and a node of few boxes has none. Which boxes a node has follows from its place alone,
so that nothing is kept but their order and the box around them.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.typing import CodeArray, CountArray

__all__ = ["boxes_around", "build_tree"]

_LEAF = 8
"""A node with no more boxes than this is not halved."""


@njit(cache=True, nogil=True)
def build_tree(lo: CodeArray, hi: CodeArray) -> tuple[CountArray, CodeArray, CodeArray]:
    """Order boxes ``[lo, hi)`` so that neighbours lie close, and put boxes around halves of them.

    Each node is halved on the column on which its boxes lie farthest apart. O(n d log n) for n
    boxes of d columns.
    """
    n, d = lo.shape
    n_nodes = 1
    while n > _LEAF * ((n_nodes + 1) // 2):
        n_nodes = 2 * n_nodes + 1
    order = np.arange(n)
    node_lo = np.zeros((n_nodes, d), np.int32)
    node_hi = np.zeros((n_nodes, d), np.int32)
    first = np.zeros(n_nodes, np.int64)
    end = np.zeros(n_nodes, np.int64)
    end[0] = n
    for k in range(n_nodes):
        if first[k] == end[k]:
            continue
        widest = -1
        column = 0
        for j in range(d):
            start = order[first[k]]
            least, greatest = lo[start, j], hi[start, j]
            low = high = np.int64(least) + greatest
            for i in range(first[k] + 1, end[k]):
                box = order[i]
                least, greatest = min(least, lo[box, j]), max(greatest, hi[box, j])
                twice = np.int64(lo[box, j]) + hi[box, j]
                low, high = min(low, twice), max(high, twice)
            node_lo[k, j], node_hi[k, j] = least, greatest
            if high - low > widest:
                widest = high - low
                column = j
        if 2 * k + 2 < n_nodes:
            middle = (first[k] + end[k]) // 2
            if widest > 0:
                _halve(order, lo, hi, column, first[k], end[k] - 1, middle)
            first[2 * k + 1], end[2 * k + 1] = first[k], middle
            first[2 * k + 2], end[2 * k + 2] = middle, end[k]
    return order, node_lo, node_hi


@njit(cache=True, nogil=True)
def boxes_around(
    point: CodeArray,
    lo: CodeArray,
    hi: CodeArray,
    order: CountArray,
    node_lo: CodeArray,
    node_hi: CodeArray,
    stack: CountArray,
    found: CountArray,
) -> tuple[int, int]:
    """Write the numbers of all boxes that a point lies in into ``found``, and tell how many.

    Also tells how many boxes and nodes were looked at. ``order``, ``node_lo`` and ``node_hi`` come
    from `build_tree`; ``stack`` has room for 3 numbers on each of 64 levels, and ``found`` for all
    boxes. O(log n) where boxes hardly overlap.
    """
    n_nodes = node_lo.shape[0]
    n_found, n_seen = 0, 0
    stack[0], stack[1], stack[2] = 0, 0, order.size
    height = 3
    while height > 0:
        height -= 3
        k, first, end = stack[height], stack[height + 1], stack[height + 2]
        n_seen += 1
        if first == end or not _is_inside(point, node_lo, node_hi, k):
            continue
        if 2 * k + 2 < n_nodes:
            middle = (first + end) // 2
            stack[height], stack[height + 1], stack[height + 2] = 2 * k + 1, first, middle
            stack[height + 3], stack[height + 4], stack[height + 5] = 2 * k + 2, middle, end
            height += 6
            continue
        n_seen += end - first
        for i in range(first, end):
            if _is_inside(point, lo, hi, order[i]):
                found[n_found] = order[i]
                n_found += 1
    return n_found, n_seen


@njit(cache=True, nogil=True)
def _is_inside(point: CodeArray, lo: CodeArray, hi: CodeArray, box: int) -> bool:
    j = 0
    while j < point.size and lo[box, j] <= point[j] < hi[box, j]:
        j += 1
    return j == point.size


@njit(cache=True, nogil=True)
def _halve(
    order: CountArray,
    lo: CodeArray,
    hi: CodeArray,
    column: int,
    first: int,
    last: int,
    middle: int,
) -> None:
    """Put what has smaller middles on a column before ``middle``, by Hoare's selection."""
    while last > first:
        pivot = order[(first + last) // 2]
        key = np.int64(lo[pivot, column]) + hi[pivot, column]
        i, j = first, last
        while i <= j:
            while np.int64(lo[order[i], column]) + hi[order[i], column] < key:
                i += 1
            while np.int64(lo[order[j], column]) + hi[order[j], column] > key:
                j -= 1
            if i <= j:
                order[i], order[j] = order[j], order[i]
                i += 1
                j -= 1
        if middle <= j:
            last = j
        elif middle >= i:
            first = i
        else:
            return
