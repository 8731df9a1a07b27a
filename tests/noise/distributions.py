"""Distributions of noise, by their definitions, and how well draws fit them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations

import numpy as np
from scipy import stats

from unlinkable.typing import CountArray, FloatArray

__all__ = ["FALSE_ALARM", "chosen_by_flips", "chosen_by_weight", "fit", "gaussian", "geometric"]

FALSE_ALARM = 1e-6
"""How often a test of this module fails although all is well: draws are refused whose deviation
has a smaller probability."""


def geometric(values: CountArray, scale: float) -> FloatArray:
    """Give the probabilities of two-sided geometric noise."""
    alpha = np.exp(-1 / scale)
    return np.asarray((1 - alpha) / (1 + alpha) * alpha ** np.abs(values), np.float64)


def gaussian(values: CountArray, scale: float) -> FloatArray:
    """Give the probabilities of discrete Gaussian noise."""
    everything = np.arange(-20 * int(scale + 1), 20 * int(scale + 1) + 1)
    weights = np.exp(-(everything**2) / (2 * scale**2))
    return np.asarray(np.exp(-(values**2) / (2 * scale**2)) / weights.sum(), np.float64)


def fit(draws: CountArray, probability: Callable[[CountArray], FloatArray]) -> float:
    """Give the probability of a worse fit than this one: a chi-square test.

    Values that are expected fewer than ten times are taken together.
    """
    low, high = int(draws.min()), int(draws.max())
    values = np.arange(low, high + 1)
    expected = len(draws) * probability(values)
    found = np.bincount(draws - low, minlength=len(values))
    kept = expected >= 10
    rest = len(draws) - expected[kept].sum(), len(draws) - found[kept].sum()
    pairs = np.array([*zip(expected[kept], found[kept], strict=True), rest])
    pairs = pairs[pairs[:, 0] > 1e-9]
    statistic = ((pairs[:, 1] - pairs[:, 0]) ** 2 / pairs[:, 0]).sum()
    return float(stats.chi2.sf(statistic, len(pairs) - 1))


def chosen_by_weight(scores: Sequence[float], scale: float) -> FloatArray:
    """Give the probabilities of the exponential mechanism."""
    weights = np.exp((np.asarray(scores) - max(scores)) / scale)
    return np.asarray(weights / weights.sum(), np.float64)


def chosen_by_flips(scores: Sequence[float], scale: float) -> FloatArray:
    """Give the probabilities of permute-and-flip: over all orders, the first coin that succeeds."""
    accepted = np.exp((np.asarray(scores) - max(scores)) / scale)
    orders = list(permutations(range(len(scores))))
    found = np.zeros(len(scores))
    for order in orders:
        left = 1 / len(orders)
        for i in order:
            found[i] += left * accepted[i]
            left *= 1 - accepted[i]
    return found
