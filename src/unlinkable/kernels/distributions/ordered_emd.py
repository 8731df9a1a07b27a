"""Ordered earth mover's distance: the work of turning the values of groups into others on a line.

Arguments are those of `unlinkable.kernels.distributions.emd`. ``ranks`` maps a value to its place
on the line, ``below[w, r]`` counts the records of the reference of group ``g`` with ``which[g] ==
w`` up to place r, and ``area[w, r]`` is the sum of the first r of these. Between two values of a
group its cumulative count stays the same, and that of the reference only grows. So there is one
place at which the reference overtakes the group, and sums on both sides of it come from ``area``.

With a missing value, one value lies apart from the line of all others.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numba.extending import register_jitable
from numpy.typing import NDArray

from unlinkable.typing import BoolArray, CodeArray, CountArray

__all__ = [
    "first_place",
    "meeting_places",
    "steps",
    "steps_of_any_size",
    "steps_with_missing",
    "steps_with_missing_of_any_size",
]

Amounts = NDArray[Any]


@njit(cache=True, nogil=True)
def meeting_places(
    is_there: BoolArray, below: CountArray, total: int
) -> tuple[CountArray, CountArray]:
    """Find where a table overtakes groups, after k of their n records, for all k.

    ``below[r]`` counts the records of the table up to place r, out of ``total``. The first place at
    which the table has reached as large a share is ``places[starts[n] + k]``, for every n with
    ``is_there[n]``; -1 in ``starts`` for the others. O(sum of all n).
    """
    starts = np.full(is_there.size, -1, np.int64)
    size = 0
    for n in range(is_there.size):
        if is_there[n]:
            starts[n] = size
            size += n + 1
    places = np.empty(size, np.int64)
    for n in range(is_there.size):
        if is_there[n]:
            place = 0
            for k in range(n + 1):
                # Shares k / n and below / total are compared crosswise. The place only grows with
                # k, so the scan goes on from the last one.
                while place < below.size and n * below[place] < k * total:
                    place += 1
                places[starts[n] + k] = place
    return starts, places


def steps_of_any_size(
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
    """Add up what is carried past each of m places. O(s) for s entries; at most m * n * N.

    O(s log m) for groups larger than `meeting_places` covers.
    """
    m = below.shape[1]
    out = np.zeros(sizes.size, counts.dtype)
    for g in range(sizes.size):
        passed, added, total, n = below[which[g]], area[which[g]], totals[which[g]], sizes[g]
        known = starts[int(n)] if n < starts.size else -1
        k = work = n * 0
        start = 0
        # One turn more than there are entries covers the places after the last value of the group.
        for j in range(indptr[g], indptr[g + 1] + 1):
            stop = m if j == indptr[g + 1] else ranks[values[j]]
            have = k * total
            if known >= 0:
                low = min(max(places[known + int(k)], start), stop)
            else:
                low = first_place(passed, n, have, start, stop)
            # From ``start`` to ``low`` the group is ahead and the work is have - n * passed for
            # each place; from ``low`` to ``stop`` it is the opposite. Both sums are put together
            # here.
            work += (2 * low - start - stop) * have
            work += n * (added[stop] - 2 * added[low] + added[start])
            if j < indptr[g + 1]:
                k += counts[j]
            start = stop
        out[g] = work
    return out


@register_jitable
def first_place(passed: Amounts, n: Any, have: Any, start: int, stop: int) -> int:
    """Find the first place from ``start`` on at which n times what was passed is enough."""
    low, high = start, stop
    while low < high:
        middle = (low + high) // 2
        if n * passed[middle] < have:
            low = middle + 1
        else:
            high = middle
    return low


steps = njit(cache=True, nogil=True)(steps_of_any_size)
"""`steps_of_any_size`, compiled for 64-bit integers and floats."""


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
