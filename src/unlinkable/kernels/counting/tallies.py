"""Histograms of groups: counted, added up, mixed and intersected.

A histogram for every group, as a CSR matrix: ``values[indptr[g]:indptr[g + 1]]`` are the codes that
occur in group ``g``, rising, and ``counts`` how often. A search that keeps rows in the order of its
regions adds up histograms of runs of rows, and never touches those of a finished region again.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = [
    "add_up",
    "count",
    "drop_repeated",
    "expand_stretches",
    "fill_equal",
    "find_entries",
    "keep_common",
    "merge_stretches",
    "merge_tallies",
    "mix_rows",
    "sort_rows",
    "sum_by_label",
    "sum_floats_by_label",
    "tally",
]


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


def expand_stretches(starts: CountArray, lengths: CountArray) -> tuple[CountArray, CountArray]:
    """List all places of some stretches, one after the other; which stretch, and the place.

    Examples
    --------
    >>> which, places = expand_stretches(np.array([7, 2]), np.array([1, 3]))
    >>> which.tolist(), places.tolist()
    ([0, 1, 1, 1], [7, 2, 3, 4])
    """
    which = np.repeat(np.arange(lengths.size), lengths)
    shift = starts - (np.cumsum(lengths) - lengths)
    return which, np.arange(which.size) + shift[which]


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

    O(s log s) for s entries, and O(n_codes) scratch memory however many groups.
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
    return _add_rows(indptr, values, counts, order, order[:0], starts, ends, seen)


@njit(cache=True, nogil=True)
def merge_stretches(
    indptr: CountArray,
    values: CodeArray,
    counts: CountArray,
    order: CodeArray,
    start: CountArray,
    end: CountArray,
    seen: CountArray,
) -> tuple[CountArray, CodeArray, CountArray]:
    """Add up the histograms of the rows ``order[start[g]:end[g]]``, for every run ``g``.

    ``seen`` is scratch memory with an entry for every code. It is all zero before and after.
    O(s log s) for the s entries of these rows.
    """
    ones = np.empty(0, np.int64)
    return _add_rows(indptr, values, counts, order, ones, start, end, seen)


@njit(cache=True, nogil=True)
def mix_rows(
    ends: CountArray,
    places: CodeArray,
    weights: CountArray,
    indptr: CountArray,
    values: CodeArray,
    counts: CountArray,
    n_values: int,
) -> tuple[CountArray, CodeArray, CountArray]:
    """Add up rows of a histogram with weights.

    New row ``i`` is the sum of the rows ``places[ends[i]:ends[i + 1]]``, each times its weight.
    O(s log s) for s entries that are added up.
    """
    seen = np.zeros(n_values, np.int64)
    return _add_rows(indptr, values, counts, places, weights, ends[:-1], ends[1:], seen)


@njit(cache=True, nogil=True)
def _add_rows(
    indptr: CountArray,
    values: CodeArray,
    counts: CountArray,
    order: CodeArray,
    weights: CountArray,
    start: CountArray,
    end: CountArray,
    seen: CountArray,
) -> tuple[CountArray, CodeArray, CountArray]:
    """Add up the rows ``order[start[g]:end[g]]``, each times its weight if there are weights.

    A sum is collected in the dense row ``seen``, which is read and cleared through the sorted list
    of the codes that were met.
    """
    # Without common codes no sum is shorter than its parts, so this much room is always enough.
    room = 0
    for g in range(start.size):
        for i in range(start[g], end[g]):
            room += indptr[order[i] + 1] - indptr[order[i]]
    out_indptr = np.zeros(start.size + 1, np.int64)
    out_values = np.empty(room, np.int32)
    out_counts = np.empty(room, np.int64)
    out = 0
    for g in range(start.size):
        first = out
        for i in range(start[g], end[g]):
            weight = weights[i] if weights.size else 1
            for k in range(indptr[order[i]], indptr[order[i] + 1]):
                if seen[values[k]] == 0:
                    out_values[out] = values[k]
                    out += 1
                seen[values[k]] += counts[k] * weight
        _sort(out_values, first, out)
        for k in range(first, out):
            out_counts[k] = seen[out_values[k]]
            seen[out_values[k]] = 0
        out_indptr[g + 1] = out
    return out_indptr, out_values[:out].copy(), out_counts[:out].copy()


@njit(cache=True, nogil=True)
def sort_rows(indptr: CountArray, values: CodeArray) -> None:
    """Sort every row of a CSR matrix. O(s log s) for rows of s entries."""
    for row in range(indptr.size - 1):
        _sort(values, indptr[row], indptr[row + 1])


@njit(cache=True, nogil=True)
def _sort(values: CodeArray, first: int, last: int) -> None:
    """Sort a slice of an array in place, by Shell's method: slicing costs more on short rows."""
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


@njit(cache=True, nogil=True)
def find_entries(
    indptr: CountArray, values: CodeArray, rows: CodeArray, codes: CodeArray
) -> CountArray:
    """Find the place of a code in a row, for many pairs of them; -1 if the row does not have it.

    A binary search each, in that row alone.
    """
    out = np.empty(rows.size, np.int64)
    for i in range(rows.size):
        low, high = indptr[rows[i]], indptr[rows[i] + 1]
        end = high
        while low < high:
            middle = (low + high) // 2
            if values[middle] < codes[i]:
                low = middle + 1
            else:
                high = middle
        out[i] = low if low < end and values[low] == codes[i] else -1
    return out


@njit(cache=True, nogil=True)
def add_up(amounts: FloatArray, order: CodeArray, start: CountArray, end: CountArray) -> FloatArray:
    """Add up the amounts of the rows ``order[start[g]:end[g]]``. O(n)."""
    out = np.zeros(start.size, np.float64)
    for g in range(start.size):
        for i in range(start[g], end[g]):
            out[g] += amounts[order[i]]
    return out


@njit(cache=True, nogil=True)
def keep_common(
    indptr: CountArray,
    values: CodeArray,
    counts: CountArray,
    groups: CodeArray,
    group_indptr: CountArray,
    group_values: CodeArray,
    group_counts: CountArray,
) -> tuple[CountArray, CodeArray, CountArray]:
    """Intersect each multiset with that of one group: the smaller count of every value.

    ``values[indptr[i]:indptr[i + 1]]`` are the values of multiset ``i``, rising. It is intersected
    with that of group ``groups[i]``, or kept as it is if that is -1. O(s) for s entries that are
    looked at.
    """
    n = groups.size
    out_indptr = np.zeros(n + 1, np.int64)
    out_values = np.empty(values.size, np.int32)
    out_counts = np.empty(values.size, np.int64)
    out = 0
    for i in range(n):
        g = groups[i]
        j = group_indptr[g] if g >= 0 else 0
        end = group_indptr[g + 1] if g >= 0 else 0
        for k in range(indptr[i], indptr[i + 1]):
            if g < 0:
                out_values[out], out_counts[out] = values[k], counts[k]
                out += 1
                continue
            # Both rows rise, so ``j`` never has to go back: this is a merge of two sorted lists.
            while j < end and group_values[j] < values[k]:
                j += 1
            if j < end and group_values[j] == values[k]:
                out_values[out], out_counts[out] = values[k], min(counts[k], group_counts[j])
                out += 1
        out_indptr[i + 1] = out
    return out_indptr, out_values[:out].copy(), out_counts[:out].copy()


@njit(cache=True, nogil=True)
def fill_equal(
    keys: CodeArray,
    indptr: CountArray,
    members: CodeArray,
    free: CountArray,
    out: CodeArray,
) -> None:
    """Write for every row the members of its key, from ``free`` on, which is advanced.

    ``members[indptr[key]:indptr[key + 1]]`` are the members of a key. O(n + pairs).
    """
    for i in range(keys.size):
        at = free[i]
        for k in range(indptr[keys[i]], indptr[keys[i] + 1]):
            out[at] = members[k]
            at += 1
        free[i] = at


@njit(cache=True, nogil=True)
def drop_repeated(indptr: CountArray, values: CodeArray) -> tuple[CountArray, CodeArray]:
    """Keep every value of a sorted row of a CSR matrix once. O(n), in place."""
    starts = np.empty(indptr.size, np.int64)
    starts[0] = 0
    kept = 0
    for row in range(indptr.size - 1):
        for k in range(indptr[row], indptr[row + 1]):
            # Reading is never behind writing: ``kept`` is at most ``k``, so nothing unread is
            # overwritten.
            if k == indptr[row] or values[k] != values[k - 1]:
                values[kept] = values[k]
                kept += 1
        starts[row + 1] = kept
    return starts, values[:kept].copy()
