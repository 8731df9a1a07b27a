"""Minimality: posterior belief in a value, if groups are merged only where a part has too much.

Groups come as two CSR matrices. ``sizes[indptr[g]:indptr[g + 1]]`` are the parts of group ``g``,
``caps`` how many people of each may have a value without a need to merge.
``times[at[g]:at[g + 1]]`` is how many people of the group have each of its values; ``is_asked``
marks the values of interest.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.kernels.worlds.tails import bound_credibility
from unlinkable.typing import BoolArray, CountArray, FloatArray

__all__ = ["greatest_credibilities"]


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
