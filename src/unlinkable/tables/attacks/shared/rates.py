"""Rates: how often a guess is right, and where the true rate lies.

Attacks that guess are judged by what they reach beyond guessing without the release. Every rate
comes with an interval, and one is told to be above another only if the intervals say so.

References
----------
.. [1] E. B. Wilson. "Probable inference, the law of succession, and statistical inference." JASA
   22(158), 1927.
.. [2] R. G. Newcombe. "Interval estimation for the difference between independent proportions:
   comparison of eleven methods." Statistics in Medicine 17(8), 1998. Method 10.
.. [3] A. Agresti, Y. Min. "Simple improved confidence intervals for comparing matched proportions."
   Statistics in Medicine 24(5), 2005.
.. [4] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson. "Comparing the areas under two or more
   correlated receiver operating characteristic curves." Biometrics 44(3), 1988.
.. [5] M. Giomi, F. Boenisch, C. Wehmeyer, B. Tasnadi. "A unified framework for quantifying privacy
   risk in synthetic data." PoPETs 2023(2). Equation 4: the risk beyond a baseline.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TypeAlias

import numpy as np
from scipy.special import stdtrit

from unlinkable.typing import FloatArray

__all__ = [
    "CERTAINTY",
    "Interval",
    "above_chance",
    "area_under_curve",
    "mean_interval",
    "newcombe",
    "paired_difference",
    "student",
    "wilson",
]

Interval: TypeAlias = tuple[float, float]
"""The lower and the upper end."""

CERTAINTY = 0.95
"""How often an interval holds the true rate."""


def wilson(rate: float, n: int, certainty: float = CERTAINTY) -> Interval:
    """Say where the true rate lies if ``rate`` was seen in ``n`` trials.

    It is the set of rates from which the one that was seen is not too far in their own standard
    deviations [1]_. Without trials that is any rate.

    Examples
    --------
    >>> low, high = wilson(0.0, 100)
    >>> low, round(high, 4)
    (0.0, 0.037)
    """
    if n == 0:
        return 0.0, 1.0
    square = _deviations(certainty) ** 2
    middle = (rate + square / (2 * n)) / (1 + square / n)
    half = math.sqrt(rate * (1 - rate) * square / n + square**2 / (4 * n**2)) / (1 + square / n)
    low = 0.0 if rate == 0 else max(middle - half, 0.0)
    return low, 1.0 if rate == 1 else min(middle + half, 1.0)


def newcombe(
    rate: float, n: int, other: float, n_other: int, certainty: float = CERTAINTY
) -> Interval:
    """Say where the difference of two rates lies that were seen in different people [2]_.

    Examples
    --------
    >>> low, high = newcombe(56 / 70, 70, 48 / 80, 80)
    >>> round(low, 4), round(high, 4)
    (0.0524, 0.3339)
    """
    low, high = wilson(rate, n, certainty)
    other_low, other_high = wilson(other, n_other, certainty)
    below = math.hypot(rate - low, other_high - other)
    above = math.hypot(high - rate, other - other_low)
    return max(rate - other - below, -1.0), min(rate - other + above, 1.0)


def paired_difference(n_first: int, n_second: int, n: int) -> tuple[float, Interval]:
    """Say by how much a guess is right more often than another about the same people.

    ``n_first`` of ``n`` people are told right by the first guess only, and ``n_second`` by the
    second only. Half a person is added to each of the four cells for the interval [3]_.

    Examples
    --------
    >>> difference, (low, high) = paired_difference(20, 5, 100)
    >>> difference, round(low, 3), round(high, 3)
    (0.15, 0.053, 0.241)
    """
    if n == 0:
        return 0.0, (-1.0, 1.0)
    b, c, total = n_first + 0.5, n_second + 0.5, n + 2.0
    middle = (b - c) / total
    half = _deviations(CERTAINTY) * math.sqrt(b + c - (b - c) ** 2 / total) / total
    return (n_first - n_second) / n, (max(middle - half, -1.0), min(middle + half, 1.0))


def mean_interval(values: FloatArray) -> Interval:
    """Say where the mean lies of which at least two values were seen, by Student's distribution.

    Examples
    --------
    >>> low, high = mean_interval(np.array([1.0, 2.0, 3.0]))
    >>> round(low, 2), round(high, 2)
    (-0.48, 4.48)
    """
    n = values.size
    half = student(n - 1) * float(values.std(ddof=1)) / math.sqrt(n)
    return float(values.mean()) - half, float(values.mean()) + half


def above_chance(rate: float, n: int, base: float, n_base: int) -> tuple[float, Interval]:
    r"""Give what a rate reaches of that which guessing without the release leaves open [5]_.

    .. math:: R = \frac{r - b}{1 - b}

    It rises with the rate and falls with the base. Each of them is within its interval with half of
    the error that is allowed, and the ends of the interval of R are taken where both are worst: it
    holds at least as often as it says, however the two depend on each other.

    Examples
    --------
    >>> risk, (low, high) = above_chance(0.5, 1000, 0.1, 1000)
    >>> round(risk, 3), round(low, 3), round(high, 3)
    (0.444, 0.389, 0.495)
    """
    certainty = (1 + CERTAINTY) / 2
    low, high = wilson(rate, n, certainty)
    base_low, base_high = wilson(base, n_base, certainty)
    return _excess(rate, base), (_excess(low, base_high), _excess(high, base_low))


def area_under_curve(members: FloatArray, others: FloatArray) -> tuple[float, Interval]:
    r"""Give the chance that a member scores higher than another person, ties counting one half.

    This is the area under the curve of true against false positives. Its variance is that of
    DeLong [4]_, and the interval is made on the scale of :math:`\log(A / (1 - A))`, so that it does
    not leave 0 to 1. Where all members are on one side of all others there is no variance to see:
    the interval is then that of Wilson for the smaller of the two numbers of people. O(n log n).

    Examples
    --------
    >>> area, (low, high) = area_under_curve(np.array([3.0, 2.0, 2.0]), np.array([1.0, 2.0, 0.0]))
    >>> round(area, 4), low < area < high
    (0.8889, True)
    """
    m, n = members.size, others.size
    if not (m and n):
        return 0.5, (0.0, 1.0)
    all_ranks = _midranks(np.concatenate([members, others]))
    above = (all_ranks[:m] - _midranks(members)) / n
    below = 1.0 - (all_ranks[m:] - _midranks(others)) / m
    area = float(above.mean())
    if area in (0.0, 1.0):
        return area, wilson(area, min(m, n))
    variance = _variance(above) / m + _variance(below) / n
    centre, scale = math.log(area / (1 - area)), area * (1 - area)
    half = _deviations(CERTAINTY) * math.sqrt(variance) / scale
    low, high = (
        1 / (1 + math.exp(-min(max(x, -700.0), 700.0))) for x in (centre - half, centre + half)
    )
    return area, (low, high)


def _excess(rate: float, base: float) -> float:
    """Give the share of the room above the base; -1 is the least that is told."""
    if rate >= 1.0:
        return 1.0 if base < 1.0 else 0.0
    return max((rate - base) / (1 - base), -1.0) if base < 1.0 else -1.0


def _variance(values: FloatArray) -> float:
    return float(values.var(ddof=1)) if values.size > 1 else 0.25


def _midranks(values: FloatArray) -> FloatArray:
    """Number values from 1 in their order; equal ones share the mean of their numbers."""
    _, which, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    ranks: FloatArray = (last - (counts - 1) / 2)[which]
    return ranks


def student(degrees: int) -> float:
    """Give the 97.5 % quantile of Student's distribution.

    Examples
    --------
    >>> round(student(3), 3), round(student(1000), 3)
    (3.182, 1.962)
    """
    return float(stdtrit(degrees, (1 + CERTAINTY) / 2))


def _deviations(certainty: float) -> float:
    return NormalDist().inv_cdf((1 + certainty) / 2)
