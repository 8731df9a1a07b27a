"""Link cuts: where to divide two sets of boxes so that few pairs are left to compare."""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.typing import CodeArray

__all__ = ["choose_cut"]

_SAMPLE = 32
"""A cut is judged from this many boxes of each set."""

_MANY = 1 << 24
"""From this many pairs on, the sample is eight times as large."""

_WORTH = 32
"""A cut must save at least one pair in this many."""


@njit(cache=True, nogil=True)
def choose_cut(
    a_list: CodeArray,
    a_from: int,
    a_to: int,
    b_list: CodeArray,
    b_from: int,
    b_to: int,
    a_lo: CodeArray,
    a_hi: CodeArray,
    b_lo: CodeArray,
    b_hi: CodeArray,
    cell: CodeArray,
) -> tuple[int, int]:
    """Find the cut that saves most pairs, judging from a sample of each set.

    Cuts are tried at the quartiles of the ends of boxes. The column is -1 if no cut is worth it.
    """
    most = _SAMPLE if (a_to - a_from) * (b_to - b_from) < _MANY else 8 * _SAMPLE
    n_a, n_b = min(most, a_to - a_from), min(most, b_to - b_from)
    ends = np.empty(2 * n_b, np.int32)
    found, cut, best = -1, 0, (n_a * n_b) // _WORTH
    for j in range(a_lo.shape[1]):
        n_ends = 0
        for i in range(n_b):
            b = b_list[b_from + i * (b_to - b_from) // n_b]
            # Only ends strictly inside the cell can leave boxes on both sides.
            if b_lo[b, j] > cell[0, j]:
                ends[n_ends] = b_lo[b, j]
                n_ends += 1
            if b_hi[b, j] < cell[1, j]:
                ends[n_ends] = b_hi[b, j]
                n_ends += 1
        if n_ends == 0:
            continue
        tried = np.sort(ends[:n_ends])
        before = -1
        for quarter in range(1, 4):
            code = tried[quarter * (n_ends - 1) // 4]
            if code == before:
                continue
            before = code
            a_left, a_right, b_left, b_right = 0, 0, 0, 0
            for i in range(n_a):
                a = a_list[a_from + i * (a_to - a_from) // n_a]
                # Boxes on different sides of the cut do not intersect: none of these pairs is
                # compared again. Boxes that the cut runs through go to both sides and save nothing.
                a_left += a_hi[a, j] <= code
                a_right += a_lo[a, j] >= code
            for i in range(n_b):
                b = b_list[b_from + i * (b_to - b_from) // n_b]
                b_left += b_hi[b, j] <= code
                b_right += b_lo[b, j] >= code
            spared = a_left * b_right + a_right * b_left
            if spared > best:
                found, cut, best = j, code, spared
    return found, cut
