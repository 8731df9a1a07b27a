"""Bad rows: marking the members of cells that break bounds, one bit for every row of a sheet.

See `unlinkable.kernels.lkc.bitmaps` for sheets and levels. The bits of a level are passed to its
members when the level is left, and the bits of the level above are set from the members then.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numba import njit

from unlinkable.kernels.lkc.bitmaps import BITS, MEMBERS, WORDS, Bits, Sheet, ones
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
    # The mask of the cell is copied, because its bits are needed again by the caller.
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
    """Set ``good`` to false for the members whose rows are marked. O(words + marks)."""
    members, shapes = sheet[1], sheet[6]
    good, bad = marks
    first = shapes[level, MEMBERS]
    for word in range(shapes[level, WORDS]):
        left = bad[first // 64 + word]
        while left:
            # The bits below the lowest set one are as many as its position, so counting them finds
            # the row.
            below = (left & (~left + np.uint64(1))) - np.uint64(1)
            member = members[first + 64 * word + np.int64(ones(below))]
            if member >= 0:
                good[member] = False
            # This clears the lowest set bit.
            left &= left - np.uint64(1)


@njit(cache=True, nogil=True)
def ask(level: int, sheet: Sheet, marks: Marks) -> None:
    """Mark the rows of a level whose members are known to be bad, and those without a member."""
    members, shapes = sheet[1], sheet[6]
    good, bad = marks
    first = shapes[level, MEMBERS]
    for word in range(shapes[level, WORDS]):
        found = np.uint64(0)
        for i in range(64):
            member = members[first + 64 * word + i]
            # Padding rows have no member. Marked as bad, they never look like a row that is still
            # good.
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
