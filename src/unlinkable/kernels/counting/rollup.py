"""Roll-up: groups are merged into coarser ones.

The quasi-identifier of a group is packed into a 64-bit number, in which every attribute has a field
of bits. A coarser table rewrites some fields and adds up the groups that then have equal numbers.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = [
    "cheapest_below",
    "find_keys",
    "group_recoded",
    "merge_equal",
    "recode_field",
    "sum_field",
    "sum_left_out",
    "sum_peaks",
]

KeyArray = NDArray[np.uint64]

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
"""Fibonacci hashing: the high bits of the product depend on all bits of the key."""


@njit(cache=True, nogil=True)
def recode_field(keys: KeyArray, shift: int, mask: int, codes: CodeArray) -> None:
    """Replace one field of every key by its code in a table, in place. O(n)."""
    start, field = np.uint64(shift), np.uint64(mask)
    others = ~(field << start)
    for i in range(keys.size):
        key = keys[i]
        keys[i] = (key & others) | (np.uint64(codes[(key >> start) & field]) << start)


@njit(cache=True, nogil=True)
def sum_field(
    keys: KeyArray, shift: int, mask: int, amounts: FloatArray, weights: FloatArray
) -> float:
    """Add up the amounts that belong to one field of every key, times the key's weight. O(n)."""
    start, field = np.uint64(shift), np.uint64(mask)
    total = 0.0
    for i in range(keys.size):
        total += amounts[(keys[i] >> start) & field] * weights[i]
    return total


@njit(cache=True, nogil=True)
def merge_equal(
    keys: KeyArray,
    sizes: CountArray,
    labels: CodeArray,
    distinct: KeyArray,
    sums: CountArray,
    slots: CodeArray,
) -> int:
    """Number the distinct keys in the order in which they appear, and add up their sizes.

    Writes the number of every key, the distinct keys and their sizes to the arrays that are given,
    and returns how many there are. O(n) expected. ``slots`` is scratch memory for hashing: at least
    four times as many entries as there are keys, and 1024. Only as much of it is used as the
    distinct keys need, so that few of them stay in the fastest memory.
    """
    count = 0
    bits = 10
    slots[: 1 << bits] = -1
    for i in range(keys.size):
        key = keys[i]
        slot = _slot(slots, bits, distinct, key)
        label = slots[slot]
        if label < 0:
            # The table doubles when half full. The slot found before is that of the smaller table.
            if 2 * count >= 1 << bits:
                bits += 1
                _place(slots, bits, distinct, count)
                slot = _slot(slots, bits, distinct, key)
            label = count
            slots[slot] = label
            distinct[label] = key
            sums[label] = sizes[i]
            count += 1
        else:
            sums[label] += sizes[i]
        labels[i] = label
    return count


@njit(cache=True, nogil=True)
def find_keys(distinct: KeyArray, keys: KeyArray) -> CodeArray:
    """Find every key among distinct ones; -1 where it is not. O(n) expected."""
    bits = 10
    while 1 << bits < 2 * distinct.size:
        bits += 1
    slots = np.empty(1 << bits, np.int32)
    _place(slots, bits, distinct, distinct.size)
    labels = np.empty(keys.size, np.int32)
    for i in range(keys.size):
        labels[i] = slots[_slot(slots, bits, distinct, keys[i])]
    return labels


@njit(cache=True, nogil=True)
def cheapest_below(levels: CodeArray, costs: CountArray, node: CodeArray) -> int:
    """Find the cheapest row of levels that is below a node on some column and above it on none.

    Returns -1 if there is none; of several the first. O(n d).
    """
    best = -1
    for i in range(costs.size):
        if best < 0 or costs[i] < costs[best]:
            n_steps = 0
            for j in range(node.size):
                # One level above the node rules the row out; zero steps mean that it is the node
                # itself.
                if levels[i, j] > node[j]:
                    n_steps = 0
                    break
                n_steps += node[j] - levels[i, j]
            if n_steps > 0:
                best = i
    return best


@njit(cache=True, nogil=True, inline="always")
def _slot(slots: CodeArray, bits: int, distinct: KeyArray, key: np.uint64) -> np.int64:
    """Find the slot of a key, or the one where it is to be stored."""
    last = (1 << bits) - 1
    slot = np.int64((key * _GOLDEN) >> np.uint64(64 - bits))
    while slots[slot] >= 0 and distinct[slots[slot]] != key:
        slot = (slot + 1) & last
    return slot


@njit(cache=True, nogil=True)
def _place(slots: CodeArray, bits: int, distinct: KeyArray, count: int) -> None:
    slots[: 1 << bits] = -1
    for label in range(count):
        slots[_slot(slots, bits, distinct, distinct[label])] = label


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
