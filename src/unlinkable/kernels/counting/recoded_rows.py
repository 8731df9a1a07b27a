"""Recoded rows: putting rows together that are equal after recoding.

Rows hold codes of all columns in one numbering: code c of column j is ``firsts[j] + c``. A recoding
is a table over that numbering. Every column has a place value, so that a recoded row is a single
number: the sum of what its codes are worth.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["group_recoded", "sum_left_out", "sum_peaks"]

KeyArray = NDArray[np.uint64]

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
"""Fibonacci hashing: the high bits of the product depend on all bits of the key."""


@njit(cache=True, nogil=True)
def group_recoded(
    rows: CodeArray,
    worth: KeyArray,
    space: int,
    sizes: CountArray,
    labels: CodeArray,
    first: CodeArray,
    sums: CountArray,
    keys: KeyArray,
    slots: CodeArray,
) -> int:
    """Number recoded rows in the order in which they appear, and add up the sizes of equal rows.

    Row ``rows[i]`` becomes the sum of ``worth`` of its codes, which is below ``space``. Writes the
    number of every row, the first row with each number and the sums to the arrays that are given,
    and returns how many numbers there are. ``keys`` and ``slots`` are scratch memory for hashing:
    one entry for every row, and a power of two that is at least twice as large. If ``space`` fits
    into ``slots``, nothing is hashed. O(n d) expected.
    """
    bits = 0
    if space > slots.size:
        while 1 << bits < slots.size:
            bits += 1
        slots[:] = -1
    else:
        slots[:space] = -1
    last_slot = slots.size - 1
    before, label = np.uint64(0), np.int32(-1)
    count = 0
    for i in range(rows.shape[0]):
        key = np.uint64(0)
        for j in range(rows.shape[1]):
            key += worth[rows[i, j]]
        # Rows that follow each other are often equal after recoding: then the label is known.
        if label < 0 or key != before:
            before = key
            # With room for every key, the key itself is the slot and no two keys collide.
            if bits == 0:
                slot = np.int64(key)
            else:
                slot = np.int64((key * _GOLDEN) >> np.uint64(64 - bits))
                while slots[slot] >= 0 and keys[slots[slot]] != key:
                    slot = (slot + 1) & last_slot
            label = slots[slot]
            if label < 0:
                label = np.int32(count)
                slots[slot] = label
                keys[label] = key
                first[label] = i
                sums[label] = 0
                count += 1
        labels[i] = label
        sums[label] += sizes[i]
    return count


@njit(cache=True, nogil=True)
def sum_peaks(
    labels: CodeArray,
    keep: BoolArray,
    indptr: CountArray,
    values: CodeArray,
    counts: CountArray,
    n_values: int,
    seen: CountArray,
) -> int:
    """Add up how often the most frequent value of each kept group occurs in it.

    ``seen`` is scratch memory for one count for each value of each group. O(s + groups * values).
    """
    n_groups = keep.size
    seen[: n_groups * n_values] = 0
    for i in range(labels.size):
        at = labels[i] * n_values
        for k in range(indptr[i], indptr[i + 1]):
            seen[at + values[k]] += counts[k]
    total = 0
    for g in range(n_groups):
        if keep[g]:
            peak = 0
            for v in range(g * n_values, (g + 1) * n_values):
                peak = max(peak, seen[v])
            total += peak
    return total


@njit(cache=True, nogil=True)
def sum_left_out(
    rows: CodeArray, first: CodeArray, keep: BoolArray, weights: FloatArray, amounts: FloatArray
) -> float:
    """Add up the amounts of all codes of the groups that are not kept, weighted by group."""
    total = 0.0
    for g in range(keep.size):
        if not keep[g]:
            each = 0.0
            for j in range(rows.shape[1]):
                each += amounts[rows[first[g], j]]
            total += each * weights[g]
    return total
