"""Agreement: how far people and records agree, and the belief in a link that follows.

On each column a person and a record are on one of four levels: nothing is known (0), they disagree
(1), nearly agree (2), or agree (3).
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["believe", "compare", "expect", "first_peaks", "mark_levels"]

Levels = NDArray[np.uint8]


@njit(cache=True, nogil=True)
def mark_levels(
    indptr: CountArray,
    looks: CodeArray,
    a: CodeArray,
    a_bounds: CodeArray,
    a_near: CodeArray,
    a_tells: BoolArray,
    b: CodeArray,
    b_bounds: CodeArray,
    b_tells: BoolArray,
    close_indptr: CountArray,
    close: CodeArray,
    rarity: FloatArray,
    levels: Levels,
    weights: NDArray[np.float32],
) -> None:
    """Find the level of every pair on one column, and subtract its log-probability by chance.

    ``a[row]`` and ``b[look]`` are numbers of ranges; ``a_near`` are ranges widened to what is
    close, and ``close`` what is close to a single code. ``rarity[number, level]`` is minus the
    logarithm of the probability to see the level for a random person. O(1) for every pair, O(log)
    where codes are looked up.
    """
    for row in range(indptr.size - 1):
        x = a[row]
        lo, hi = a_bounds[x, 0], a_bounds[x, 1]
        for e in range(indptr[row], indptr[row + 1]):
            y = b[looks[e]]
            level = 0
            if a_tells[x] and b_tells[y]:
                level = 1
                if lo < b_bounds[y, 1] and b_bounds[y, 0] < hi:
                    level = 3
                elif a_near[x, 0] < b_bounds[y, 1] and b_bounds[y, 0] < a_near[x, 1]:
                    level = 2
                elif hi - lo == 1 and close_indptr[lo] < close_indptr[lo + 1]:
                    # The codes close to a single code need not be a range: look for one inside the
                    # record's range.
                    at = np.searchsorted(
                        close[close_indptr[lo] : close_indptr[lo + 1]], b_bounds[y, 0]
                    )
                    at += close_indptr[lo]
                    if at < close_indptr[lo + 1] and close[at] < b_bounds[y, 1]:
                        level = 2
            levels[e] = level
            weights[e] += rarity[y, level]


@njit(cache=True, nogil=True)
def expect(
    indptr: CountArray,
    looks: CodeArray,
    levels: Levels,
    weights: NDArray[np.float32],
    sizes: CountArray,
    people: FloatArray,
    log_m: FloatArray,
    present: float,
    n_records: int,
) -> tuple[FloatArray, float, float]:
    """Add up how often people's own records are expected on each level of each column.

    ``levels`` has a row for every column. Returns these sums, how many people are expected to have
    a record, and the log-likelihood.
    """
    d = levels.shape[0]
    sums = np.zeros((d, 4), np.float64)
    met, likelihood, widest = 0.0, 0.0, 0
    for row in range(indptr.size - 1):
        widest = max(widest, indptr[row + 1] - indptr[row])
    ratios = np.empty(widest, np.float64)
    for row in range(indptr.size - 1):
        total = 0.0
        for e in range(indptr[row], indptr[row + 1]):
            ratio = sizes[looks[e]] * _ratio(levels, weights, log_m, e)
            ratios[e - indptr[row]] = ratio
            total += ratio
        # A priori each record is the person's with probability present / n. All likelihoods are
        # relative to a random record, for which the ratio is 1; so it is for having no record.
        scale = present / n_records
        below = 1 - present + scale * total
        likelihood += people[row] * np.log(below)
        for e in range(indptr[row], indptr[row + 1]):
            share = ratios[e - indptr[row]] * people[row] * scale / below
            met += share
            for j in range(d):
                sums[j, levels[j, e]] += share
    return sums, met, likelihood


@njit(cache=True, nogil=True)
def believe(
    indptr: CountArray,
    looks: CodeArray,
    levels: Levels,
    weights: NDArray[np.float32],
    sizes: CountArray,
    log_m: FloatArray,
    present: float,
    n_records: int,
) -> FloatArray:
    """Compute for every pair the probability that a record of this look is the person's."""
    belief = np.empty(looks.size, np.float64)
    scale = present / n_records
    for row in range(indptr.size - 1):
        below = 1 - present
        for e in range(indptr[row], indptr[row + 1]):
            below += scale * sizes[looks[e]] * _ratio(levels, weights, log_m, e)
        for e in range(indptr[row], indptr[row + 1]):
            belief[e] = scale * _ratio(levels, weights, log_m, e) / below
    return belief


@njit(cache=True, nogil=True, inline="always")
def _ratio(levels: Levels, weights: NDArray[np.float32], log_m: FloatArray, e: int) -> float:
    # Likelihood ratios of columns multiply, so their logarithms are added before one exponential.
    total = np.float64(weights[e])
    for j in range(levels.shape[0]):
        total += log_m[j, levels[j, e]]
    return float(np.exp(total))


@njit(cache=True, nogil=True)
def compare(
    levels: Levels, weights: NDArray[np.float32], log_m: FloatArray, scale: float
) -> FloatArray:
    """Compute for every pair how much likelier it is than having no record, times ``scale``."""
    ratios = np.empty(weights.size, np.float64)
    for e in range(weights.size):
        ratios[e] = scale * _ratio(levels, weights, log_m, e)
    return ratios


@njit(cache=True, nogil=True)
def first_peaks(indptr: CountArray, belief: FloatArray) -> CountArray:
    """Find the entry of every row with the highest value, the first of several; -1 if empty."""
    best = np.empty(indptr.size - 1, np.int64)
    for row in range(indptr.size - 1):
        at = -1
        for e in range(indptr[row], indptr[row + 1]):
            if at < 0 or belief[e] > belief[at]:
                at = e
        best[row] = at
    return best
