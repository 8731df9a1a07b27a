"""Ordered earth mover's distance: the work of turning the values of groups into others on a line.

Arguments are those of `unlinkable.kernels.distributions.emd`. ``ranks`` maps a value to its place
on the line, ``below[w, r]`` counts the records of the reference of group ``g`` with ``which[g] ==
w`` up to place r, and ``area[w, r]`` is the sum of the first r of these. Between two values of a
group its cumulative count stays the same, and that of the reference only grows. So there is one
place at which the reference overtakes the group, and sums on both sides of it come from ``area``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numba.extending import register_jitable
from numpy.typing import NDArray

from unlinkable.typing import BoolArray, CodeArray, CountArray

__all__ = [
    "first_place",
    "meeting_places",
    "steps",
    "steps_of_any_size",
]

Amounts = NDArray[Any]


@njit(cache=True, nogil=True)
def meeting_places(
    is_there: BoolArray, below: CountArray, total: int
) -> tuple[CountArray, CountArray]:
    """Find where a table overtakes groups, after k of their n records, for all k.

    ``below[r]`` counts the records of the table up to place r, out of ``total``. The first place at
    which the table has reached as large a share is ``places[starts[n] + k]``, for every n with
    ``is_there[n]``; -1 in ``starts`` for the others. O(sum of all n).
    """
    starts = np.full(is_there.size, -1, np.int64)
    size = 0
    for n in range(is_there.size):
        if is_there[n]:
            starts[n] = size
            size += n + 1
    places = np.empty(size, np.int64)
    for n in range(is_there.size):
        if is_there[n]:
            place = 0
            for k in range(n + 1):
                # Shares k / n and below / total are compared crosswise. The place only grows with
                # k, so the scan goes on from the last one.
                while place < below.size and n * below[place] < k * total:
                    place += 1
                places[starts[n] + k] = place
    return starts, places


def steps_of_any_size(
    indptr: CountArray,
    values: CodeArray,
    counts: Amounts,
    sizes: Amounts,
    ranks: CountArray,
    below: Amounts,
    area: Amounts,
    totals: Amounts,
    which: CodeArray,
    starts: CountArray,
    places: CountArray,
) -> Amounts:
    """Add up what is carried past each of m places. O(s) for s entries; at most m * n * N.

    O(s log m) for groups larger than `meeting_places` covers.
    """
    m = below.shape[1]
    out = np.zeros(sizes.size, counts.dtype)
    for g in range(sizes.size):
        passed, added, total, n = below[which[g]], area[which[g]], totals[which[g]], sizes[g]
        known = starts[int(n)] if n < starts.size else -1
        k = work = n * 0
        start = 0
        # One turn more than there are entries covers the places after the last value of the group.
        for j in range(indptr[g], indptr[g + 1] + 1):
            stop = m if j == indptr[g + 1] else ranks[values[j]]
            have = k * total
            if known >= 0:
                low = min(max(places[known + int(k)], start), stop)
            else:
                low = first_place(passed, n, have, start, stop)
            # From ``start`` to ``low`` the group is ahead and the work is have - n * passed for
            # each place; from ``low`` to ``stop`` it is the opposite. Both sums are put together
            # here.
            work += (2 * low - start - stop) * have
            work += n * (added[stop] - 2 * added[low] + added[start])
            if j < indptr[g + 1]:
                k += counts[j]
            start = stop
        out[g] = work
    return out


@register_jitable
def first_place(passed: Amounts, n: Any, have: Any, start: int, stop: int) -> int:
    """Find the first place from ``start`` on at which n times what was passed is enough."""
    low, high = start, stop
    while low < high:
        middle = (low + high) // 2
        if n * passed[middle] < have:
            low = middle + 1
        else:
            high = middle
    return low


steps = njit(cache=True, nogil=True)(steps_of_any_size)
"""`steps_of_any_size`, compiled for 64-bit integers and floats."""
