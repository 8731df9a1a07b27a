"""Trimming: how many records a group must lose until its sensitive values are diverse enough."""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.kernels.distributions.divergences import entropies
from unlinkable.typing import BoolArray, CountArray

__all__ = ["trim_to_entropy", "trim_to_ratio", "trim_to_share"]


@njit(cache=True, nogil=True)
def trim_to_entropy(indptr: CountArray, counts: CountArray, bound: float) -> CountArray:
    """Bound from below how many records must go until the entropy is at least ``bound``.

    0 for a row that meets it, all for one that cannot meet it. The entropy never falls as the
    height does: the lowest height at which it is too small is found by bisection. O(s log c) for s
    entries and counts up to c.
    """
    before = entropies(indptr, counts)
    out = np.zeros(before.size, np.int64)
    for g in range(out.size):
        if before[g] >= bound:
            continue
        row = counts[indptr[g] : indptr[g + 1]]
        # Equal counts have the highest entropy, the logarithm of the number of values.
        if np.log(row.size) < bound:
            out[g] = row.sum()
            continue
        # At the least count all values are equally frequent, so the bound is met at ``low``; it is
        # broken at ``high``, and stays so.
        low, high = row.min(), row.max()
        while high - low > 1:
            height = (low + high) // 2
            if _entropy_below(row, height) < bound:
                high = height
            else:
                low = height
        for c in row:
            out[g] += max(c - high, 0)
        # Cutting down to ``high`` is not enough, so at least one record more must go.
        out[g] += 1
    return out


@njit(cache=True, nogil=True)
def trim_to_ratio(
    indptr: CountArray,
    counts: CountArray,
    l: int,  # noqa: E741
    p: int,
    q: int,
    strict: bool,
) -> CountArray:
    """Count how many records must go until r_1 < p / q (r_l + ... + r_m), or <= if not strict.

    0 for a row that meets the bound, all for one that cannot. O(s (log s + log c)) for s entries
    and counts up to c. Counts, p and q are below 2^31.
    """
    out = np.zeros(indptr.size - 1, np.int64)
    for g in range(out.size):
        row = np.sort(counts[indptr[g] : indptr[g + 1]])
        if row.size < l:
            out[g] = row.sum()
            continue
        # These are r_l to r_m. Cutting from the top keeps the order of the counts, so they stay the
        # same entries at every height.
        rare = row[: row.size - l + 1]
        # The sum of min(r, h) grows more slowly than h, so the bound holds up to some height.
        low, high = 0, row[-1] + 1
        if _is_rare(rare, row[-1], p, q, strict):
            continue
        while high - low > 1:
            height = (low + high) // 2
            if _is_rare(rare, height, p, q, strict):
                low = height
            else:
                high = height
        for c in row:
            out[g] += max(c - low, 0)
    return out


@njit(cache=True, nogil=True)
def _entropy_below(row: CountArray, height: int) -> float:
    n = 0
    total = 0.0
    for count in row:
        c = min(count, height)
        n += c
        total += c * np.log(c)
    return float(np.log(n) - total / n)


@njit(cache=True, nogil=True)
def _is_rare(rare: CountArray, height: int, p: int, q: int, strict: bool) -> bool:
    total = 0
    for c in rare:
        total += min(c, height)
    return bool(height * q < total * p or (not strict and height * q == total * p))


@njit(cache=True, nogil=True)
def trim_to_share(
    indptr: CountArray, counts: CountArray, is_bounded: BoolArray, p: int, q: int
) -> CountArray:
    """Count how many records must go until every bounded count is at most p / q of its row.

    0 for a row that meets the bound already. A row of bounded counts alone loses all records if
    even one record of each value is too much. The records left grow more slowly than the height, so
    the bound is met up to some height, which is found by bisection. O(s log c) for s entries and
    counts up to c. Counts, p and q are below 2^31, so products fit into 64 bits.
    """
    out = np.zeros(indptr.size - 1, np.int64)
    for g in range(out.size):
        first, end = indptr[g], indptr[g + 1]
        low, high = 0, 0
        for j in range(first, end):
            if is_bounded[j]:
                high = max(high, counts[j])
        if high * q <= _below(indptr, counts, is_bounded, g, high) * p:
            # Invariant: the bound is met at height ``low`` (at 0 it always is) and broken at height
            # ``high``.
            continue
        while high - low > 1:
            height = (low + high) // 2
            if height * q <= _below(indptr, counts, is_bounded, g, height) * p:
                low = height
            else:
                high = height
        for j in range(first, end):
            if is_bounded[j]:
                out[g] += max(counts[j] - low, 0)
    return out


@njit(cache=True, nogil=True)
def _below(
    indptr: CountArray, counts: CountArray, is_bounded: BoolArray, g: int, height: int
) -> int:
    """Count the records of a row that are left when its bounded counts are cut to a height."""
    total = 0
    for j in range(indptr[g], indptr[g + 1]):
        total += min(counts[j], height) if is_bounded[j] else counts[j]
    return int(total)
