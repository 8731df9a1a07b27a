"""Robust buckets: nobody in a bucket is much more likely than the others to have a value.

People come in *blocks*. Of block b, ``counts[b, v]`` people have the sensitive value v that is
protected, ``free[b]`` have a value that is not. Column q of ``low`` and ``high`` is about value
``about[q]``: the logarithms of the least and the greatest prior odds of the people of the block to
have it.

A bucket of N people with a value once keeps everybody's posterior belief within 1/r if
``1 + (N - 1) * exp(low - high) >= r``. Floats decide, with a margin that makes buckets rather too
large than too small.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["best_partner", "least_size", "merge_blocks", "plan_blocks"]

_MARGIN = 1 + 1e-9


@njit(cache=True, nogil=True)
def plan_blocks(
    counts: CountArray,
    free: CountArray,
    low: FloatArray,
    high: FloatArray,
    about: CodeArray,
    r: float,
) -> tuple[CountArray, CountArray]:
    """Find into how many buckets each block goes, and how many people do not fit in them.

    Buckets are so large that any people of the block may be in one, and as many as that allows. All
    people with an unprotected value fit. O(v log n + q) for each block.
    """
    n_buckets, n_left = np.empty(free.size, np.int64), np.empty(free.size, np.int64)
    for b in range(free.size):
        n_buckets[b], n_left[b] = _plan(counts[b], free[b], low[b], high[b], about, r)
    return n_buckets, n_left


@njit(cache=True, nogil=True)
def _plan(
    counts: CountArray, free: int, low: FloatArray, high: FloatArray, about: CodeArray, r: float
) -> tuple[int, int]:
    need = math.ceil(r)
    for q in range(about.size):
        if counts[about[q]] > 0:
            need = max(need, least_size(low[q], high[q], r))
    total = free
    for count in counts:
        total += count
    first, last = 0, total // need
    # A bucket has each value at most once, so m buckets take at most m people of each. The people
    # available grow more slowly than the people needed, so the condition holds up to some m.
    while first < last:
        middle = (first + last + 1) // 2
        there = free
        for count in counts:
            there += min(count, middle)
        if there >= need * middle:
            first = middle
        else:
            last = middle - 1
    n_left = 0
    for count in counts:
        n_left += max(count - first, 0)
    return first, n_left


@njit(cache=True, nogil=True)
def least_size(low: float, high: float, r: float) -> int:
    """Find how many people a bucket needs; a very large number if none would be enough."""
    if low == high:
        return math.ceil(r)
    # exp(30) is above 10^13: no table has as many people.
    if high - low > 30:
        return 1 << 50
    return math.ceil(1 + (r - 1) * math.exp(high - low) * _MARGIN)


@njit(cache=True, nogil=True)
def merge_blocks(
    counts: CountArray,
    free: CountArray,
    low: FloatArray,
    high: FloatArray,
    about: CodeArray,
    r: float,
    unplaced: CountArray,
    most: int,
) -> CodeArray:
    """Merge every block that has people who do not fit with the best of its neighbours.

    Every block is merged at most once. Returns the block that each becomes a part of, numbered in
    their order.
    """
    n = free.size
    is_there, is_done = np.ones(n, np.bool_), np.zeros(n, np.bool_)
    _, n_left = plan_blocks(counts, free, low, high, about, r)
    goes = np.empty(n, np.int64)
    for b in range(n):
        goes[b] = b
    for b in range(n):
        if unplaced[b] == 0 or is_done[b]:
            continue
        c = best_partner(counts, free, low, high, about, r, b, n_left, is_there & ~is_done, most)
        if c >= 0:
            goes[max(b, c)] = min(b, c)
            is_there[max(b, c)] = False
            is_done[b], is_done[c] = True, True
    # A block joins one with a smaller number, so that one has its new number already.
    out, n_new = np.empty(n, np.int32), 0
    for b in range(n):
        if goes[b] == b:
            out[b] = n_new
            n_new += 1
        else:
            out[b] = out[goes[b]]
    return out


@njit(cache=True, nogil=True)
def best_partner(
    counts: CountArray,
    free: CountArray,
    low: FloatArray,
    high: FloatArray,
    about: CodeArray,
    r: float,
    b: int,
    n_left: CountArray,
    is_there: BoolArray,
    most: int,
) -> int:
    """Find the block to merge with that leaves fewest people out; -1 if there is none.

    Blocks are in an order in which neighbours are similar, and at most ``most`` on each side are
    examined. Of equally good ones the one that makes most buckets is taken.
    O(most (v log n + q)).
    """
    best, best_left, best_buckets = -1, 0, 0
    for side in (-1, 1):
        c, n_seen = b + side, 0
        while 0 <= c < free.size and n_seen < most:
            if is_there[c]:
                n_seen += 1
                n_buckets, left = _plan(
                    counts[b] + counts[c],
                    free[b] + free[c],
                    np.minimum(low[b], low[c]),
                    np.maximum(high[b], high[c]),
                    about,
                    r,
                )
                # What counts is the change: some blocks leave many people out whatever they are
                # merged with.
                left -= n_left[b] + n_left[c]
                is_better = left < best_left or (left == best_left and n_buckets > best_buckets)
                if best < 0 or is_better:
                    best, best_left, best_buckets = c, left, n_buckets
            c += side
    return best
