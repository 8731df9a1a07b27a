"""Grouping: finding equal rows.

A row of codes is packed into one 64-bit number, digit by digit; equal numbers are found with a
hash table. When the next digit would not fit, the rows so far are numbered, and packing continues
from those numbers. So rows of any number of columns of any size can be told apart.

Arrays are filled and copied in plain loops: what numba makes of whole-array expressions is no
faster and takes seconds to compile.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from unlinkable.typing import CodeArray, CountArray

__all__ = ["append_code", "append_digit", "number_keys"]


@njit(cache=True, nogil=True)
def append_digit(keys: NDArray[np.uint64], numbers: CodeArray, codes: CodeArray, size: int) -> None:
    """Append to every key the digit ``codes[numbers[i]]`` in base ``size``. O(n)."""
    base = np.uint64(size)
    for i in range(keys.size):
        keys[i] = keys[i] * base + np.uint64(codes[numbers[i]])


@njit(cache=True, nogil=True)
def append_code(keys: NDArray[np.uint64], codes: CodeArray, size: int) -> None:
    """Append to every key its own code in base ``size``. O(n)."""
    base = np.uint64(size)
    for i in range(keys.size):
        keys[i] = keys[i] * base + np.uint64(codes[i])


@njit(cache=True, nogil=True)
def number_keys(keys: NDArray[np.uint64], space: int) -> tuple[CodeArray, CountArray]:
    """Number the distinct keys in the order in which they appear.

    ``space`` is a bound on the keys if it is small enough for a table of that size, else 0.
    Returns the number of every key, and where each number appears first. O(n) expected.
    """
    if space > 0:
        return _number_small_keys(keys, space)
    n = keys.size
    labels = np.empty(n, np.int32)
    first = np.empty(1024, np.int64)
    bits = 12
    slots, slot_keys = _slots(keys, first, 0, bits)
    count = 0
    for i in range(n):
        # The table stays at most half full, so that a search meets an empty slot after a few steps.
        if 2 * count >= slots.size:
            bits += 2
            slots, slot_keys = _slots(keys, first, count, bits)
        key = keys[i]
        slot = _slot(key, bits)
        # Linear probing. The size is a power of two, so the mask wraps around the end of the table.
        while slots[slot] >= 0 and slot_keys[slot] != key:
            slot = (slot + 1) & (slots.size - 1)
        if slots[slot] < 0:
            if count == first.size:
                grown = np.empty(2 * count, np.int64)
                for j in range(count):
                    grown[j] = first[j]
                first = grown
            first[count] = i
            slots[slot] = count
            slot_keys[slot] = key
            count += 1
        labels[i] = slots[slot]
    return labels, first[:count]


@njit(cache=True, nogil=True)
def _number_small_keys(keys: NDArray[np.uint64], space: int) -> tuple[CodeArray, CountArray]:
    n = keys.size
    numbers = np.empty(space, np.int32)
    for number in range(space):
        numbers[number] = -1
    labels = np.empty(n, np.int32)
    first = np.empty(min(n, space), np.int64)
    count = 0
    for i in range(n):
        key = keys[i]
        if numbers[key] < 0:
            numbers[key] = count
            first[count] = i
            count += 1
        labels[i] = numbers[key]
    return labels, first[:count]


@njit(cache=True, nogil=True, inline="always")
def _slot(key: np.uint64, bits: int) -> np.int64:
    # Fibonacci hashing: the high bits of the product depend on all bits of the key.
    return np.int64((key * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(64 - bits))


@njit(cache=True, nogil=True)
def _slots(
    keys: NDArray[np.uint64], first: CountArray, count: int, bits: int
) -> tuple[CodeArray, NDArray[np.uint64]]:
    """Make a table of that size, and put in the keys that have a number."""
    slots = np.empty(1 << bits, np.int32)
    slot_keys = np.empty(1 << bits, np.uint64)
    for i in range(slots.size):
        slots[i] = -1
    for label in range(count):
        key = keys[first[label]]
        slot = _slot(key, bits)
        # The keys that have a number are distinct, so the first empty slot is right without
        # comparing.
        while slots[slot] >= 0:
            slot = (slot + 1) & (slots.size - 1)
        slots[slot] = label
        slot_keys[slot] = key
    return slots, slot_keys
