"""Condensation of a stream: groups known by their statistics alone, which split at 2k records.

A group is its number of records, their mean, and the sum of products of their differences from it:
the same as count, sums and sums of products, but no digits are lost far from zero.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from unlinkable.kernels.clustering.point_tree import build
from unlinkable.typing import CountArray, FloatArray

__all__ = ["condense", "split_group"]

_FEW = 32
"""Up to this many points are compared with all groups: an index would cost more."""

_TURNS = 30
"""Rounds of rotations after which a matrix is as diagonal as it gets."""


class _Index(NamedTuple):
    """Boxes around the means of groups: below node ``i``, 2i+1 and 2i+2; lists in the leaves."""

    lo: FloatArray
    hi: FloatArray
    head: CountArray
    after: CountArray
    leaf: CountArray


@njit(cache=True, nogil=True)
def condense(
    points: FloatArray,
    k: int,
    n_groups: int,
    sizes: CountArray,
    means: FloatArray,
    scatter: FloatArray,
) -> int:
    """Add points, in their order, to the groups with the nearest means; split groups of 2k.

    There must be room for as many groups as k goes into all records so far and these points, and
    for one. The nearest mean is found through boxes around the means, which grow as these move and
    are rebuilt when there are an eighth more groups. Of equally near means the first is taken.

    Returns the number of groups.
    """
    at = 0
    if n_groups == 0 and points.shape[0] > 0:
        sizes[0], means[0], scatter[0] = 1, points[0], 0.0
        n_groups, at = 1, 1
    has_index = points.shape[0] > _FEW
    room, n_indexed = sizes.size if has_index else 1, n_groups
    index = _index(means, n_groups if has_index else 1, room)
    for i in range(at, points.shape[0]):
        # Boxes only grow between rebuilds, so they stay valid but become less selective.
        if has_index and n_groups > n_indexed + n_indexed // 8:
            index, n_indexed = _index(means, n_groups, room), n_groups
        point = points[i]
        g = _nearest(index, means, point) if has_index else _scan(means, n_groups, point)
        _add(sizes, means, scatter, g, point)
        if sizes[g] == 2 * k:
            split_group(sizes, means, scatter, g, n_groups)
            # The new group starts in the leaf of the old one, whose boxes are widened for both
            # means.
            if has_index:
                index.after[n_groups] = index.head[index.leaf[g]]
                index.head[index.leaf[g]] = n_groups
                index.leaf[n_groups] = index.leaf[g]
                _widen(index, means[n_groups], index.leaf[g])
            n_groups += 1
        if has_index:
            _widen(index, means[g], index.leaf[g])
    return n_groups


@njit(cache=True, nogil=True)
def split_group(
    sizes: CountArray, means: FloatArray, scatter: FloatArray, g: int, other: int
) -> None:
    """Split a group of 2k records in two of k along the direction in which it is longest.

    Records are taken as spread evenly over the length R = sqrt(12 lambda) of that direction e. The
    means become m + (R/4) e and m - (R/4) e; along e the variance lambda becomes lambda/4, and in
    all other directions it stays. Taken together the two have the mean and covariance of the one.
    """
    half, d = sizes[g] // 2, means.shape[1]
    value, vector = _principal(scatter[g] / sizes[g])
    step = np.sqrt(12.0 * value) / 4.0
    for i in range(d):
        for j in range(d):
            # The means move by R/4 = sqrt(12 lambda)/4, whose square is 3/4 lambda. That part of
            # the variance is now between the two groups and is taken out of each.
            product = scatter[g, i, j] / 2.0 - half * 0.75 * value * (vector[i] * vector[j])
            scatter[g, i, j] = scatter[other, i, j] = product
    for j in range(d):
        means[other, j] = means[g, j] - step * vector[j]
        means[g, j] += step * vector[j]
    sizes[g] = sizes[other] = half


@njit(cache=True, nogil=True)
def _add(
    sizes: CountArray, means: FloatArray, scatter: FloatArray, g: int, point: FloatArray
) -> None:
    d = point.size
    sizes[g] += 1
    share = (sizes[g] - 1) / sizes[g]
    for i in range(d):
        # The update of Welford: one factor uses the old mean, the other the new one.
        off = (point[i] - means[g, i]) * share
        for j in range(d):
            scatter[g, i, j] += off * (point[j] - means[g, j])
    for j in range(d):
        means[g, j] += (point[j] - means[g, j]) / sizes[g]


@njit(cache=True, nogil=True)
def _index(means: FloatArray, n_groups: int, room: int) -> _Index:
    tree = build(means[:n_groups], np.arange(n_groups))
    head, after = np.full(tree.left.size, -1, np.int64), np.full(room, -1, np.int64)
    leaf = np.full(room, -1, np.int64)
    for g in range(n_groups):
        leaf[g] = tree.leaf[g]
        after[g] = head[leaf[g]]
        head[leaf[g]] = g
    return _Index(tree.lo, tree.hi, head, after, leaf)


@njit(cache=True, nogil=True)
def _widen(index: _Index, mean: FloatArray, node: int) -> None:
    """Make boxes contain a mean, from a leaf up to the first that contains it already."""
    while True:
        is_wider = False
        for j in range(mean.size):
            if mean[j] < index.lo[node, j]:
                index.lo[node, j] = mean[j]
                is_wider = True
            if mean[j] > index.hi[node, j]:
                index.hi[node, j] = mean[j]
                is_wider = True
        if not is_wider or node == 0:
            return
        node = (node - 1) // 2


@njit(cache=True, nogil=True)
def _nearest(index: _Index, means: FloatArray, point: FloatArray) -> int:
    stack, bounds = np.empty(128, np.int64), np.empty(128)
    stack[0], bounds[0], depth = 0, 0.0, 1
    best, found = np.inf, -1
    n_inner = index.head.size // 2
    while depth > 0:
        depth -= 1
        node = stack[depth]
        # Equal bounds are searched as well: an equally near mean with a smaller number may be
        # there.
        if bounds[depth] > best:
            continue
        if node < n_inner:
            one, other = 2 * node + 1, 2 * node + 2
            near, far = _least(index, one, point), _least(index, other, point)
            if near > far:
                one, other, near, far = other, one, far, near
            stack[depth], bounds[depth] = other, far
            stack[depth + 1], bounds[depth + 1] = one, near
            depth += 2
            continue
        g = index.head[node]
        while g >= 0:
            gap = _gap(means, g, point)
            if gap < best or (gap == best and g < found):
                best, found = gap, g
            g = index.after[g]
    return found


@njit(cache=True, nogil=True)
def _scan(means: FloatArray, n_groups: int, point: FloatArray) -> int:
    best, found = np.inf, -1
    for g in range(n_groups):
        gap = _gap(means, g, point)
        if gap < best:
            best, found = gap, g
    return found


@njit(cache=True, nogil=True)
def _gap(means: FloatArray, g: int, point: FloatArray) -> float:
    gap = 0.0
    for j in range(point.size):
        gap += (means[g, j] - point[j]) ** 2
    return gap


@njit(cache=True, nogil=True)
def _least(index: _Index, node: int, point: FloatArray) -> float:
    """Bound the squared distance of the means of a node from below, rounded as they are."""
    gap = 0.0
    for j in range(point.size):
        off = max(index.lo[node, j] - point[j], point[j] - index.hi[node, j])
        gap += max(off, 0.0) ** 2
    return gap


@njit(cache=True, nogil=True)
def _principal(matrix: FloatArray) -> tuple[float, FloatArray]:
    """Find the largest eigenvalue of a symmetric matrix, and its direction, by Jacobi rotations.

    The largest component of the direction is positive.
    """
    d = matrix.shape[0]
    turned, vectors = matrix.copy(), np.eye(d)
    for _ in range(_TURNS):
        off, on = 0.0, 0.0
        for p in range(d):
            on += turned[p, p] ** 2
            for q in range(p + 1, d):
                off += turned[p, q] ** 2
        if off <= 1e-32 * on:
            break
        for p in range(d):
            for q in range(p + 1, d):
                _turn(turned, vectors, p, q)
    best = 0
    for p in range(d):
        if turned[p, p] > turned[best, best]:
            best = p
    vector, largest = vectors[:, best].copy(), 0.0
    for j in range(d):
        if abs(vector[j]) > abs(largest):
            largest = vector[j]
    return max(turned[best, best], 0.0), vector if largest > 0 else -vector


@njit(cache=True, nogil=True)
def _turn(matrix: FloatArray, vectors: FloatArray, p: int, q: int) -> None:
    """Rotate the plane of two axes so that the matrix is diagonal there."""
    if matrix[p, q] == 0.0:
        return
    theta = (matrix[q, q] - matrix[p, p]) / (2.0 * matrix[p, q])
    # The smaller of the two possible rotations, which keeps the method stable.
    t = 1.0 / (abs(theta) + np.sqrt(theta * theta + 1.0))
    if theta < 0:
        t = -t
    c = 1.0 / np.sqrt(t * t + 1.0)
    s = t * c
    for i in range(matrix.shape[0]):
        one, other = matrix[i, p], matrix[i, q]
        matrix[i, p], matrix[i, q] = c * one - s * other, s * one + c * other
    for i in range(matrix.shape[0]):
        one, other = matrix[p, i], matrix[q, i]
        matrix[p, i], matrix[q, i] = c * one - s * other, s * one + c * other
        one, other = vectors[i, p], vectors[i, q]
        vectors[i, p], vectors[i, q] = c * one - s * other, s * one + c * other
