"""The work of turning the values of groups into those that they are compared with.

Values come as CSR rows: ``counts[indptr[g]:indptr[g + 1]]`` are the counts of group ``g`` of
``sizes[g]`` records, and ``values`` says beside them what is counted, rising in each row. Group
``g`` is compared with row ``w = which[g]`` of ``whole``, which counts the same over ``totals[w]``
records. To stay among the integers, shares are multiplied with the sizes n of the group and N of
what it is compared with: a value is carried ``count * N - whole * n`` units.

The same code runs on three kinds of numbers: 64-bit integers, floats, and, uncompiled
(the functions that end in ``_of_any_size``), Python's integers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from unlinkable.typing import CodeArray, CountArray

__all__ = [
    "surplus",
    "surplus_by_level",
    "surplus_by_level_of_any_size",
    "surplus_of_any_size",
]

Amounts = NDArray[Any]


def surplus_of_any_size(
    indptr: CountArray,
    values: CodeArray,
    counts: Amounts,
    sizes: Amounts,
    whole: Amounts,
    totals: Amounts,
    which: CodeArray,
) -> Amounts:
    """Add up what a group has too much of each value. O(s) for s entries.

    It has as much too little of the others, whether they occur in it or not. At most n * N.
    """
    out = np.zeros(sizes.size, counts.dtype)
    for g in range(sizes.size):
        there, total, n = whole[which[g]], totals[which[g]], sizes[g]
        over = n * 0
        for j in range(indptr[g], indptr[g + 1]):
            over += max(counts[j] * total - there[values[j]] * n, n * 0)
        out[g] = over
    return out


def surplus_by_level_of_any_size(
    indptr: CountArray,
    values: CodeArray,
    counts: Amounts,
    sizes: Amounts,
    up: CodeArray,
    whole: Amounts,
    totals: Amounts,
    which: CodeArray,
) -> Amounts:
    """Add up what a group has too much of each node, over two or more levels of a taxonomy.

    ``whole[l]`` counts the nodes of level l, and ``up[l]`` leads from these to those of the next. A
    group is rolled up on the way: O(s) for s entries on all levels together. At most n * N for each
    level.
    """
    n_nodes = up.shape[1]
    out = np.zeros(sizes.size, counts.dtype)
    nodes, held = np.empty(n_nodes + 1, np.int32), np.empty(n_nodes + 1, counts.dtype)
    for g in range(sizes.size):
        w, n = which[g], sizes[g]
        total = totals[w]
        over = so_far = n * 0
        last, k = -1, 0
        for j in range(indptr[g], indptr[g + 1]):
            node, c = values[j], counts[j]
            over += max(c * total - whole[0, w, node] * n, n * 0)
            # Without a branch: whether the node above is a new one is a toss-up.
            is_same = up[0, node] == last
            last = up[0, node]
            k += not is_same
            so_far = c + (so_far if is_same else n * 0)
            nodes[k], held[k] = last, so_far
        for level in range(1, len(up)):
            n_below, last, k = k, -1, 0
            for j in range(1, n_below + 1):
                node, c = nodes[j], held[j]
                over += max(c * total - whole[level, w, node] * n, n * 0)
                is_same = up[level, node] == last
                last = up[level, node]
                k += not is_same
                so_far = c + (so_far if is_same else n * 0)
                nodes[k], held[k] = last, so_far
        for j in range(1, k + 1):
            over += max(held[j] * total - whole[-1, w, nodes[j]] * n, n * 0)
        out[g] = over
    return out


surplus = njit(cache=True, nogil=True)(surplus_of_any_size)
"""`surplus_of_any_size`, compiled for 64-bit integers and floats."""

surplus_by_level = njit(cache=True, nogil=True)(surplus_by_level_of_any_size)
"""`surplus_by_level_of_any_size`, compiled for 64-bit integers and floats."""
