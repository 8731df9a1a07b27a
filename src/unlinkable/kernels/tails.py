"""How likely somebody has a value at most, if some part of his group has too much of it.

For groups that are too large for all worlds to be counted: from the chances that single parts have
too much of it, which are tails of hypergeometric distributions.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from unlinkable.typing import CountArray

__all__ = ["bound_credibility"]

_RARE = 1e-6
"""If it is as rare as this that any part has too much, chances are compared by their logarithms."""

_VAST = 1e200
"""Sums that grow above this are scaled down."""


@njit(cache=True, nogil=True)
def bound_credibility(sizes: CountArray, caps: CountArray, n: int, j: int) -> tuple[float, int]:
    """Bound how likely the likeliest of n people in several parts has a value that j of them have.

    Let P_k be how likely part k is above its cap. How many people of each part have the value is
    negatively associated (Joag-Dev and Proschan 1983), so that some part is above its cap with a
    chance of at least 1 - prod (1 - P_k). That it is, and somebody of part i has the value, is no
    likelier than that he has it, and than the sum over k of the chances that part k is above and he
    has it. Also says how large the part is for which the bound is highest. O(n).
    """
    order = np.argsort(sizes)
    logs, own, other = np.empty(sizes.size), np.empty(sizes.size), np.empty(sizes.size)
    for at in range(sizes.size):
        i = order[at]
        if at > 0 and sizes[order[at - 1]] == sizes[i]:
            same = order[at - 1]
            logs[i], own[i], other[i] = logs[same], own[same], other[same]
        else:
            logs[i], own[i], other[i] = _tail(sizes[i], caps[i], n, j)
    scale = logs.max()
    if scale == -np.inf:
        return j / n, sizes[0]
    none, some, likely = 0.0, 0.0, 0.0
    for i in range(sizes.size):
        chance = np.exp(logs[i])
        none += np.log1p(-chance) if chance < 1 else -np.inf
        some += np.exp(logs[i] - scale)
        likely += np.exp(logs[i] - scale) * other[i]
    any_part = -np.expm1(none)
    if any_part < _RARE:
        any_part, most = some * (1 - _RARE), np.inf
    else:
        any_part, most = any_part * np.exp(-scale), np.exp(-scale) * j / n
    best, who = 0.0, sizes[0]
    for i in range(sizes.size):
        mine = min(most, likely + np.exp(logs[i] - scale) * (own[i] - other[i]))
        if mine > best:
            best, who = mine, sizes[i]
    return min(best / any_part, 1.0), who


@njit(cache=True, nogil=True)
def _tail(size: int, cap: int, n: int, j: int) -> tuple[float, float, float]:
    """Compute how likely a part of a group is above its cap: its logarithm.

    Also what share of the part has the value then, and what share of everybody else.
    """
    first, last = max(cap + 1, j - (n - size), 0), min(size, j)
    if first > last:
        return -np.inf, 0.0, 0.0
    log = (
        _log_ways(size, first) + _log_ways(n - size, j - first) - _log_ways(n, j)
    )  # the first term, to which all others are compared
    term, total, sum_k = 1.0, 1.0, float(first)
    for k in range(first, last):
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
