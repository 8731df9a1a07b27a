"""Rank swapping: values whose ranks are close to each other are exchanged."""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["sorted_places", "swap_ranks"]


@njit(cache=True, nogil=True)
def sorted_places(codes: CodeArray, mixed: CodeArray, n_codes: int) -> CodeArray:
    """Sort records by their codes, equal ones in the order in which ``mixed`` lists them.

    O(n + c) for n records and c codes.
    """
    # A counting sort: after the running sum, ``free[c]`` is where the records of code c start. It
    # is stable, so a shuffled ``mixed`` breaks ties at random.
    free = np.zeros(n_codes + 1, np.int64)
    for i in range(mixed.size):
        free[codes[mixed[i]] + 1] += 1
    for c in range(n_codes):
        free[c + 1] += free[c]
    order = np.empty(mixed.size, np.int32)
    for i in range(mixed.size):
        c = codes[mixed[i]]
        order[free[c]] = mixed[i]
        free[c] += 1
    return order


@njit(cache=True, nogil=True)
def swap_ranks(order: CodeArray, reach: int, chance: FloatArray, partner: CountArray) -> int:
    """Pair every free rank with a random free one at most ``reach`` above it.

    Ranks are visited from the lowest. The free ranks above the current one that are within reach
    stand in a list in any order; one of them is drawn and removed from the list. O(n).

    Parameters
    ----------
    order
        The records by rank.
    reach
        How far apart the ranks of a pair may be.
    chance
        For every rank a random number from 0 up to, not including, 1.
    partner
        Receives the partner of each record; records without one are left as they are.

    Returns
    -------
    int
        How many pairs were made.
    """
    n = order.size
    free = np.empty(n, np.int32)
    place = np.full(n, -1, np.int32)
    n_free, reached, n_pairs = 0, 0, 0
    for rank in range(n):
        # Every rank enters the list once, when the current rank comes within reach of it.
        while reached < n and reached <= rank + reach:
            free[n_free], place[reached] = reached, n_free
            n_free, reached = n_free + 1, reached + 1
        # A rank that has left the list already was drawn as a partner of a lower one.
        if place[rank] < 0:
            continue
        n_free = _leave(free, place, rank, n_free)
        if n_free == 0:
            continue
        other = free[int(chance[rank] * n_free)]
        n_free = _leave(free, place, other, n_free)
        partner[order[rank]], partner[order[other]] = order[other], order[rank]
        n_pairs += 1
    return n_pairs


@njit(cache=True, nogil=True)
def _leave(free: CodeArray, place: CodeArray, rank: int, n_free: int) -> int:
    """Take a rank out of the list, and give the length that is left."""
    # The last of the list fills the gap: the order does not matter, and removal takes O(1).
    last = free[n_free - 1]
    free[place[rank]], place[last] = last, place[rank]
    place[rank] = -1
    return n_free - 1
