"""Numbers on a line, cut into stretches that differ least within themselves."""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.typing import CodeArray, FloatArray

__all__ = ["cut_line"]


@njit(cache=True, nogil=True)
def cut_line(values: FloatArray, k: int) -> tuple[CodeArray, float]:
    """Cut rising numbers into stretches of at least ``k`` with the least sum of squares within.

    A stretch of 2k or more is never better than its two halves, so the way to the end of every
    stretch is the cheapest of at most k ways: a shortest path. The squares of a stretch are added
    up from its end to its beginning around a mean that moves along, which loses no digits. Of ways
    that cost the same, the one with the shorter last stretch is taken. O(n k).

    Gives the stretch of every number, and the sum of squares within stretches.
    """
    n = values.size
    cost, size = np.full(n + 1, np.inf), np.zeros(n + 1, np.int64)
    cost[0] = 0.0
    for end in range(k, n + 1):
        mean, squares = 0.0, 0.0
        for m in range(1, min(2 * k - 1, end) + 1):
            value = values[end - m]
            step = value - mean
            mean += step / m
            squares += step * (value - mean)
            if m >= k and cost[end - m] + squares < cost[end]:
                cost[end], size[end] = cost[end - m] + squares, m
    labels = np.empty(n, np.int32)
    end, n_stretches = n, 0
    while end > 0:
        end -= size[end]
        n_stretches += 1
    end = n
    for label in range(n_stretches - 1, -1, -1):
        for i in range(end - size[end], end):
            labels[i] = label
        end -= size[end]
    return labels, cost[n]
