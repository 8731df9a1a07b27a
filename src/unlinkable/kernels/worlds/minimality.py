"""Minimality: posterior belief in a value, if groups are merged only where a part has too much.

Groups come as two CSR matrices. ``sizes[indptr[g]:indptr[g + 1]]`` are the parts of group ``g``,
``caps`` how many people of each may have a value without a need to merge.
``times[at[g]:at[g + 1]]`` is how many people of the group have each of its values; ``is_asked``
marks the values of interest.

Groups that are too large to count all worlds get an upper bound instead. It follows from the
probabilities that single parts have too much of the value, which are tails of hypergeometric
distributions.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from unlinkable.typing import BoolArray, CountArray, FloatArray

__all__ = ["bound_credibility", "greatest_credibilities"]


@njit(cache=True, nogil=True)
def greatest_credibilities(
    indptr: CountArray,
    sizes: CountArray,
    caps: CountArray,
    at: CountArray,
    times: CountArray,
    is_asked: BoolArray,
    largest: int,
) -> tuple[FloatArray, CountArray, BoolArray]:
    """Compute the highest posterior belief of any person of each group in each of its values.

    Also returns the size of that person's part, and whether the belief was counted exactly. A world
    says how many people of each part have the value. It is possible if some part has more than its
    cap, and its weight is the number of ways to choose these people. Where no world is possible,
    the group was merged for another reason and all people are equally likely; so they are where all
    parts have one size. Groups of more than ``largest`` people, at most 1000, are not counted: they
    get an upper bound. O(d n j) for n people, j of whom have the value, in parts of d different
    sizes.
    """
    out, who = np.zeros(times.size, np.float64), np.zeros(times.size, np.int64)
    is_counted = np.ones(times.size, np.bool_)
    scratch = np.empty((3, largest + 1), np.float64)
    for g in range(at.size - 1):
        part, cap = sizes[indptr[g] : indptr[g + 1]], caps[indptr[g] : indptr[g + 1]]
        n = part.sum()
        is_even = part.size > 0 and part.min() == part.max()
        for e in range(at[g], at[g + 1]):
            if not is_asked[e]:
                continue
            if is_even:
                out[e], who[e] = times[e] / n, part[0]
            # No sum exceeds n choose j, which is below 10^300 for 1000 people and so fits into a
            # float.
            elif n <= largest:
                out[e], who[e] = _count(part, cap, times[e], scratch)
            else:
                is_counted[e] = False
                out[e], who[e] = bound_credibility(part, cap, n, times[e])
    return out, who, is_counted


@njit(cache=True, nogil=True)
def _count(sizes: CountArray, caps: CountArray, j: int, scratch: FloatArray) -> tuple[float, int]:
    """Find the part whose people are likeliest; those of parts of one size are equally likely."""
    best, who = j / sizes.sum(), sizes[0]
    for i in range(sizes.size):
        if _is_first_of_size(sizes, i):
            _worlds_without(sizes, caps, i, j, scratch[0], scratch[1], scratch[2])
            chance = _credibility(sizes[i], caps[i], j, scratch[0], scratch[1])
            if chance > best:
                best, who = chance, sizes[i]
    return best, who


@njit(cache=True, nogil=True)
def _is_first_of_size(sizes: CountArray, i: int) -> bool:
    is_first = True
    for k in range(i):
        is_first = is_first and sizes[k] != sizes[i]
    return is_first


@njit(cache=True, nogil=True)
def _worlds_without(
    sizes: CountArray,
    caps: CountArray,
    left_out: int,
    j: int,
    calm: FloatArray,
    torn: FloatArray,
    ways: FloatArray,
) -> None:
    """Count the worlds of all parts but one, by how many people have the value.

    In ``calm`` worlds no part is above its cap, in ``torn`` ones some part is. Everything is added
    and multiplied, nothing is subtracted: no digits are lost.
    """
    calm[: j + 1] = 0.0
    torn[: j + 1] = 0.0
    calm[0] = 1.0
    n = 0
    for i in range(sizes.size):
        if i == left_out:
            continue
        most = min(sizes[i], j)
        ways[0] = 1.0
        for k in range(1, most + 1):
            ways[k] = ways[k - 1] * (sizes[i] - k + 1) / k
        n += sizes[i]
        # Totals fall, so the entries that a step reads have not been overwritten yet.
        for total in range(min(n, j), -1, -1):
            quiet, loud = 0.0, 0.0
            for k in range(min(most, total) + 1):
                if k <= caps[i]:
                    quiet += ways[k] * calm[total - k]
                    loud += ways[k] * torn[total - k]
                else:
                    loud += ways[k] * (calm[total - k] + torn[total - k])
            calm[total], torn[total] = quiet, loud


@njit(cache=True, nogil=True)
def _credibility(size: int, cap: int, j: int, calm: FloatArray, torn: FloatArray) -> float:
    """Compute the belief that a person of this part has the value, given the worlds of the rest."""
    ways, mine, total = 1.0, 0.0, 0.0
    for k in range(min(size, j) + 1):
        if k > 0:
            ways *= (size - k + 1) / k
        # A world is possible if another part is above its cap, or if this one is.
        worlds = ways * (torn[j - k] + (calm[j - k] if k > cap else 0.0))
        mine += worlds * k / size
        total += worlds
    return mine / total if total > 0 else 0.0


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
