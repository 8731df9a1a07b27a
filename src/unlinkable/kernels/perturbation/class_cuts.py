"""Class cuts: sorted numbers are cut where that reveals most about a class."""

from __future__ import annotations

import math

from numba import njit

from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["best_class_cut"]

_CLOSE = 1e-12
"""Gains that differ by less, in bits for each record, are taken for equal."""


@njit(cache=True, nogil=True)
def best_class_cut(
    numbers: FloatArray,
    classes: CodeArray,
    start: int,
    stop: int,
    low: CountArray,
    high: CountArray,
) -> int:
    """Find where the records ``start:stop``, sorted by their numbers, are best cut in two.

    The cut is between different numbers, and minimizes the entropy of the class that remains in the
    two parts, weighted by their sizes; of equal cuts it is the lowest. O(n) for n records.

    Parameters
    ----------
    numbers, classes
        The records, sorted by their numbers.
    start, stop
        Which of them are to be cut.
    low, high
        Room for a count of every class, 0 before and afterwards.

    Returns
    -------
    int
        The first record of the upper part; -1 if all numbers are the same.
    """
    low_sum, high_sum = 0.0, 0.0
    for i in range(start, stop):
        high[classes[i]] += 1
        # n times the entropy is n log n - sum c log c. One record changes one count, so the sum is
        # kept up to date by the difference of two terms.
        high_sum += _n_log_n(high[classes[i]]) - _n_log_n(high[classes[i]] - 1)
    n = stop - start
    best, at = math.inf, -1
    for i in range(start, stop - 1):
        c = classes[i]
        low_sum += _n_log_n(low[c] + 1) - _n_log_n(low[c])
        high_sum += _n_log_n(high[c] - 1) - _n_log_n(high[c])
        low[c] += 1
        high[c] -= 1
        # Equal numbers cannot be separated by a cut.
        if numbers[i] == numbers[i + 1]:
            continue
        n_low = i + 1 - start
        left = _n_log_n(n_low) - low_sum + _n_log_n(n - n_low) - high_sum
        # The tolerance keeps rounding from preferring a later cut over an equal earlier one.
        if left < best - _CLOSE * n:
            best, at = left, i + 1
    # Only the entries that were used are cleared: O(n), however many classes there are.
    for i in range(start, stop):
        low[classes[i]] = high[classes[i]] = 0
    return at


@njit(cache=True, nogil=True)
def _n_log_n(n: int) -> float:
    return n * math.log2(n) if n > 0 else 0.0
