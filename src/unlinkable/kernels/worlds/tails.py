"""Tails: a bound on the posterior belief in a value, if some part of a group has too much of it.

For groups that are too large to count all worlds. The bound follows from the probabilities that
single parts have too much of the value, which are tails of hypergeometric distributions.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from unlinkable.typing import CountArray

__all__ = ["bound_credibility"]

_RARE = 1e-6
"""If it is rarer than this that any part has too much, probabilities are compared by logarithms."""

_VAST = 1e200
"""Sums that grow above this are scaled down."""


@njit(cache=True, nogil=True)
def bound_credibility(sizes: CountArray, caps: CountArray, n: int, j: int) -> tuple[float, int]:
    """Bound the highest posterior belief of n people in several parts, j of whom have a value.

    Let P_k be the probability that part k is above its cap. The numbers of people of each part who
    have the value are negatively associated (Joag-Dev and Proschan 1983), so some part is above its
    cap with a probability of at least 1 - prod (1 - P_k). The event that some part is above its cap
    and a person of part i has the value is no likelier than that the person has it, and no likelier
    than the sum over k of the probabilities that part k is above and the person has it. Also
    returns the size of the part for which the bound is highest. O(n).
    """
    order = np.argsort(sizes)
    logs, own, other = np.empty(sizes.size), np.empty(sizes.size), np.empty(sizes.size)
    for at in range(sizes.size):
        i = order[at]
        # Parts of one size have the same cap and the same tail: it is computed once.
        if at > 0 and sizes[order[at - 1]] == sizes[i]:
            same = order[at - 1]
            logs[i], own[i], other[i] = logs[same], own[same], other[same]
        else:
            logs[i], own[i], other[i] = _tail(sizes[i], caps[i], n, j)
    scale = logs.max()
    # No part can be above its cap, so the value was not the reason for merging and tells nothing.
    if scale == -np.inf:
        return j / n, sizes[0]
    none, some, likely = 0.0, 0.0, 0.0
    for i in range(sizes.size):
        # All terms are divided by the largest probability, exp(scale), so that none underflows to
        # 0.
        chance = np.exp(logs[i])
        none += np.log1p(-chance) if chance < 1 else -np.inf
        some += np.exp(logs[i] - scale)
        likely += np.exp(logs[i] - scale) * other[i]
    any_part = -np.expm1(none)
    if any_part < _RARE:
        # For probabilities this small, 1 - prod (1 - P_k) is at least (1 - _RARE) times their sum.
        any_part, most = some * (1 - _RARE), np.inf
    else:
        any_part, most = any_part * np.exp(-scale), np.exp(-scale) * j / n
    best, who = 0.0, sizes[0]
    for i in range(sizes.size):
        # The person is inside part i and outside all others, so only the term of part i is
        # exchanged.
        mine = min(most, likely + np.exp(logs[i] - scale) * (own[i] - other[i]))
        if mine > best:
            best, who = mine, sizes[i]
    return min(best / any_part, 1.0), who


@njit(cache=True, nogil=True)
def _tail(size: int, cap: int, n: int, j: int) -> tuple[float, float, float]:
    """Compute the logarithm of the probability that a part of a group is above its cap.

    Also the share of the part that has the value then, and the share of everybody else.
    """
    # At least j - (n - size) people of the part have the value, because no more fit outside it.
    first, last = max(cap + 1, j - (n - size), 0), min(size, j)
    if first > last:
        return -np.inf, 0.0, 0.0
    log = (
        _log_ways(size, first) + _log_ways(n - size, j - first) - _log_ways(n, j)
    )  # the first term, to which all others are compared
    term, total, sum_k = 1.0, 1.0, float(first)
    for k in range(first, last):
        # This is the quotient of two consecutive hypergeometric probabilities, for k + 1 and for k.
        term *= (size - k) / (k + 1) * ((j - k) / (n - size - j + k + 1))
        total += term
        sum_k += term * (k + 1)
        if total > _VAST:
            term, total, sum_k = term / _VAST, total / _VAST, sum_k / _VAST
            log += math.log(_VAST)
    mean = sum_k / total
    return min(log + math.log(total), 0.0), mean / size, (j - mean) / (n - size)


@njit(cache=True, nogil=True)
def _log_ways(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
