"""Optimal univariate microaggregation: sorted numbers are cut into groups of least variance."""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.typing import CodeArray, FloatArray

__all__ = ["cut_line"]


@njit(cache=True, nogil=True)
def cut_line(values: FloatArray, k: int) -> tuple[CodeArray, float]:
    """Cut rising numbers into runs of at least ``k`` with the least sum of squares within runs.

    A run of 2k or more is never better than its two halves, so the last run has between k and
    2k - 1 numbers, and the best cut of every prefix is the cheapest of at most k choices: a
    shortest path. The squares of a run are added up from its end to its beginning with a running
    mean, which is numerically stable. Of cuts that cost the same, the one with the shorter last run
    is taken. O(n k).

    Returns the run of every number, and the sum of squares within runs.
    """
    n = values.size
    cost, size = np.full(n + 1, np.inf), np.zeros(n + 1, np.int64)
    cost[0] = 0.0
    # ``cost[end]`` is the least cost of cutting the first ``end`` numbers; prefixes shorter than k
    # cannot be cut and stay infinite.
    for end in range(k, n + 1):
        mean, squares = 0.0, 0.0
        for m in range(1, min(2 * k - 1, end) + 1):
            # Welford's update: the squares are those around the mean of the last m numbers.
            value = values[end - m]
            step = value - mean
            mean += step / m
            squares += step * (value - mean)
            if m >= k and cost[end - m] + squares < cost[end]:
                cost[end], size[end] = cost[end - m] + squares, m
    labels = np.empty(n, np.int32)
    # The best cut is read backwards through the sizes of the last runs, once to count the runs.
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
