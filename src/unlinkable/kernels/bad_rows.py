"""Marking the members of cells that break bounds, with a bit for every row of a sheet.

See `unlinkable.kernels.bitmaps` for sheets and levels. The bits of a level are told to its members
when it is left, and the bits of the level above are set by what is known of the members then.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numba import njit

from unlinkable.kernels.bitmaps import BITS, MEMBERS, WORDS, Bits, Sheet, ones
from unlinkable.typing import BoolArray, CountArray

__all__ = ["Marks", "ask", "forget", "has_good", "mark", "tell"]

Marks: TypeAlias = tuple[BoolArray, Bits]
"""``good`` by member, of no size if nothing is to be marked; ``bad``: a bit for every row of every
level, where the members of the level are."""


@njit(cache=True, nogil=True)
def mark(level: int, mask: Bits, meeting: CountArray, sheet: Sheet, marks: Marks) -> None:
    """Mark the rows of a cell that have all these values; -1 stands for any. O(words)."""
    bits, shapes = sheet[0], sheet[6]
    words, base = shapes[level, WORDS], shapes[level, BITS]
    bad = marks[1][shapes[level, MEMBERS] // 64 :]
    room = np.empty(words, np.uint64)
    for word in range(words):
        room[word] = mask[word]
    for slot in meeting:
        if slot >= 0:
            has_it = bits[base + slot * words : base + (slot + 1) * words]
            for word in range(words):
                room[word] &= has_it[word]
    for word in range(words):
        bad[word] |= room[word]


@njit(cache=True, nogil=True)
def tell(level: int, sheet: Sheet, marks: Marks) -> None:
    """Tell the members of a level which of its rows are marked. O(words + marks)."""
    members, shapes = sheet[1], sheet[6]
    good, bad = marks
    first = shapes[level, MEMBERS]
    for word in range(shapes[level, WORDS]):
        left = bad[first // 64 + word]
        while left:
            below = (left & (~left + np.uint64(1))) - np.uint64(1)
            member = members[first + 64 * word + np.int64(ones(below))]
            if member >= 0:
                good[member] = False
            left &= left - np.uint64(1)


@njit(cache=True, nogil=True)
def ask(level: int, sheet: Sheet, marks: Marks) -> None:
    """Mark the rows of a level whose members are known to be bad, and those that are none."""
    members, shapes = sheet[1], sheet[6]
    good, bad = marks
    first = shapes[level, MEMBERS]
    for word in range(shapes[level, WORDS]):
        found = np.uint64(0)
        for i in range(64):
            member = members[first + 64 * word + i]
            if member < 0 or not good[member]:
                found |= np.uint64(1) << np.uint64(i)
        bad[first // 64 + word] |= found


@njit(cache=True, nogil=True)
def forget(level: int, sheet: Sheet, marks: Marks) -> None:
    """Mark no row of a level."""
    shapes = sheet[6]
    first = shapes[level, MEMBERS] // 64
    for word in range(first, first + shapes[level, WORDS]):
        marks[1][word] = 0


@njit(cache=True, nogil=True)
def has_good(level: int, mask: Bits, sheet: Sheet, marks: Marks) -> bool:
    """Whether a cell has rows that are not marked."""
    shapes = sheet[6]
    bad = marks[1][shapes[level, MEMBERS] // 64 :]
    word, words = 0, shapes[level, WORDS]
    while word < words and not mask[word] & ~bad[word]:
        word += 1
    return bool(word < words)
