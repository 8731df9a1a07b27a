"""Centres: points chosen far apart from each other, and the points close to them."""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.kernels.clustering.point_tree import build, find_within, nearest, take
from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["closest_centre", "kth_nearest", "members_within", "reserve", "spread_centres"]


@njit(cache=True, nogil=True)
def kth_nearest(points: FloatArray, k: int) -> FloatArray:
    """Compute the squared distance of every point to its ``k``-th nearest, itself the first."""
    n = points.shape[0]
    tree = build(points, np.arange(n))
    rows, apart, found = np.empty(k, np.int64), np.empty(k), np.empty(n)
    for i in range(n):
        nearest(tree, points[i], k, rows, apart)
        # The farthest of the k nearest is on top of the heap.
        found[i] = apart[0]
    return found


@njit(cache=True, nogil=True)
def spread_centres(points: FloatArray, order: CountArray, limit: float) -> CountArray:
    """Choose rows in an order, each that is farther than ``limit`` (squared) from all before.

    Every row of the order is then within the limit of a chosen one.
    """
    tree = build(points, order)
    near, centres, n = np.empty(order.size, np.int64), np.empty(order.size, np.int64), 0
    for row in order:
        # Rows within the limit of a chosen one were removed from the tree, and are skipped.
        if tree.place[row] < 0:
            continue
        centres[n] = row
        n += 1
        for i in range(find_within(tree, points[row], limit, near)):
            take(tree, near[i])
    return centres[:n]


@njit(cache=True, nogil=True)
def closest_centre(points: FloatArray, centres: CountArray) -> tuple[CodeArray, FloatArray]:
    """Find for every point the closest centre, of equally close ones that of the lowest row.

    Returns its position among the centres, and the squared distance from it.
    """
    n = points.shape[0]
    where = np.full(n, -1, np.int32)
    for c in range(centres.size):
        where[centres[c]] = c
    tree = build(points, centres)
    label, gap = np.empty(n, np.int32), np.empty(n)
    rows, apart = np.empty(1, np.int64), np.empty(1)
    for i in range(n):
        nearest(tree, points[i], 1, rows, apart)
        label[i], gap[i] = where[rows[0]], apart[0]
    return label, gap


@njit(cache=True, nogil=True)
def members_within(
    points: FloatArray, centres: CountArray, limit: float, most: int
) -> tuple[CountArray, CountArray]:
    """List the rows within a squared distance of each centre, up to ``most`` of each.

    Row ``i`` of centre ``c`` is ``rows[indptr[c] + i]``. A centre that has more than ``most`` rows
    is listed with none and counted with ``most``. Returns how many each has, and the rows.
    """
    tree = build(points, np.arange(points.shape[0]))
    near = np.empty(points.shape[0], np.int64)
    n_within, total = np.empty(centres.size, np.int64), 0
    # The first pass only counts, so that the lists take no more memory than they need.
    for c in range(centres.size):
        n_within[c] = min(find_within(tree, points[centres[c]], limit, near), most)
        total += n_within[c] if n_within[c] < most else 0
    rows, at = np.empty(total, np.int64), 0
    for c in range(centres.size):
        if n_within[c] < most:
            find_within(tree, points[centres[c]], limit, near)
            for i in range(n_within[c]):
                rows[at] = near[i]
                at += 1
    return n_within, rows


@njit(cache=True, nogil=True)
def reserve(
    points: FloatArray, centres: CountArray, waiting: CountArray, r: int, label: CodeArray
) -> None:
    """Label, for centres in their order, the ``r`` nearest rows that have no label yet."""
    tree = build(points, np.flatnonzero(label < 0))
    rows, apart = np.empty(r, np.int64), np.empty(r)
    for c in waiting:
        n, _ = nearest(tree, points[centres[c]], r, rows, apart)
        for i in range(n):
            label[rows[i]] = c
            take(tree, rows[i])
