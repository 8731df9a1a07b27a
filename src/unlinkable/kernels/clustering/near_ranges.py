"""Near ranges: which generalized record is nearest to a person, and which could be theirs.

A record has on every column a range of places ``[lo, hi]``. The distance of two records on a
column is the gap between their ranges, and 1 at most; the distance is the sum over all columns.
Records whose ranges intersect everywhere have distance 0: both could be about the same person.

All queries search a tree over the records whose nodes have a box around the ranges below them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from unlinkable.kernels.clustering import point_tree
from unlinkable.typing import CountArray, FloatArray

__all__ = ["RangeTree", "build", "distances", "met_by", "sum_met"]


class RangeTree(NamedTuple):
    """Ranges in the order of the leaves, and the nodes above them: below ``i``, 2i+1 and 2i+2.

    Attributes
    ----------
    lo, hi, rows
        The ranges, and which row each of them was.
    start
        By node, where its ranges begin and end.
    n_inner
        Number of nodes that have children.
    least, most
        By node, the box around its ranges.
    """

    lo: FloatArray
    hi: FloatArray
    rows: CountArray
    start: CountArray
    n_inner: int
    least: FloatArray
    most: FloatArray


def build(lo: FloatArray, hi: FloatArray) -> RangeTree:
    """Build a tree over the rows of ranges. O(n d log n)."""
    points = np.ascontiguousarray((lo + hi) / 2)
    tree = point_tree.build(points, np.arange(len(lo)))
    lo, hi = lo[tree.rows], hi[tree.rows]
    least, most = _boxes(lo, hi, tree.start, tree.left)
    first = tree.start[: tree.left.size]
    start = np.column_stack([first, first + tree.left])
    return RangeTree(lo, hi, tree.rows, start, tree.left.size // 2, least, most)


@njit(cache=True, nogil=True)
def distances(tree: RangeTree, lo: FloatArray, hi: FloatArray) -> FloatArray:
    """Find the distance of the nearest record to each query; infinity if there is none."""
    out = np.full(lo.shape[0], np.inf)
    stack, bounds = np.empty(128, np.int64), np.empty(128)
    for q in range(lo.shape[0]):
        best = np.inf
        stack[0], bounds[0], depth = 0, 0.0, 1
        while depth > 0:
            depth -= 1
            node = stack[depth]
            # The gap to the box around a node is a lower bound for everything below it.
            if bounds[depth] >= best or tree.start[node, 0] == tree.start[node, 1]:
                continue
            if node < tree.n_inner:
                one, other = 2 * node + 1, 2 * node + 2
                near = _gap(tree.least[one], tree.most[one], lo[q], hi[q], best)
                far = _gap(tree.least[other], tree.most[other], lo[q], hi[q], best)
                # The nearer child is put on top of the stack: it is likely to lower ``best`` for
                # the other.
                if near > far:
                    one, other, near, far = other, one, far, near
                stack[depth], bounds[depth] = other, far
                stack[depth + 1], bounds[depth + 1] = one, near
                depth += 2
                continue
            for i in range(tree.start[node, 0], tree.start[node, 1]):
                best = min(best, _gap(tree.lo[i], tree.hi[i], lo[q], hi[q], best))
        out[q] = best
    return out


@njit(cache=True, nogil=True)
def met_by(tree: RangeTree, lo: FloatArray, hi: FloatArray) -> CountArray:
    """Count for every record the queries that it could be about."""
    out = np.zeros(tree.rows.size, np.int64)
    stack = np.empty(128, np.int64)
    for q in range(lo.shape[0]):
        stack[0], depth = 0, 1
        while depth > 0:
            depth -= 1
            node = stack[depth]
            # If the box around a node does not intersect the query, no range below it does.
            if not _meet(tree.least[node], tree.most[node], lo[q], hi[q]):
                continue
            if node < tree.n_inner:
                stack[depth], stack[depth + 1] = 2 * node + 1, 2 * node + 2
                depth += 2
                continue
            for i in range(tree.start[node, 0], tree.start[node, 1]):
                if _meet(tree.lo[i], tree.hi[i], lo[q], hi[q]):
                    out[tree.rows[i]] += 1
    return out


@njit(cache=True, nogil=True)
def sum_met(tree: RangeTree, lo: FloatArray, hi: FloatArray, amounts: FloatArray) -> FloatArray:
    """Add up for every query the amounts of the records that could be about it."""
    out = np.zeros(lo.shape[0])
    stack = np.empty(128, np.int64)
    for q in range(lo.shape[0]):
        stack[0], depth = 0, 1
        while depth > 0:
            depth -= 1
            node = stack[depth]
            if not _meet(tree.least[node], tree.most[node], lo[q], hi[q]):
                continue
            if node < tree.n_inner:
                stack[depth], stack[depth + 1] = 2 * node + 1, 2 * node + 2
                depth += 2
                continue
            for i in range(tree.start[node, 0], tree.start[node, 1]):
                if _meet(tree.lo[i], tree.hi[i], lo[q], hi[q]):
                    out[q] += amounts[tree.rows[i]]
    return out


@njit(cache=True, nogil=True)
def _gap(lo: FloatArray, hi: FloatArray, q_lo: FloatArray, q_hi: FloatArray, most: float) -> float:
    """Add up the gaps on all columns; the sum may be cut short once it reaches ``most``."""
    gap = 0.0
    for j in range(lo.size):
        off = max(lo[j] - q_hi[j], q_lo[j] - hi[j])
        if off > 0.0:
            gap += min(off, 1.0)
            if gap >= most:
                break
    return gap


@njit(cache=True, nogil=True)
def _meet(lo: FloatArray, hi: FloatArray, q_lo: FloatArray, q_hi: FloatArray) -> bool:
    j = 0
    while j < lo.size and lo[j] <= q_hi[j] and q_lo[j] <= hi[j]:
        j += 1
    return j == lo.size


@njit(cache=True, nogil=True)
def _boxes(
    lo: FloatArray, hi: FloatArray, start: CountArray, left: CountArray
) -> tuple[FloatArray, FloatArray]:
    """Find the box around the ranges of every node. O(n d log n)."""
    least = np.full((left.size, lo.shape[1]), np.inf)
    most = np.full((left.size, lo.shape[1]), -np.inf)
    for node in range(left.size):
        for i in range(start[node], start[node] + left[node]):
            for j in range(lo.shape[1]):
                least[node, j] = min(least[node, j], lo[i, j])
                most[node, j] = max(most[node, j], hi[i, j])
    return least, most
