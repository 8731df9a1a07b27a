"""How much the shares of values in groups differ from others, value by value.

Arguments are those of `unlinkable.kernels.emd`.
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

    Infinite where a value of the group does not occur in what it is compared with. A quotient of
    equal shares is exactly 1: groups that are like the others are at 0.
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
    """Compute 1 - sum sqrt(p q) of every group, to the last digits also where it is small.

    O(s) for s entries. It is half the sum of (sqrt p - sqrt q)^2, in which sqrt p - sqrt q is
    (p - q) / (sqrt p + sqrt q), and p - q a quotient of whole numbers; values that the group lacks
    add q.
    """
    out = np.zeros(sizes.size, np.float64)
    for g in range(sizes.size):
        there, total, n = whole[which[g]], totals[which[g]], sizes[g]
        absent, twice = total, 0.0
        for j in range(indptr[g], indptr[g + 1]):
            w = there[values[j]]
            absent -= w
            excess = (counts[j] * total - w * n) / (float(n) * total)
            roots = np.sqrt(counts[j] / n) + np.sqrt(w / total)
            twice += (excess / roots) ** 2
        if n > 0:
            out[g] = (twice + absent / total) / 2
    return out
