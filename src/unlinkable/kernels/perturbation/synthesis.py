"""Synthesis trees: records are sorted into leaves within which a value varies little.

A tree is four arrays over its nodes: the predictor of the split (-1 in a leaf), the last bin that
goes to the left, the left child (the right one is next to it), and where its records begin. The
twin of every function is in ``tests/kernels/trees_by_definition.py``.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["find_leaves", "grow_tree"]

_DEEPEST = 40
"""No leaf lies deeper: trees that only ever split off a few records would take too long."""


@njit(cache=True, nogil=True)
def grow_tree(
    bins: NDArray[np.uint8],
    classes: CodeArray,
    scores: FloatArray,
    n_classes: int,
    leaf: int,
) -> tuple[CodeArray, CodeArray, CodeArray, CountArray, CountArray]:
    """Split records as long as that makes the value more uniform and leaves stay large enough.

    The best split makes the sum of squared class counts over the size (Gini), or with 0 classes the
    square of the sum of scores over the size (variance), the greatest on both sides together; the
    first predictor and the lowest bin win ties. O(depth n p) for p predictors.

    Parameters
    ----------
    bins
        A row for each predictor, a column for each record; below 256.
    classes, n_classes
        The class of each record; 0 classes if it is a number.
    scores
        The number of each record; not used if there are classes.
    leaf
        The least number of records in a leaf.

    Returns
    -------
        Predictor, cut and left child of each node, the records in the order of the nodes, and where
        each node begins and ends.
    """
    n_predictors, n = bins.shape
    # A tree with at most n / leaf leaves has fewer than twice as many nodes.
    most = 2 * (n // leaf) + 3
    column, cut = np.full(most, -1, np.int32), np.zeros(most, np.int32)
    left, depth = np.zeros(most, np.int32), np.zeros(most, np.int32)
    ends = np.zeros((most, 2), np.int64)
    ends[0, 1] = n
    rows = np.arange(n)
    scratch = np.empty(n, np.int64)
    before, after = np.zeros(max(n_classes, 1), np.int64), np.zeros(max(n_classes, 1), np.int64)
    n_nodes, node = 1, 0
    while node < n_nodes:
        first, end = ends[node]
        best = _score(rows[first:end], classes, scores, n_classes, after)
        # A split must beat the node by more than rounding, or equal values would be split for ever.
        best += 1e-9 * abs(best) + 1e-12
        for p in range(n_predictors if end - first >= 2 * leaf and depth[node] < _DEEPEST else 0):
            _sort_by_bin(rows, scratch, first, end, bins[p])
            found, at = _best_cut(
                scratch[first:end], bins[p], classes, scores, n_classes, leaf, before, after
            )
            if found > best:
                best, column[node], cut[node] = found, p, at
        if column[node] >= 0:
            chosen = bins[column[node]]
            middle, high = first, 0
            for i in range(first, end):
                if chosen[rows[i]] <= cut[node]:
                    rows[middle] = rows[i]
                    middle += 1
                else:
                    scratch[high] = rows[i]
                    high += 1
            # The records on each side keep their order, so the result does not depend on the sort
            # above.
            rows[middle:end] = scratch[:high]
            left[node] = n_nodes
            ends[n_nodes, 0], ends[n_nodes, 1] = first, middle
            ends[n_nodes + 1, 0], ends[n_nodes + 1, 1] = middle, end
            depth[n_nodes : n_nodes + 2] = depth[node] + 1
            n_nodes += 2
        node += 1
    return (
        column[:n_nodes].copy(),
        cut[:n_nodes].copy(),
        left[:n_nodes].copy(),
        rows,
        ends[:n_nodes].copy(),
    )


@njit(cache=True, nogil=True)
def find_leaves(
    bins: NDArray[np.uint8], column: CodeArray, cut: CodeArray, left: CodeArray
) -> CodeArray:
    """Find the leaf of each record. O(depth n)."""
    n = bins.shape[1]
    leaves = np.zeros(n, np.int32)
    for i in range(n):
        node = 0
        while column[node] >= 0:
            node = left[node] + (bins[column[node], i] > cut[node])
        leaves[i] = node
    return leaves


@njit(cache=True, nogil=True)
def _score(
    rows: CountArray, classes: CodeArray, scores: FloatArray, n_classes: int, counts: CountArray
) -> float:
    """Compute how uniform a node is."""
    if n_classes == 0:
        total = 0.0
        for i in rows:
            total += scores[i]
        return total * total / rows.size
    counts[:] = 0
    for i in rows:
        counts[classes[i]] += 1
    return float((counts * counts).sum()) / rows.size


@njit(cache=True, nogil=True)
def _sort_by_bin(
    rows: CountArray, out: CountArray, first: int, end: int, bins: NDArray[np.uint8]
) -> None:
    """Put the records of a node in the order of their bins: a counting sort."""
    starts = np.zeros(257, np.int64)
    for i in range(first, end):
        starts[int(bins[rows[i]]) + 1] += 1
    for b in range(256):
        starts[b + 1] += starts[b]
    for i in range(first, end):
        b = int(bins[rows[i]])
        out[first + starts[b]] = rows[i]
        starts[b] += 1


@njit(cache=True, nogil=True)
def _best_cut(
    rows: CountArray,
    bins: NDArray[np.uint8],
    classes: CodeArray,
    scores: FloatArray,
    n_classes: int,
    leaf: int,
    before: CountArray,
    after: CountArray,
) -> tuple[float, int]:
    """Find the bin after which sorted records are best cut; -1 as the score if there is none."""
    best, at = -1.0, -1
    n, squares, others = rows.size, 0, 0
    total, part = 0.0, 0.0
    if n_classes == 0:
        for i in rows:
            total += scores[i]
    else:
        before[:] = 0
        after[:] = 0
        for i in rows:
            after[classes[i]] += 1
        for c in range(n_classes):
            others += after[c] * after[c]
    # The last ``leaf`` records always stay on the right, so that side is never too small.
    for j in range(n - leaf):
        i = rows[j]
        if n_classes == 0:
            part += scores[i]
        else:
            c = classes[i]
            # Moving one record changes two squares: (b + 1)^2 - b^2 = 2 b + 1, and a^2 - (a - 1)^2
            # = 2 a - 1.
            squares += 2 * before[c] + 1
            others -= 2 * after[c] - 1
            before[c] += 1
            after[c] -= 1
        # Records of one bin cannot be separated.
        if j + 1 < leaf or bins[i] == bins[rows[j + 1]]:
            continue
        m = j + 1
        if n_classes == 0:
            found = part * part / m + (total - part) * (total - part) / (n - m)
        else:
            found = squares / m + others / (n - m)
        if found > best:
            best, at = found, int(bins[i])
    return best, at
