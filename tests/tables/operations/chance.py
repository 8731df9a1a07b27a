"""Tests of chance: whether numbers are distributed as they should be.

A test that is true to its distribution raises a false alarm once in a million runs (`ALARM`). Seeds
are fixed, so that it does so always or never.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

__all__ = ["ALARM", "fits", "fits_counts"]

ALARM = 1e-6
"""How often a test raises a false alarm."""


def fits(sample: ArrayLike, cdf: Callable[..., object]) -> bool:
    """Whether numbers may well have this distribution, by the test of Kolmogorov and Smirnov."""
    return bool(stats.kstest(np.asarray(sample, float), cdf).pvalue >= ALARM)


def fits_counts(counts: Sequence[int], chances: Sequence[float]) -> bool:
    """Whether counts may well have come from these chances, by a chi-square test."""
    seen, p = np.array(counts, float), np.array(chances, float)
    if (seen[p == 0] > 0).any():
        return False
    seen, p = seen[p > 0], p[p > 0]
    if len(p) == 1:
        return True
    return bool(stats.chisquare(seen, seen.sum() * p / p.sum()).pvalue >= ALARM)
