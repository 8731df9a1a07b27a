"""The work of turning the values of a group into those of the whole table.

Values come as CSR rows: ``counts[indptr[g]:indptr[g + 1]]`` are the counts of group ``g``, and the
array beside them says what is counted, rising in each row. ``whole`` counts the same over the
table, ``total`` records in all. To stay among the integers, shares are multiplied with the size n
of the group and with ``total``: a value is carried ``count * total - whole * n`` units.

The same code runs on three kinds of numbers: 64-bit integers, floats, and, uncompiled
(the functions that end in ``_of_any_size``), Python's integers.
"""

from __future__ import annotations

from heapq import heappush, heapreplace
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from unlinkable.typing import CodeArray, CountArray

__all__ = [
    "steps",
    "steps_of_any_size",
    "steps_with_missing",
    "steps_with_missing_of_any_size",
    "surplus",
    "surplus_of_any_size",
]

Amounts = NDArray[Any]


def surplus_of_any_size(
    indptr: CountArray, nodes: CodeArray, counts: Amounts, whole: Amounts, total: Any
) -> Amounts:
    """Add up what a group has too much of each node. O(s) for s entries.

    It has as much too little of the others, whether they occur in it or not. At most n * total.
    """
    out = np.zeros(indptr.size - 1, counts.dtype)
    for g in range(out.size):
        j, end = indptr[g], indptr[g + 1]
        n = total * 0
        for k in range(j, end):
            n += counts[k]
        over = n * 0
        while j < end:
            node, c = nodes[j], counts[j]
            j += 1
            while j < end and nodes[j] == node:
                c += counts[j]
                j += 1
            excess = c * total - whole[node] * n
            if excess > 0:
                over += excess
        out[g] = over
    return out


def steps_of_any_size(
    indptr: CountArray,
    ranks: Amounts,
    counts: Amounts,
    below: Amounts,
    area: Amounts,
    total: Any,
) -> Amounts:
    """Add up what is carried past each of m values in a row. O(s log m) for s entries.

    ``below[r]`` counts the records of the table up to rank r, and ``area[r]`` adds up the first r
    of these. Between two values of a group what it has so far is the same, and what the table has
    only grows: one search finds where it overtakes. At most m * n * total.
    """
    m = below.size
    out = np.zeros(indptr.size - 1, counts.dtype)
    for g in range(out.size):
        first, end = indptr[g], indptr[g + 1]
        n = total * 0
        for j in range(first, end):
            n += counts[j]
        have = work = n * 0
        start = 0
        for j in range(first, end + 1):
            stop = m if j == end else ranks[j]
            low, high = start, stop
            while low < high:
                middle = (low + high) // 2
                if n * below[middle] < have:
                    low = middle + 1
                else:
                    high = middle
            work += (2 * low - start - stop) * have
            work += n * (area[stop] - 2 * area[low] + area[start])
            if j < end:
                have += counts[j] * total
            start = stop
        out[g] = work
    return out


def steps_with_missing_of_any_size(
    indptr: CountArray, ranks: Amounts, counts: Amounts, whole: Amounts, total: Any
) -> Amounts:
    """Add up what is carried past each of m values in a row, with a value apart from them.

    The last entry of ``whole`` is that value, as far from every other as the ends of the row are
    from each other. Of what the row has too much or too little in all, it is free where that leaves
    or enters the row. What remains is to make a sequence rise, at the least cost: every entry is
    pushed onto a heap, and an entry below the largest before it pulls that down. O(m log m) a
    group; at most 2 * m * n * total.
    """
    m = whole.size - 1
    out = np.zeros(indptr.size - 1, counts.dtype)
    for g in range(out.size):
        j, end = indptr[g], indptr[g + 1]
        n = total * 0
        for k in range(j, end):
            n += counts[k]
        apart = counts[end - 1] if end > j and ranks[end - 1] == m else n * 0
        lack = apart * total - whole[m] * n
        sign = -1 if lack > 0 else 1
        most = abs(lack)
        work = most * max(m - 1, 1)
        carried = n * 0
        heap = [carried]
        for r in range(m):
            carried -= whole[r] * n
            if j < end and ranks[j] == r:
                carried += counts[j] * total
                j += 1
            amount = sign * carried
            inside = min(max(amount, n * 0), most)
            work += abs(amount - inside)
            heappush(heap, -inside)
            if -heap[0] > inside:
                work += -heap[0] - inside
                heapreplace(heap, -inside)
        out[g] = work
    return out


surplus = njit(cache=True, nogil=True)(surplus_of_any_size)
"""`surplus_of_any_size`, compiled for 64-bit integers and floats."""

steps = njit(cache=True, nogil=True)(steps_of_any_size)
"""`steps_of_any_size`, compiled for 64-bit integers and floats."""

steps_with_missing = njit(cache=True, nogil=True)(steps_with_missing_of_any_size)
"""`steps_with_missing_of_any_size`, compiled for 64-bit integers and floats."""
