"""Ordered earth mover's distance with a missing value: one value lies apart from a line of others.

Arguments are those of `unlinkable.kernels.distributions.ordered_emd`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numba.extending import register_jitable
from numpy.typing import NDArray

from unlinkable.kernels.distributions.ordered_emd import first_place
from unlinkable.typing import CodeArray, CountArray

__all__ = ["steps_with_missing", "steps_with_missing_of_any_size"]

Amounts = NDArray[Any]


def steps_with_missing_of_any_size(
    indptr: CountArray,
    values: CodeArray,
    counts: Amounts,
    sizes: Amounts,
    ranks: CountArray,
    below: Amounts,
    area: Amounts,
    totals: Amounts,
    which: CodeArray,
    starts: CountArray,
    places: CountArray,
) -> Amounts:
    """Add up what is carried past each of m places, with one value off the line.

    That value has rank m, and is as far from every other as the ends of the line are from each
    other. The mass that the line has too much or too little in all, ``most``, pays that distance,
    and may leave or enter the line anywhere. What has left by place r is a rising sequence between
    0 and ``most``; it should be as near as possible to what is carried there. Every amount is put
    on a heap, and one below the largest before it pulls that down: only amounts between the bounds
    are visited one by one. O(s) for s entries and such amounts, if these are few; at most
    2 * m * n * N.
    """
    m = below.shape[1]
    out = np.zeros(sizes.size, counts.dtype)
    heap = np.empty(m + 1, counts.dtype)
    for g in range(sizes.size):
        passed, added, total, n = below[which[g]], area[which[g]], totals[which[g]], sizes[g]
        known = starts[int(n)] if n < starts.size else -1
        end = indptr[g + 1]
        lack = -(total - passed[m - 1]) * n
        # The value off the line has the highest rank, so it can only be the last entry of the
        # group.
        if end > indptr[g] and ranks[values[end - 1]] == m:
            end -= 1
            lack += counts[end] * total
        most = abs(lack)
        k = n_top = n * 0
        work = most * max(m - 1, 1)
        start = depth = 0
        for j in range(indptr[g], end + 1):
            stop = m if j == end else ranks[values[j]]
            have = k * total
            if known >= 0:
                low = min(max(places[known + int(k)], start), stop)
            else:
                low = first_place(passed, n, have, start, stop)
            low, high = _between(passed, n, have, lack, low, start, stop)
            work += _outside(added, n, have, lack, (start, low, high, stop))
            # Amounts outside the bounds are clamped to 0 or ``most``. They are equal, so they are
            # counted and not stored: ``n_top`` counts those at ``most``.
            n_low, n_high = low - start, stop - high
            if lack > 0:
                work, depth = _pull_to_zero(heap, depth, n_top, most, n_low, work)
                n_top = max(n_top - n_low, n * 0)
            else:
                n_top += n_low
            for place in range(low, high):
                amount = abs(n * passed[place] - have)
                work, depth, n_top = _pull(heap, depth, n_top, most, amount, work)
            if lack > 0:
                n_top += n_high
            else:
                work, depth = _pull_to_zero(heap, depth, n_top, most, n_high, work)
                n_top = max(n_top - n_high, n * 0)
            if j < end:
                k += counts[j]
            start = stop
        out[g] = work
    return out


@register_jitable
def _between(
    passed: Amounts, n: Any, have: Any, lack: Any, low: int, start: int, stop: int
) -> tuple[int, int]:
    """Find the places where the amount carried is strictly between 0 and ``lack``.

    From ``low`` on n times what was passed is at least ``have``.
    """
    high = low
    if lack > 0:
        while low < stop and n * passed[low] == have:
            low += 1
        high = low
        while high < stop and n * passed[high] < have + lack:
            high += 1
    else:
        while low > start and n * passed[low - 1] > have + lack:
            low -= 1
    return low, high


@register_jitable
def _outside(
    added: Amounts, n: Any, have: Any, lack: Any, places: tuple[int, int, int, int]
) -> Any:
    """Add up the distance from the bounds of the amounts that are not between them."""
    start, low, high, stop = places
    before = have if lack > 0 else have + lack
    after = have + lack if lack > 0 else have
    work = (low - start) * before - n * (added[low] - added[start])
    return work + n * (added[stop] - added[high]) - (stop - high) * after


@register_jitable
def _pull(
    heap: Amounts, depth: int, n_top: Any, most: Any, amount: Any, work: Any
) -> tuple[Any, int, Any]:
    """Put an amount on the heap; if there is a larger one, replace the largest by this amount.

    The heap is a rising array of ``depth`` amounts, and above them ``n_top`` times ``most``.
    """
    # The pulled-down amount becomes equal to the new one, so the new amount is stored twice.
    times = 1
    if n_top > 0:
        n_top -= 1
        work += most - amount
        times = 2
    elif depth > 0 and heap[depth - 1] > amount:
        depth -= 1
        work += heap[depth] - amount
        times = 2
    at = depth
    while at > 0 and heap[at - 1] > amount:
        heap[at - 1 + times] = heap[at - 1]
        at -= 1
    heap[at] = heap[at + times - 1] = amount
    return work, depth + times, n_top


@register_jitable
def _pull_to_zero(
    heap: Amounts, depth: int, n_top: Any, most: Any, how_many: int, work: Any
) -> tuple[Any, int]:
    """Replace this many of the largest amounts by zero; zeros need not be kept."""
    taken = min(n_top, how_many)
    work += taken * most
    left = how_many - taken
    while left > 0 and depth > 0:
        depth -= 1
        left -= 1
        work += heap[depth]
    return work, depth


steps_with_missing = njit(cache=True, nogil=True)(steps_with_missing_of_any_size)
"""`steps_with_missing_of_any_size`, compiled for 64-bit integers and floats."""
