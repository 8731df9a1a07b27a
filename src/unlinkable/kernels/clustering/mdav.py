"""MDAV: groups are taken from the outside of a cloud of points, two at a time."""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.kernels.clustering.point_tree import PointTree, farthest, nearest, take
from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["peel"]


@njit(cache=True, nogil=True)
def peel(
    points: FloatArray,
    tree: PointTree,
    k: int,
    until: int,
    total: FloatArray,
    labels: CodeArray,
    n_groups: int,
) -> tuple[int, int]:
    """Form groups of ``k`` as long as at least ``until`` points are left, and at least 3k.

    The point farthest from the mean forms a group with its k - 1 nearest neighbours; of the points
    left, the one farthest from that point forms another. ``total`` is the sum of the points left.

    Labels the rows of each group and removes them from the tree and the sum. Returns the number of
    groups so far and of distances computed.
    """
    rows, apart = np.empty(k, np.int64), np.empty(k)
    seen = 0
    # With fewer than 3k points left, two groups of k would leave fewer than k for the last one.
    while tree.left[0] >= max(until, 3 * k):
        # ``tree.left[0]`` counts the points below the root, so this is the mean of what is left.
        row, more = farthest(tree, total / tree.left[0])
        seen += more + _gather(points, tree, row, k, total, labels, n_groups, rows, apart)
        row, more = farthest(tree, points[row])
        seen += more + _gather(points, tree, row, k, total, labels, n_groups + 1, rows, apart)
        n_groups += 2
    return n_groups, seen


@njit(cache=True, nogil=True)
def _gather(
    points: FloatArray,
    tree: PointTree,
    row: int,
    k: int,
    total: FloatArray,
    labels: CodeArray,
    label: int,
    rows: CountArray,
    apart: FloatArray,
) -> int:
    # The point itself is taken out first: it would otherwise be its own nearest neighbour.
    take(tree, row)
    labels[row] = label
    total -= points[row]
    n, seen = nearest(tree, points[row], k - 1, rows, apart)
    for i in range(n):
        take(tree, rows[i])
        labels[rows[i]] = label
        total -= points[rows[i]]
    return seen
