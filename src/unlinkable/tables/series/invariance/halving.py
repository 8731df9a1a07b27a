"""Halving: groups of one record for each value, as close to each other as can be."""

from __future__ import annotations

import numpy as np

from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["curve_order", "halve", "neighbours"]


def halve(
    points: CodeArray, bucket: CountArray, value: CodeArray, extent: FloatArray
) -> tuple[CountArray, int]:
    """Split buckets into groups of one entry for each value, halving them again and again.

    A bucket with n entries of every value is cut on the column that leaves the smallest ranges on
    all columns together: of each value, the first half goes to the left and the rest to the right.
    All buckets of a round are cut at once.

    Parameters
    ----------
    points
        A row for each entry.
    bucket, value
        The bucket of each entry, and its value. Every value of a bucket is there equally often.
    extent
        How far each column reaches in the whole table, which makes columns comparable.

    Returns
    -------
    tuple[CountArray, int]
        The group of each entry, and the number of rounds.

    Cost
    ----
    O(r d n (log n + d)) for n entries, d columns and r rounds: about log2 of the largest n.

    Examples
    --------
    >>> points = np.array([[1], [9], [2], [8]], np.int32)
    >>> value = np.array([0, 0, 1, 1], np.int32)
    >>> halve(points, np.zeros(4, np.int64), value, np.array([9.0]))[0].tolist()
    [0, 1, 0, 1]
    """
    node = np.unique(bucket, return_inverse=True)[1].astype(np.int64)
    rounds = 0
    while True:
        n_rows = _n_rows(node, value)
        if n_rows.max(initial=1) <= 1:
            return node, rounds
        rounds += 1
        best = np.full(n_rows.size, np.inf)
        is_right = np.zeros(node.size, bool)
        for column in points.T:
            side = _upper_half(column, node, value, n_rows)
            cost = _spread(points, 2 * node + side, extent, n_rows.size)
            better = (cost < best)[node]
            is_right[better] = side[better]
            best = np.minimum(best, cost)
        node = np.unique(2 * node + is_right, return_inverse=True)[1].astype(np.int64)


def _n_rows(node: CountArray, value: CodeArray) -> CountArray:
    """Count the entries that every value has in each bucket: as many as its first one."""
    order = np.lexsort((value, node))
    starts = np.flatnonzero(_changes(node[order], value[order]))
    runs = np.diff(np.append(starts, order.size))
    return runs[np.searchsorted(starts, np.flatnonzero(_changes(node[order])))]


def _upper_half(
    column: CodeArray, node: CountArray, value: CodeArray, n_rows: CountArray
) -> BoolArray:
    """Mark the upper half of the entries of each value of each bucket, on one column."""
    order = np.lexsort((column, value, node))
    starts = np.flatnonzero(_changes(node[order], value[order]))
    rank = np.arange(order.size) - np.repeat(starts, np.diff(np.append(starts, order.size)))
    marked = np.empty(order.size, bool)
    marked[order] = rank >= ((n_rows + 1) // 2)[node[order]]
    return marked


def _spread(points: CodeArray, half: CountArray, extent: FloatArray, n_nodes: int) -> FloatArray:
    """Add up how far the halves of each bucket reach, by the number of their entries."""
    order = np.argsort(half, kind="stable")
    heads = np.flatnonzero(_changes(half[order]))
    sizes = np.diff(np.append(heads, order.size))
    wide = np.zeros(heads.size)
    for column, reach in zip(points.T, extent.tolist(), strict=True):
        own = column[order]
        wide += (np.maximum.reduceat(own, heads) - np.minimum.reduceat(own, heads)) / max(reach, 1)
    spread = np.bincount(half[order][heads] // 2, weights=wide * sizes, minlength=n_nodes)
    return spread.astype(np.float64, copy=False)


def curve_order(points: CodeArray, extent: FloatArray) -> CountArray:
    """Give for each point its place on a curve through all of them that rarely jumps far.

    It is a Z-curve: the bits of the scaled coordinates take turns.

    Examples
    --------
    >>> points = np.array([[0, 0], [9, 9], [1, 0], [9, 8]], np.int32)
    >>> curve_order(points, np.array([9.0, 9.0])).tolist()
    [0, 3, 1, 2]
    """
    n, d = points.shape
    bits = max(1, min(16, 62 // max(d, 1)))
    code = np.zeros(n, np.int64)
    scaled = [
        (points[:, j] * ((2**bits - 1) / max(float(extent[j]), 1.0))).astype(np.int64)
        for j in range(d)
    ]
    for bit in range(bits - 1, -1, -1):
        for column in scaled:
            code = code * 2 + ((column >> bit) & 1)
    place = np.empty(n, np.int64)
    place[np.argsort(code, kind="stable")] = np.arange(n)
    return place


def neighbours(
    points: CodeArray, extent: FloatArray, near: CountArray, rng: np.random.Generator
) -> CountArray:
    """Name for each of some points one that is next to it on the curve, on either side.

    Examples
    --------
    >>> points = np.array([[0], [9], [1], [5]], np.int32)
    >>> rng = np.random.default_rng(0)
    >>> neighbours(points, np.array([9.0]), np.array([0, 1]), rng).tolist()
    [2, 3]
    """
    place = curve_order(points, extent)
    at, last = np.argsort(place), place.size - 1
    beside = place[near] + np.where(rng.random(near.size) < 0.5, 1, -1)
    beside = np.where(beside < 0, min(1, last), np.where(beside > last, last - 1, beside))
    return at[np.maximum(beside, 0)]


def _changes(*sorted_columns: CountArray | CodeArray) -> CountArray:
    """Mark where a new combination begins."""
    marks = np.zeros(sorted_columns[0].size, bool)
    for column in sorted_columns:
        marks |= np.diff(column, prepend=-1) != 0
    return marks.astype(np.int64)
