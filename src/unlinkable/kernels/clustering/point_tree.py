"""Point tree: the nearest and the farthest of the points that are left, while points are removed.

Every node has the tight box around the remaining points below it, how many these are, and the least
of their rows. A box bounds how near and how far a point in it can be, and so does the distance of
points from the middle of the cloud: most of the tree is never searched. The bounds by a box are
sums of the same terms in the same order as the distances themselves, and rounding is monotone; the
other bound has a margin for rounding. So no node is skipped that has an answer, not even one that
is just as far as another. Among points that are equally far, the one with the least row comes
first.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from unlinkable.typing import CountArray, FloatArray

__all__ = ["LEAF", "PointTree", "build", "farthest", "find_within", "nearest", "take"]

LEAF = 16
"""No leaf has more points than this."""

_SLACK = 1e-12
"""More than rounding can add to a bound that is not a sum of the terms of a distance."""


class PointTree(NamedTuple):
    """Points in the order of the leaves, and the nodes above them: below ``i``, 2i+1 and 2i+2.

    Attributes
    ----------
    points, rows
        The points, and the row of each of them.
    place, leaf
        By row, where its point is now, and the node of its leaf.
    start, left, first
        By node, where its points begin, how many are left, and the least row among these.
    lo, hi
        By node, the box around the points that are left.
    centre
        A point in the middle of all.
    radius, reach
        By point, the square of its distance from the centre; by node, the largest of them.
    """

    points: FloatArray
    rows: CountArray
    place: CountArray
    leaf: CountArray
    start: CountArray
    left: CountArray
    first: CountArray
    lo: FloatArray
    hi: FloatArray
    centre: FloatArray
    radius: FloatArray
    reach: FloatArray


@njit(cache=True, nogil=True)
def build(points: FloatArray, rows: CountArray) -> PointTree:
    """Build a tree over some rows of an array of points.

    Every node is halved at the median of the column that varies most. O(n d log n).
    """
    n, d = rows.size, points.shape[1]
    n_leaves = 1
    while n > n_leaves * LEAF:
        n_leaves *= 2
    n_nodes = 2 * n_leaves - 1
    start = np.zeros(n_nodes + 1, np.int64)
    left, first = np.zeros(n_nodes, np.int64), np.zeros(n_nodes, np.int64)
    lo, hi = np.empty((n_nodes, d)), np.empty((n_nodes, d))
    order = rows.copy()
    leaf = np.full(points.shape[0], -1, np.int64)
    place = np.full(points.shape[0], -1, np.int64)
    left[0] = n
    for node in range(n_nodes):
        a, b = start[node], start[node] + left[node]
        _bound(points, order, a, b, node, first, lo, hi)
        if node < n_leaves - 1:
            middle = (a + b) // 2
            _halve(points, order, a, b, middle, _most_varied(points, order, a, b))
            start[2 * node + 1], left[2 * node + 1] = a, middle - a
            start[2 * node + 2], left[2 * node + 2] = middle, b - middle
        else:
            for i in range(a, b):
                leaf[order[i]] = node
                place[order[i]] = i
    moved, centre = np.empty((n, d)), np.zeros(d)
    for i in range(n):
        for j in range(d):
            moved[i, j] = points[order[i], j]
            centre[j] += moved[i, j] / n
    radius, reach = np.zeros(n), np.zeros(n_nodes)
    for i in range(n):
        for j in range(d):
            radius[i] += (moved[i, j] - centre[j]) ** 2
    for node in range(n_nodes):
        for i in range(start[node], start[node] + left[node]):
            reach[node] = max(reach[node], radius[i])
    return PointTree(moved, order, place, leaf, start, left, first, lo, hi, centre, radius, reach)


@njit(cache=True, nogil=True)
def take(tree: PointTree, row: int) -> None:
    """Remove a row. O(d (LEAF + log n))."""
    node = tree.leaf[row]
    a, b = tree.start[node], tree.start[node] + tree.left[node]
    # The last point of the leaf fills the gap, so the points left stay contiguous.
    hole, last = tree.place[row], b - 1
    for j in range(tree.points.shape[1]):
        tree.points[hole, j] = tree.points[last, j]
    tree.rows[hole], tree.radius[hole] = tree.rows[last], tree.radius[last]
    tree.place[tree.rows[hole]] = hole
    tree.place[row] = -1
    tree.left[node] -= 1
    _bound_leaf(tree, node, a, last)
    while node > 0:
        node = (node - 1) // 2
        tree.left[node] -= 1
        _join(tree, node)


@njit(cache=True, nogil=True)
def nearest(
    tree: PointTree, at: FloatArray, k: int, rows: CountArray, apart: FloatArray
) -> tuple[int, int]:
    """Find the ``k`` rows that are nearest to a point, and the squares of their distances.

    They are written to the beginning of ``rows`` and ``apart``, as a heap with the farthest on top.
    Returns how many there are, fewer than ``k`` only if no more are left, and how many distances
    were computed.
    """
    stack, bounds = np.empty(128, np.int64), np.empty(128)
    stack[0], bounds[0], depth = 0, 0.0, 1
    n, seen, d = 0, 0, at.size
    n_inner = tree.left.size // 2
    while depth > 0:
        depth -= 1
        node, bound = stack[depth], bounds[depth]
        if tree.left[node] == 0:
            continue
        # A node is skipped if everything in it is farther than the worst of the k found, or equally
        # far with a larger row.
        if n == k and (bound > apart[0] or (bound == apart[0] and tree.first[node] > rows[0])):
            continue
        if node < n_inner:
            one, other = 2 * node + 1, 2 * node + 2
            near, far = _least(tree, one, at), _least(tree, other, at)
            if near > far or (near == far and tree.first[one] > tree.first[other]):
                one, other, near, far = other, one, far, near
            stack[depth], bounds[depth] = other, far
            stack[depth + 1], bounds[depth + 1] = one, near
            depth += 2
            continue
        for i in range(tree.start[node], tree.start[node] + tree.left[node]):
            gap = 0.0
            for j in range(d):
                gap += (tree.points[i, j] - at[j]) ** 2
            seen += 1
            row = tree.rows[i]
            if n < k:
                _push(rows, apart, n, row, gap)
                n += 1
            elif gap < apart[0] or (gap == apart[0] and row < rows[0]):
                _replace(rows, apart, n, row, gap)
    return n, seen


@njit(cache=True, nogil=True)
def farthest(tree: PointTree, at: FloatArray) -> tuple[int, int]:
    """Find the row that is farthest from a point; also return how many distances were computed."""
    stack, bounds = np.empty(128, np.int64), np.empty(128)
    stack[0], bounds[0], depth = 0, np.inf, 1
    best, found, seen = -1.0, -1, 0
    n_inner = tree.left.size // 2
    while depth > 0:
        depth -= 1
        node, bound = stack[depth], bounds[depth]
        if tree.left[node] == 0:
            continue
        if bound < best or (bound == best and tree.first[node] > found):
            continue
        if node < n_inner:
            one, other = 2 * node + 1, 2 * node + 2
            near, far = _most(tree, one, at), _most(tree, other, at)
            if near < far or (near == far and tree.first[one] > tree.first[other]):
                one, other, near, far = other, one, far, near
            stack[depth], bounds[depth] = other, far
            stack[depth + 1], bounds[depth + 1] = one, near
            depth += 2
            continue
        for i in range(tree.start[node], tree.start[node] + tree.left[node]):
            gap = 0.0
            for j in range(at.size):
                gap += (tree.points[i, j] - at[j]) ** 2
            seen += 1
            if gap > best or (gap == best and tree.rows[i] < found):
                best, found = gap, tree.rows[i]
    return found, seen


@njit(cache=True, nogil=True)
def find_within(tree: PointTree, at: FloatArray, limit: float, found: CountArray) -> int:
    """Find all rows whose squared distance from a point is at most ``limit``.

    They are written to the beginning of ``found``; returns how many there are.
    """
    stack = np.empty(128, np.int64)
    stack[0], depth, n = 0, 1, 0
    n_inner = tree.left.size // 2
    while depth > 0:
        depth -= 1
        node = stack[depth]
        if tree.left[node] == 0 or _least(tree, node, at) > limit:
            continue
        if node < n_inner:
            stack[depth], stack[depth + 1] = 2 * node + 1, 2 * node + 2
            depth += 2
            continue
        for i in range(tree.start[node], tree.start[node] + tree.left[node]):
            gap = 0.0
            for j in range(at.size):
                gap += (tree.points[i, j] - at[j]) ** 2
            if gap <= limit:
                found[n] = tree.rows[i]
                n += 1
    return n


@njit(cache=True, nogil=True)
def _least(tree: PointTree, node: int, at: FloatArray) -> float:
    """Bound from below the squared distance of the points of a node."""
    gap = 0.0
    for j in range(at.size):
        off = max(tree.lo[node, j] - at[j], at[j] - tree.hi[node, j])
        gap += max(off, 0.0) ** 2
    return gap


@njit(cache=True, nogil=True)
def _most(tree: PointTree, node: int, at: FloatArray) -> float:
    """Bound from above the squared distance of the points of a node.

    By the corner of its box, or by |x - q|^2 = |x - c|^2 - 2 (x - c)(q - c) + |q - c|^2: the first
    term is at most the reach of the node, and the second is largest at a corner. A corner may lie
    far outside of a round cloud, and the reach does not.
    """
    corner, product, own, large = 0.0, 0.0, 0.0, 0.0
    for j in range(at.size):
        lo, hi, centre = tree.lo[node, j], tree.hi[node, j], tree.centre[j]
        corner += max((lo - at[j]) ** 2, (hi - at[j]) ** 2)
        off = at[j] - centre
        one, other = (lo - centre) * off, (hi - centre) * off
        product += min(one, other)
        large += max(abs(one), abs(other))
        own += off * off
    reach = float(tree.reach[node])
    turned = reach - 2.0 * product + own
    # Both bounds are valid, so the smaller one is. The second gets a margin for rounding.
    return min(corner, turned + _SLACK * (reach + 2.0 * large + own))


@njit(cache=True, nogil=True)
def _bound(
    points: FloatArray,
    order: CountArray,
    a: int,
    b: int,
    node: int,
    first: CountArray,
    lo: FloatArray,
    hi: FloatArray,
) -> None:
    first[node] = order[a] if a < b else -1
    lo[node], hi[node] = np.inf, -np.inf
    for i in range(a, b):
        first[node] = min(first[node], order[i])
        for j in range(points.shape[1]):
            lo[node, j] = min(lo[node, j], points[order[i], j])
            hi[node, j] = max(hi[node, j], points[order[i], j])


@njit(cache=True, nogil=True)
def _bound_leaf(tree: PointTree, node: int, a: int, b: int) -> None:
    tree.first[node] = tree.rows[a]
    tree.lo[node], tree.hi[node] = np.inf, -np.inf
    tree.reach[node] = 0.0
    for i in range(a, b):
        tree.first[node] = min(tree.first[node], tree.rows[i])
        tree.reach[node] = max(tree.reach[node], tree.radius[i])
        for j in range(tree.points.shape[1]):
            tree.lo[node, j] = min(tree.lo[node, j], tree.points[i, j])
            tree.hi[node, j] = max(tree.hi[node, j], tree.points[i, j])


@njit(cache=True, nogil=True)
def _join(tree: PointTree, node: int) -> None:
    """Compute the box around those of the two child nodes that have points left."""
    one, other = 2 * node + 1, 2 * node + 2
    if tree.left[one] == 0:
        one = other
    if tree.left[other] == 0:
        other = one
    tree.first[node] = min(tree.first[one], tree.first[other])
    tree.reach[node] = max(tree.reach[one], tree.reach[other])
    for j in range(tree.points.shape[1]):
        tree.lo[node, j] = min(tree.lo[one, j], tree.lo[other, j])
        tree.hi[node, j] = max(tree.hi[one, j], tree.hi[other, j])


@njit(cache=True, nogil=True)
def _most_varied(points: FloatArray, order: CountArray, a: int, b: int) -> int:
    """Find the column of the largest variance: a rare category makes a column wide, not varied."""
    best, found = -1.0, 0
    for j in range(points.shape[1]):
        first, total, squares = points[order[a], j] if a < b else 0.0, 0.0, 0.0
        for i in range(a, b):
            # Differences from the first point keep the sums of squares accurate far from zero.
            off = points[order[i], j] - first
            total += off
            squares += off * off
        variance = squares - total * total / max(b - a, 1)
        if variance > best:
            best, found = variance, j
    return found


@njit(cache=True, nogil=True)
def _halve(points: FloatArray, order: CountArray, a: int, b: int, middle: int, j: int) -> None:
    """Move the rows that come first on a column, equal ones by their number, before the middle."""
    low, high = a, b - 1
    while low < high:
        pivot = order[(low + high) // 2]
        value = points[pivot, j]
        i, last = low, high
        while i <= last:
            while points[order[i], j] < value or (
                points[order[i], j] == value and order[i] < pivot
            ):
                i += 1
            while points[order[last], j] > value or (
                points[order[last], j] == value and order[last] > pivot
            ):
                last -= 1
            if i <= last:
                order[i], order[last] = order[last], order[i]
                i += 1
                last -= 1
        # Only the side that contains the middle is partitioned further (quickselect).
        if middle <= last:
            high = last
        elif middle >= i:
            low = i
        else:
            return


@njit(cache=True, nogil=True)
def _push(rows: CountArray, apart: FloatArray, n: int, row: int, gap: float) -> None:
    """Add an item to a heap of ``n`` with the farthest on top, of equal ones the largest row."""
    i = n
    while i > 0:
        up = (i - 1) // 2
        if apart[up] > gap or (apart[up] == gap and rows[up] > row):
            break
        rows[i], apart[i] = rows[up], apart[up]
        i = up
    rows[i], apart[i] = row, gap


@njit(cache=True, nogil=True)
def _replace(rows: CountArray, apart: FloatArray, n: int, row: int, gap: float) -> None:
    """Put an item in place of the top of a heap."""
    i = 0
    while 2 * i + 1 < n:
        c = 2 * i + 1
        if c + 1 < n and (
            apart[c + 1] > apart[c] or (apart[c + 1] == apart[c] and rows[c + 1] > rows[c])
        ):
            c += 1
        if gap > apart[c] or (gap == apart[c] and row > rows[c]):
            break
        rows[i], apart[i] = rows[c], apart[c]
        i = c
    rows[i], apart[i] = row, gap
