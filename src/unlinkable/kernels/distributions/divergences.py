"""Divergences: how much the distribution of values in a group differs from a reference.

Arguments are those of `unlinkable.kernels.distributions.emd`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["relative_entropies", "squared_hellinger"]

Amounts = NDArray[Any]


@njit(cache=True, nogil=True)
def relative_entropies(
    indptr: CountArray,
    values: CodeArray,
    counts: CountArray,
    sizes: CountArray,
    whole: CountArray,
    totals: CountArray,
    which: CodeArray,
) -> FloatArray:
    """Compute sum p log(p / q) of every group, in nats. O(s) for s entries.

    Infinite where a value of the group does not occur in the reference. A quotient of equal shares
    is exactly 1: groups with the distribution of the reference are at exactly 0.
    """
    out = np.zeros(sizes.size, np.float64)
    for g in range(sizes.size):
        there, total, n = whole[which[g]], totals[which[g]], sizes[g]
        gain = 0.0
        for j in range(indptr[g], indptr[g + 1]):
            p, q = counts[j] / n, there[values[j]] / total
            gain += p * np.log(p / q) if q > 0 else np.inf
        out[g] = gain
    return out


@njit(cache=True, nogil=True)
def squared_hellinger(
    indptr: CountArray,
    values: CodeArray,
    counts: Amounts,
    sizes: Amounts,
    whole: Amounts,
    totals: Amounts,
    which: CodeArray,
) -> FloatArray:
    """Compute 1 - sum sqrt(p q) of every group, accurately also where it is small.

    O(s) for s entries. It is half the sum of (sqrt p - sqrt q)^2, in which sqrt p - sqrt q is
    (p - q) / (sqrt p + sqrt q), and p - q a quotient of integers. Values that the group lacks add
    q.
    """
    out = np.zeros(sizes.size, np.float64)
    for g in range(sizes.size):
        there, total, n = whole[which[g]], totals[which[g]], sizes[g]
        absent, twice = total, 0.0
        for j in range(indptr[g], indptr[g + 1]):
            w = there[values[j]]
            absent -= w
            # The numerator is an exact integer: it does not cancel, as 1 - sum sqrt(p q) would near
            # 0.
            excess = (counts[j] * total - w * n) / (float(n) * total)
            roots = np.sqrt(counts[j] / n) + np.sqrt(w / total)
            twice += (excess / roots) ** 2
        if n > 0:
            # What is left of the total belongs to values that the group lacks, where p is 0.
            out[g] = (twice + absent / total) / 2
    return out
