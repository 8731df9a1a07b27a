"""Range scans: adding up the mass in ranges by looking at every block for every query.

The slow way, for queries of which few ask for the same columns, and for tables that would be too
large. See `range_sums` for what blocks and queries are.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["shares_in_ranges", "sums_by_scan"]

_TILE = 1024
"""Number of blocks scanned for all queries before the next ones: they stay in the cache."""


@njit(cache=True, nogil=True)
def sums_by_scan(
    lo: CodeArray,
    hi: CodeArray,
    masses: FloatArray,
    buckets: CodeArray,
    shares: FloatArray,
    at: CountArray,
    is_spread: BoolArray,
    asked_lo: CodeArray,
    asked_hi: CodeArray,
) -> FloatArray:
    """Add up the mass of blocks in each query ``q`` on its columns ``at[q]``.

    ``is_spread`` tells for every column whether boxes are wider than 1. Of the mass of block ``i``,
    query ``q`` gets no more than ``shares[q, buckets[i]]``, or all if there are no buckets.
    O(d n queries) time, and O(1) memory.
    """
    n = masses.size
    inside = np.empty(_TILE)
    out = np.zeros(at.shape[0])
    for tile in range(0, n, _TILE):
        m = min(_TILE, n - tile)
        for q in range(at.shape[0]):
            for i in range(m):
                inside[i] = masses[tile + i]
            for j in range(at.shape[1]):
                begin = lo[at[q, j], tile : tile + m]
                end = hi[at[q, j], tile : tile + m]
                _keep(inside, begin, end, is_spread[at[q, j]], asked_lo[q, j], asked_hi[q, j])
            total = 0.0
            if buckets.size > 0:
                for i in range(m):
                    total += inside[i] * shares[q, buckets[tile + i]]
            else:
                for i in range(m):
                    total += inside[i]
            out[q] += total
    return out


@njit(cache=True, nogil=True)
def _keep(
    inside: FloatArray, begin: CodeArray, end: CodeArray, is_spread: bool, least: int, most: int
) -> None:
    """Keep of each mass the share of its range that lies in the queried range."""
    if not is_spread:
        for i in range(begin.size):
            inside[i] = inside[i] if least <= begin[i] < most else 0.0
        return
    for i in range(begin.size):
        # Records are taken to be spread evenly over their range, so the mass shrinks with the
        # overlap.
        common = min(end[i], most) - max(begin[i], least)
        inside[i] *= max(common, 0) / (end[i] - begin[i])


@njit(cache=True, nogil=True)
def shares_in_ranges(
    indptr: CountArray, values: CodeArray, counts: CountArray, lo: CodeArray, hi: CodeArray
) -> FloatArray:
    """Compute the share of the counts of every group that lies in each range of values.

    Takes a CSR matrix; a group without counts has a share of 0. O(entries) for every range.
    """
    n_groups = indptr.size - 1
    out = np.zeros((lo.size, n_groups))
    for q in range(lo.size):
        for g in range(n_groups):
            within, total = 0, 0
            for e in range(indptr[g], indptr[g + 1]):
                total += counts[e]
                if lo[q] <= values[e] < hi[q]:
                    within += counts[e]
            if total > 0:
                out[q, g] = within / total
    return out
