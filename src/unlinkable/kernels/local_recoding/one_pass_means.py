"""One-pass k-means: clusters over rows of numbers and categories.

A cluster is known by its centroid: the mean of its numbers, and on categories the smallest range of
codes around its rows, whose price measures its width (looked up as in
`unlinkable.kernels.local_recoding.greedy_clusters`). The distance of a row from a centroid is a
sum over the columns: ``scale`` times the difference of numbers, and the price
of the range extended to the row. A missing number has distance 0 from a cluster in which it is
always missing, and ``scale`` from others; a cluster in which it is sometimes missing has distance
``scale`` from all.

Clusters stand in the order of the rows that they began with; ``place`` is for every row the cluster
before which it stands. Rows are compared with the nearest ``reach`` clusters on either side.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from unlinkable.kernels.local_recoding.greedy_clusters import price_of
from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["MISSING", "Points", "Priced", "adjust", "assign"]


class Points(NamedTuple):
    """Rows: their numbers from 0 to 1, the weight of each column, category codes, and sizes."""

    numbers: FloatArray
    scale: FloatArray
    codes: CodeArray
    sizes: CountArray


class Priced(NamedTuple):
    """Prices of ranges of categories."""

    bins: CodeArray
    table: FloatArray
    plan: CountArray


class _Centroids(NamedTuple):
    """Means of numbers, or a marker instead; ranges of codes; and sizes."""

    means: FloatArray
    lo: CodeArray
    hi: CodeArray
    sizes: CountArray


MISSING = -1.0
"""Stands for a number that is missing."""

_EMPTY = -2.0
_MIXED = -3.0


def assign(
    points: Points,
    priced: Priced,
    seeds: CountArray,
    order: CountArray,
    place: CountArray,
    reach: int,
) -> tuple[CodeArray, int]:
    """Begin a cluster with every seed, and assign all other rows to the closest, in their order.

    The centroid moves with every row. Of equally close clusters the first is taken. O(n r d) for
    reach r. Also returns how many pairs were compared.
    """
    labels = np.full(points.sizes.size, -1, np.int32)
    labels[seeds] = np.arange(seeds.size, dtype=np.int32)
    centroids = _centroids(points, labels, seeds.size)
    compared = _assign(points, priced, centroids, labels, order, place, reach)
    return labels, compared


def adjust(
    points: Points,
    priced: Priced,
    labels: CodeArray,
    n_clusters: int,
    place: CountArray,
    k: int,
    reach: int,
) -> tuple[CodeArray, CountArray, int]:
    """Take the farthest rows from clusters with more than k records, and give them to others.

    From each cluster, the farthest from its centroid goes first, as long as k records stay; the
    centroid stays where it is meanwhile. Then each goes to the closest cluster of fewer than k
    records, or if there is none to the closest one. Centroids are recomputed before, and move with
    every row. Returns the labels, the rows that were taken in that order, and how many pairs were
    compared. O(n log n + m r d) for m rows that are taken.
    """
    labels = labels.copy()
    taken = _take(points, priced, _centroids(points, labels, n_clusters), labels, k)
    centroids = _centroids(points, labels, n_clusters)
    compared = _give(points, priced, centroids, labels, taken, place, k, reach)
    return labels, taken, compared


@njit(cache=True, nogil=True)
def _centroids(points: Points, labels: CodeArray, n: int) -> _Centroids:
    n_numbers, n_codes = points.numbers.shape[1], points.codes.shape[1]
    means = np.full((n, n_numbers), _EMPTY)
    lo = np.full((n, n_codes), np.iinfo(np.int32).max, np.int32)
    hi = np.full((n, n_codes), -1, np.int32)
    centroids = _Centroids(means, lo, hi, np.zeros(n, np.int64))
    for row in range(labels.size):
        if labels[row] >= 0:
            _add(points, centroids, row, labels[row])
    return centroids


@njit(cache=True, nogil=True)
def _add(points: Points, centroids: _Centroids, row: int, g: int) -> None:
    size = points.sizes[row]
    centroids.sizes[g] += size
    for j in range(points.numbers.shape[1]):
        number, mean = points.numbers[row, j], centroids.means[g, j]
        if mean == _EMPTY:
            centroids.means[g, j] = number
        elif mean != number:
            # Markers are negative and numbers are not: a cluster that mixes both has no mean any
            # more.
            if mean < 0 or number < 0:
                centroids.means[g, j] = _MIXED
            else:
                share = size / max(centroids.sizes[g], 1)
                centroids.means[g, j] += share * (number - mean)
    for j in range(points.codes.shape[1]):
        code = points.codes[row, j]
        centroids.lo[g, j] = min(centroids.lo[g, j], code)
        centroids.hi[g, j] = max(centroids.hi[g, j], code)


@njit(cache=True, nogil=True, inline="always")
def _distance(
    numbers: FloatArray,
    scale: FloatArray,
    codes: CodeArray,
    means: FloatArray,
    lo: CodeArray,
    hi: CodeArray,
    bins: CodeArray,
    table: FloatArray,
    plan: CountArray,
    row: int,
    g: int,
    most: float,
) -> float:
    """Compute the distance of a row from a cluster, or any number above ``most`` if it is more."""
    far = 0.0
    for j in range(scale.size):
        number, mean = numbers[row, j], means[g, j]
        if number != mean:
            far += scale[j] * (abs(number - mean) if number >= 0 and mean >= 0 else 1.0)
    for j in range(codes.shape[1]):
        if far > most:
            break
        code = codes[row, j]
        far += price_of(min(lo[g, j], code), max(hi[g, j], code), j, bins, table, plan)
    return far


@njit(cache=True, nogil=True)
def _assign(
    points: Points,
    priced: Priced,
    centroids: _Centroids,
    labels: CodeArray,
    order: CountArray,
    place: CountArray,
    reach: int,
) -> int:
    is_free = np.ones(centroids.sizes.size + 2, np.bool_)
    before, after = _ways(is_free)
    compared = 0
    for row in order:
        if labels[row] < 0:
            labels[row], n = _closest(
                points, priced, centroids, row, place[row], reach, before, after
            )
            compared += n
            _add(points, centroids, row, labels[row])
    return compared


@njit(cache=True, nogil=True)
def _closest(
    points: Points,
    priced: Priced,
    centroids: _Centroids,
    row: int,
    place: int,
    reach: int,
    before: CountArray,
    after: CountArray,
) -> tuple[int, int]:
    """Find the closest of the free clusters, searching in both directions from a position."""
    numbers, scale, codes = points.numbers, points.scale, points.codes
    means, lo, hi = centroids.means, centroids.lo, centroids.hi
    bins, table, plan = priced.bins, priced.table, priced.plan
    best, found, compared, last = np.inf, -1, 0, after.size - 1
    low, high = _find(before, place), _find(after, place + 1)
    for step in range(2 * reach):
        if low == 0 and high == last:
            break
        # Both directions take turns; a direction that has ended leaves its turns unused.
        if step % 2 == 0:
            if low == 0:
                continue
            g = low - 1
            low = _find(before, g)
        else:
            if high == last:
                continue
            g = high - 1
            high = _find(after, high + 1)
        compared += 1
        far = _distance(numbers, scale, codes, means, lo, hi, bins, table, plan, row, g, best)
        if far < best or (far == best and g < found):
            best, found = far, g
    return found, compared


@njit(cache=True, nogil=True)
def _ways(is_free: BoolArray) -> tuple[CountArray, CountArray]:
    """Find for every position the nearest free one before and after it, itself if it is free.

    Cluster g has position g + 1; the first and the last position are sentinels, and always free.
    """
    n = is_free.size
    before, after = np.arange(n), np.arange(n)
    for i in range(1, n):
        if not is_free[i]:
            before[i] = before[i - 1]
    for i in range(n - 2, -1, -1):
        if not is_free[i]:
            after[i] = after[i + 1]
    return before, after


@njit(cache=True, nogil=True)
def _find(way: CountArray, at: int) -> int:
    """Follow pointers to their end, and shorten the path, as in a union-find structure."""
    end = at
    while way[end] != end:
        end = way[end]
    while way[at] != end:
        way[at], at = end, way[at]
    return end


@njit(cache=True, nogil=True)
def _take(
    points: Points, priced: Priced, centroids: _Centroids, labels: CodeArray, k: int
) -> CountArray:
    """Take the farthest rows of large clusters out; return them in that order."""
    n = labels.size
    far = np.zeros(n)
    for row in range(n):
        far[row] = _distance(
            points.numbers,
            points.scale,
            points.codes,
            centroids.means,
            centroids.lo,
            centroids.hi,
            priced.bins,
            priced.table,
            priced.plan,
            row,
            labels[row],
            np.inf,
        )
    # Two stable sorts: by cluster, and within a cluster the farthest first.
    by_distance = np.argsort(-far, kind="mergesort")
    by_cluster = by_distance[np.argsort(labels[by_distance], kind="mergesort")]
    taken = np.empty(n, np.int64)
    n_taken, last, is_done = 0, -1, False
    for row in by_cluster:
        g = labels[row]
        if g != last:
            last, is_done = g, False
        left = centroids.sizes[g] - points.sizes[row]
        # The first row that cannot leave ends its cluster: a nearer one does not go before it.
        if is_done or left < k:
            is_done = True
            continue
        centroids.sizes[g] = left
        labels[row] = -1
        taken[n_taken] = row
        n_taken += 1
    return taken[:n_taken].copy()


@njit(cache=True, nogil=True)
def _give(
    points: Points,
    priced: Priced,
    centroids: _Centroids,
    labels: CodeArray,
    taken: CountArray,
    place: CountArray,
    k: int,
    reach: int,
) -> int:
    n = centroids.sizes.size
    is_free = np.ones(n + 2, np.bool_)
    before, after = _ways(is_free)
    for g in range(n):
        is_free[g + 1] = centroids.sizes[g] < k
    small_before, small_after = _ways(is_free)
    compared = 0
    for row in taken:
        g, n_small = _closest(
            points, priced, centroids, row, place[row], reach, small_before, small_after
        )
        n_all = 0
        if g < 0:
            g, n_all = _closest(points, priced, centroids, row, place[row], reach, before, after)
        compared += n_small + n_all
        labels[row] = g
        _add(points, centroids, row, g)
        if centroids.sizes[g] >= k and small_before[g + 1] == g + 1:
            # A cluster that has reached k records is no longer small: its pointers lead to its
            # neighbours.
            small_before[g + 1], small_after[g + 1] = g, g + 2
    return compared
