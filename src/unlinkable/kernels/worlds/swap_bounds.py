"""Swaps: a bound on the posterior belief in a value, from the worlds in which two people swap."""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.typing import CountArray, FloatArray

__all__ = ["bound_chances"]

_VAST = 1e300
"""Larger ratios are replaced by this: a smaller ratio only makes the bound weaker."""


@njit(cache=True, nogil=True)
def bound_chances(
    weights: FloatArray, n_each: CountArray, room: CountArray, out: FloatArray
) -> None:
    """Bound the probability that each kind of person has each value, for groups of any size.

    Let t have x in a world, and u have y. In the world in which they swap, the weight is multiplied
    by w(t,y) w(u,x) / (w(t,x) w(u,y)). Let the swaps of a world together weigh at least D times as
    much as the world itself, over all u who have another value. Every world in which t has another
    value is the swap of exactly f worlds, where f is the number of people with x. So these worlds
    weigh at least D / f times as much as the worlds in which t has x, and the probability of x is
    at most f / (f + D). D is no less than the sum over y of w(t,y) / w(t,x) times the sum of the
    least ratios w(u,x) / w(u,y), of as many people as have y. NaN where too few people can have a
    value. O(u v^2 log u) for u kinds of people and v values.
    """
    n_kinds, n_values = weights.shape
    for x in range(n_values):
        least = _least_ratios(weights, n_each, room, x)
        for t in range(n_kinds):
            swapped = 0.0
            for y in range(n_values):
                if weights[t, y] > 0:
                    swapped += weights[t, y] * least[y]
            # The fraction f / (f + D) is expanded by w(t,x), so a weight of 0 needs no division.
            have = room[x] * weights[t, x]
            out[t, x] = have / (have + swapped) if have > 0 else 0.0
    # With fewer people able to have a value than records that have it, no world is possible.
    for x in range(n_values):
        able = 0
        for u in range(n_kinds):
            able += n_each[u] if weights[u, x] > 0 else 0
        if able < room[x]:
            out[:] = np.nan


@njit(cache=True, nogil=True)
def _least_ratios(weights: FloatArray, n_each: CountArray, room: CountArray, x: int) -> FloatArray:
    """Sum for each other value y the least ratios of x to y, of as many people as have y."""
    least, ratios = np.zeros(room.size, np.float64), np.empty(n_each.size, np.float64)
    for y in range(room.size):
        if y == x:
            continue
        for u in range(n_each.size):
            # People who cannot have y come last, so they are used only if nobody else is left.
            ratios[u] = np.inf
            if weights[u, y] > 0:
                ratios[u] = min(weights[u, x] / weights[u, y], _VAST)
        left = room[y]
        # Nobody knows who has y. The smallest ratios give a lower bound whoever they are.
        for u in np.argsort(ratios):
            taken = min(left, n_each[u])
            if taken > 0:
                least[y] += taken * ratios[u]
                left -= taken
    return least
