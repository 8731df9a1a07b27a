"""Earth mover's distance: the work of turning the values of groups into those of a reference.

Values come as CSR rows: ``counts[indptr[g]:indptr[g + 1]]`` are the counts of group ``g`` of
``sizes[g]`` records, and ``values`` says beside them what is counted, rising in each row. Group
``g`` is compared with row ``w = which[g]`` of ``whole``, which counts the same over ``totals[w]``
records. To stay among the integers, shares are multiplied by the sizes n of the group and N of the
reference: the excess of a value is ``count * N - whole * n``.

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
    """Add up the excess of each value in a group. O(s) for s entries.

    The group lacks as much of the other values, whether they occur in it or not. At most n * N.
    """
    out = np.zeros(sizes.size, counts.dtype)
    for g in range(sizes.size):
        there, total, n = whole[which[g]], totals[which[g]], sizes[g]
        # A zero of the type of the counts, so that the same code serves all kinds of numbers.
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
    """Add up the excess of each node in a group, over two or more levels of a taxonomy.

    ``whole[l]`` counts the nodes of level l, and ``up[l]`` leads from these to those of the next.
    The counts of a group are rolled up on the way: O(s) for s entries on all levels together. At
    most n * N for each level.
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
            # A node covers a range of codes and values rise, so the children of a node follow each
            # other.
            # Without a branch: whether the node above is a new one is a toss-up.
            is_same = up[0, node] == last
            last = up[0, node]
            # Entry 0 is never read: ``last`` is -1 at first, so the first node always opens entry
            # 1.
            k += not is_same
            so_far = c + (so_far if is_same else n * 0)
            nodes[k], held[k] = last, so_far
        for level in range(1, len(up)):
            # The list of nodes is overwritten in place: no level has more nodes than the one below
            # it.
            n_below, last, k = k, -1, 0
            for j in range(1, n_below + 1):
                node, c = nodes[j], held[j]
                over += max(c * total - whole[level, w, node] * n, n * 0)
                is_same = up[level, node] == last
                last = up[level, node]
                k += not is_same
                so_far = c + (so_far if is_same else n * 0)
                nodes[k], held[k] = last, so_far
        # The top level has nothing above it, so it is only compared.
        for j in range(1, k + 1):
            over += max(held[j] * total - whole[-1, w, nodes[j]] * n, n * 0)
        out[g] = over
    return out


surplus = njit(cache=True, nogil=True)(surplus_of_any_size)
"""`surplus_of_any_size`, compiled for 64-bit integers and floats."""

surplus_by_level = njit(cache=True, nogil=True)(surplus_by_level_of_any_size)
"""`surplus_by_level_of_any_size`, compiled for 64-bit integers and floats."""
