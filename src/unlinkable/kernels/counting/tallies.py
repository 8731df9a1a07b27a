"""Tallies: counting the sensitive values of groups.

A histogram for every group, as a CSR matrix: ``values[indptr[g]:indptr[g + 1]]`` are the codes that
occur in group ``g``, rising, and ``counts`` how often.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["count", "merge_tallies", "sum_by_label", "sum_floats_by_label", "tally"]


@njit(cache=True, nogil=True)
def count(labels: CodeArray, n_groups: int) -> CountArray:
    """Count the members of every group; -1 belongs to none. O(n)."""
    out = np.zeros(n_groups, np.int64)
    for g in labels:
        if g >= 0:
            out[g] += 1
    return out


@njit(cache=True, nogil=True)
def sum_by_label(amounts: CountArray, labels: CodeArray, n_groups: int) -> CountArray:
    """Add up the amounts of the members of every group. O(n)."""
    out = np.zeros(n_groups, np.int64)
    for i in range(labels.size):
        if labels[i] >= 0:
            out[labels[i]] += amounts[i]
    return out


@njit(cache=True, nogil=True)
def sum_floats_by_label(amounts: FloatArray, labels: CodeArray, n_groups: int) -> FloatArray:
    """Add up the amounts of the members of every group. O(n)."""
    out = np.zeros(n_groups, np.float64)
    for i in range(labels.size):
        if labels[i] >= 0:
            out[labels[i]] += amounts[i]
    return out


@njit(cache=True, nogil=True)
def tally(
    labels: CodeArray, codes: CodeArray, n_groups: int, n_codes: int
) -> tuple[CountArray, CodeArray, CountArray]:
    """Count every code in every group of records.

    O(n + s log s) for s entries that come out.
    """
    n = labels.size
    ends = np.cumsum(count(labels, n_groups))
    grouped = np.empty(ends[-1] if n_groups else 0, np.int32)
    starts = ends.copy()
    # A counting sort of the codes by group. Each place is filled from its end downwards.
    for i in range(n):
        g = labels[i]
        if g >= 0:
            starts[g] -= 1
            grouped[starts[g]] = codes[i]
    indptr = np.empty(n_groups + 1, np.int64)
    indptr[:n_groups] = starts
    indptr[n_groups] = grouped.size
    identity = np.empty(n_groups, np.int32)
    for g in range(n_groups):
        identity[g] = g
    ones = np.empty(grouped.size, np.int64)
    for i in range(grouped.size):
        ones[i] = 1
    return merge_tallies(indptr, grouped, ones, identity, n_groups, n_codes)


@njit(cache=True, nogil=True)
def merge_tallies(
    indptr: CountArray,
    values: CodeArray,
    counts: CountArray,
    parent: CodeArray,
    n_parents: int,
    n_codes: int,
) -> tuple[CountArray, CodeArray, CountArray]:
    """Add up the histograms of the groups that have the same parent; -1 is left out.

    Groups are sorted by parent, then added to one dense row that is cleared through the list of
    codes it met: O(s log s) for s entries, and O(n_codes) scratch memory however many groups.
    """
    n_groups = parent.size
    ends = np.cumsum(count(parent, n_parents))
    order = np.empty(ends[-1] if n_parents else 0, np.int64)
    starts = ends.copy()
    # Groups are taken from the last to the first, so those of a parent stay in their order.
    for g in range(n_groups - 1, -1, -1):
        p = parent[g]
        if p >= 0:
            starts[p] -= 1
            order[starts[p]] = g
    seen = np.zeros(n_codes, np.int64)
    out_indptr = np.zeros(n_parents + 1, np.int64)
    out_values = np.empty(values.size, np.int32)
    out_counts = np.empty(values.size, np.int64)
    out = 0
    for p in range(n_parents):
        first = out
        for k in range(starts[p], ends[p]):
            g = order[k]
            for j in range(indptr[g], indptr[g + 1]):
                if seen[values[j]] == 0:
                    out_values[out] = values[j]
                    out += 1
                seen[values[j]] += counts[j]
        if ends[p] - starts[p] > 1 or out - first > 1:
            _sort(out_values, first, out)
        for j in range(first, out):
            out_counts[j] = seen[out_values[j]]
            seen[out_values[j]] = 0
        out_indptr[p + 1] = out
    return out_indptr, out_values[:out], out_counts[:out]


@njit(cache=True, nogil=True)
def _sort(values: CodeArray, first: int, last: int) -> None:
    """Sort a slice of an array by Shell's method, which compiles quickly."""
    gap = 1
    while gap < (last - first) // 9:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(first + gap, last):
            value = values[i]
            j = i
            while j >= first + gap and values[j - gap] > value:
                values[j] = values[j - gap]
                j -= gap
            values[j] = value
        gap //= 3
