"""Means of what lies between 0 and 1, and where the true mean is.

References
----------
.. [1] W. Hoeffding. "Probability inequalities for sums of bounded random variables." JASA 58(301),
   1963. Theorem 1, inequality (2.1).
"""

from __future__ import annotations

import numpy as np

from unlinkable.typing import FloatArray

__all__ = ["mean_bounds"]

_STEPS = 60
"""Halvings of an interval until a float has no more digits to tell."""


def mean_bounds(means: FloatArray, n: int, error: float) -> tuple[FloatArray, FloatArray]:
    r"""Say where true means lie if these were seen.

    For independent numbers between 0 and 1 with mean :math:`\mu`, a mean of n of them beyond x is
    seen with a chance of at most :math:`e^{-n\,KL(x, \mu)}`, where KL is the divergence of two
    coins [1]_. The bounds are the outermost :math:`\mu` for which this is at least the error that
    is allowed for one side of one mean. They hold whatever the numbers, and for any n.

    Parameters
    ----------
    means
        What was seen.
    n
        In how many independent trials.
    error
        How likely each of the means may lie outside of its bounds.

    Examples
    --------
    >>> low, high = mean_bounds(np.array([0.5, 1.0]), 100, 0.05)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.367, 0.964], [0.633, 1.0])
    """
    if n == 0:
        return np.zeros(means.shape), np.ones(means.shape)
    allowed = float(np.log(2 / error)) / n
    return _last_within(means, 0.0, allowed), _last_within(means, 1.0, allowed)


def _last_within(means: FloatArray, end: float, allowed: float) -> FloatArray:
    """Find how far towards an end the divergence from each mean stays within what is allowed."""
    inside, outside = means.copy(), np.full(means.shape, end)
    for _ in range(_STEPS):
        middle = (inside + outside) / 2
        is_within = _divergence(means, middle) <= allowed
        inside, outside = np.where(is_within, middle, inside), np.where(is_within, outside, middle)
    # At the far end of the last step the divergence is too large, or there is nothing beyond.
    return outside


def _divergence(p: FloatArray, q: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore", invalid="ignore"):
        ones = np.where(p > 0, p * np.log(p / q), 0.0)
        zeros = np.where(p < 1, (1 - p) * np.log((1 - p) / (1 - q)), 0.0)
    total: FloatArray = ones + zeros
    return total
