"""Rolling groups up to coarser ones.

What a group shows is packed into a 64-bit number, in which every attribute has a field of bits.
A coarser table rewrites some fields and adds up what then has equal numbers.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["add_field", "find_keys", "merge_equal", "recode_field"]

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
def add_field(keys: KeyArray, shift: int, mask: int, amounts: FloatArray, sums: FloatArray) -> None:
    """Add to every sum the amount that belongs to one field of its key, in place. O(n)."""
    start, field = np.uint64(shift), np.uint64(mask)
    for i in range(keys.size):
        sums[i] += amounts[(keys[i] >> start) & field]


@njit(cache=True, nogil=True)
def merge_equal(keys: KeyArray, sizes: CountArray) -> tuple[CodeArray, KeyArray, CountArray]:
    """Number the distinct keys in the order in which they appear, and add up their sizes.

    Returns the number of every key, the distinct keys, and their sizes. O(n) expected. The table
    of slots grows with the distinct keys: few of them stay in the fastest memory.
    """
    n = keys.size
    labels = np.empty(n, np.int32)
    distinct = np.empty(n, np.uint64)
    sums = np.empty(n, np.int64)
    count = 0
    bits = 10
    slots = np.full(1 << bits, -1, np.int32)
    for i in range(n):
        key = keys[i]
        slot = _slot(slots, bits, distinct, key)
        label = slots[slot]
        if label < 0:
            if 2 * count >= slots.size:
                bits += 2
                slots = _slots(distinct, count, bits)
                slot = _slot(slots, bits, distinct, key)
            label = count
            slots[slot] = label
            distinct[label] = key
            sums[label] = sizes[i]
            count += 1
        else:
            sums[label] += sizes[i]
        labels[i] = label
    return labels, distinct[:count].copy(), sums[:count].copy()


@njit(cache=True, nogil=True)
def find_keys(distinct: KeyArray, keys: KeyArray) -> CodeArray:
    """Find every key among distinct ones; -1 where it is not. O(n) expected."""
    bits = 10
    while 1 << bits < 2 * distinct.size:
        bits += 1
    slots = _slots(distinct, distinct.size, bits)
    labels = np.empty(keys.size, np.int32)
    for i in range(keys.size):
        labels[i] = slots[_slot(slots, bits, distinct, keys[i])]
    return labels


@njit(cache=True, nogil=True, inline="always")
def _slot(slots: CodeArray, bits: int, distinct: KeyArray, key: np.uint64) -> int:
    """Find where a key is, or where it belongs."""
    slot = np.int64((key * _GOLDEN) >> np.uint64(64 - bits))
    while slots[slot] >= 0 and distinct[slots[slot]] != key:
        slot = (slot + 1) & (slots.size - 1)
    return slot


@njit(cache=True, nogil=True)
def _slots(distinct: KeyArray, count: int, bits: int) -> CodeArray:
    slots = np.full(1 << bits, -1, np.int32)
    for label in range(count):
        slots[_slot(slots, bits, distinct, distinct[label])] = label
    return slots
