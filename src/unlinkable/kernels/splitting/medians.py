"""Medians of regions on a column."""

from __future__ import annotations

from numba import njit

from unlinkable.typing import CodeArray, CountArray

__all__ = ["BUCKETS", "median", "unit_of"]

BUCKETS = 1 << 12
"""A median is searched among at most this many ranges of codes at a time."""


@njit(cache=True, nogil=True)
def unit_of(firsts: CodeArray, at: int, code: int) -> int:
    """Give the unit of a code: itself, or the first code of its node on a level. O(1)."""
    return code if at < 0 else firsts[at + code]


@njit(cache=True, nogil=True)
def median(
    keys: CodeArray,
    sizes: CountArray,
    s: int,
    e: int,
    j: int,
    lo: int,
    hi: int,
    total: int,
    firsts: CodeArray,
    at: int,
    counts: CountArray,
) -> tuple[int, int, int]:
    """Find the unit in which half of the records is reached, and count those below and in it.

    The range is divided into buckets of equal width, and the bucket with the median again, until a
    bucket is one code wide: a few passes however wide the range, O(n). ``counts`` is scratch memory
    for all buckets.
    """
    # More buckets than rows would cost more to clear than they save in passes.
    n_buckets = min(BUCKETS, max(64, 2 * (e - s)))
    a, z, below = unit_of(firsts, at, lo), hi, 0
    while True:
        # Widths are powers of two, so the bucket of a code is a shift and not a division.
        shift = 0
        while (z - a - 1) >> shift >= n_buckets:
            shift += 1
        for bucket in range(((z - a - 1) >> shift) + 1):
            counts[bucket] = 0
        for i in range(s, e):
            unit = unit_of(firsts, at, keys[i, j])
            if a <= unit < z:
                counts[(unit - a) >> shift] += sizes[i]
        bucket = 0
        # The median lies in the first bucket at whose end half of the records is reached.
        while 2 * (below + counts[bucket]) < total:
            below += counts[bucket]
            bucket += 1
        if shift == 0:
            return a + bucket, below, counts[bucket]
        # Only the range of that bucket is searched in the next pass; ``below`` counts what precedes
        # it.
        a += bucket << shift
        z = min(z, a + (1 << shift))
