"""Narrow runs: sorted numbers are cut into runs whose ranges add up to the least."""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.typing import CountArray

__all__ = ["narrowest_runs"]


@njit(cache=True, nogil=True)
def narrowest_runs(numbers: CountArray, k: int, e: int) -> CountArray:
    """Cut rising numbers into runs of at least ``k``, each over a range of at least ``e``.

    Returns where each run begins, such that the sum of their ranges is least; of several optimal
    cuts, one with the most runs. Empty if there is no such cut. The least cost for the first j
    numbers is ``numbers[j - 1] + min(cost[i] - numbers[i])`` over all i at which the last run may
    begin. The set of these i only grows with j, so the minimum is kept up to date: O(n), where
    looking at all pairs takes O(n^2). Differences of numbers must fit into 64 bits.
    """
    n = numbers.size
    cost, runs = np.zeros(n + 1, np.int64), np.full(n + 1, -1, np.int64)
    begin = np.zeros(n + 1, np.int64)
    runs[0] = 0
    best, best_runs, best_at, reach = 0, -1, -1, 0
    for j in range(1, n + 1):
        # Both conditions stay true for larger j: an i that was admitted once need not be looked at
        # again. A negative ``runs`` marks a prefix that cannot be cut.
        while reach <= j - k and numbers[j - 1] - numbers[reach] >= e:
            if runs[reach] >= 0:
                # The smallest number is subtracted, so that only differences of numbers are formed.
                gain = cost[reach] - (numbers[reach] - numbers[0])
                is_first = best_at < 0
                if is_first or gain < best or (gain == best and runs[reach] > best_runs):
                    best, best_runs, best_at = gain, runs[reach], reach
            reach += 1
        if best_at >= 0:
            cost[j] = numbers[j - 1] - numbers[0] + best
            runs[j] = best_runs + 1
            begin[j] = best_at
    if runs[n] <= 0:
        return np.zeros(0, np.int64)
    out = np.empty(runs[n], np.int64)
    j = n
    # The runs are read backwards, from the one that ends with the last number.
    for run in range(runs[n] - 1, -1, -1):
        j = begin[j]
        out[run] = j
    return out
