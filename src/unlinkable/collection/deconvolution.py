r"""Deconvolution: the smoothest shares that explain what was observed.

Observed shares are what noise made of the true ones, :math:`\lambda = A \theta` but for chance. To
invert A would blow chance up beyond all bounds. Here the squared second differences of
:math:`\theta`, how much the shares bend, are made as small as they can be while the observations
stay as likely as chance lets them be: the statistic
:math:`\chi^2 = \sum_j (c_j - n (A \theta)_j)^2 / (c_j + 1)` is the number of cells [1]_. All shares
are 0 or more [2]_, and 1 together.

A division of Fourier transforms does the same where the transform of the noise has no zeros; that
of uniform noise has them.

References
----------
.. [1] V. A. Morozov. "On the solution of functional equations by the method of regularization."
   Soviet Mathematics Doklady 7, 1966. The discrepancy principle.
.. [2] C. L. Lawson, R. J. Hanson. "Solving Least Squares Problems." 1974. Chapter 23.
.. [3] C. C. Aggarwal. "Data Mining: The Textbook." 2015. Section 20.2.1.
"""

from __future__ import annotations

import numpy as np
from attrs import define

from unlinkable.typing import FloatArray

__all__ = ["Smoothed", "smoothed_at", "smoothest"]

_MOST_STEPS = 40
"""Halvings of the range in which the weight of smoothness is looked for."""
_LIGHTEST, _HEAVIEST = -12.0, 12.0
"""Its decimal logarithm."""
_MISFIT = 1e-3
"""So unlikely must a misfit be by chance before it is reported."""
_BINDING = 1e3
"""How much more than all observations it weighs that shares are 1 together."""


@define(eq=False, frozen=True)
class Smoothed:
    """Shares, and how they were reached.

    Attributes
    ----------
    shares
        Of every interval.
    weight
        How much smoothness weighs, as a decimal logarithm.
    steps
        How many weights were tried.
    fits
        Whether some shares explain the observations at all. If not, the noise is not what it is
        said to be, or values lie outside of the range.
    """

    shares: FloatArray
    weight: float
    steps: int
    fits: bool


def smoothest(likelihood: FloatArray, counts: FloatArray) -> Smoothed:
    """Find the smoothest shares that explain these counts. O(m k^2) for every weight tried.

    Parameters
    ----------
    likelihood
        The chance of each of m cells for each of k intervals. All cells count, those too where
        nothing was observed.
    counts
        Number of observations in each cell.
    """
    from scipy import special

    n_cells = counts.size
    rough = smoothed_at(likelihood, counts, _LIGHTEST)
    least = _misfit(likelihood, counts, rough)
    fits = least <= float(special.chdtri(n_cells, _MISFIT))
    aim = max(float(n_cells), least)
    low, high, shares, steps = _LIGHTEST, _HEAVIEST, rough, 1
    while high - low > 0.01 and steps < _MOST_STEPS:
        middle = (low + high) / 2
        tried = smoothed_at(likelihood, counts, middle)
        steps += 1
        if _misfit(likelihood, counts, tried) <= aim:
            low, shares = middle, tried
        else:
            high = middle
    return Smoothed(shares, low, steps, fits)


def smoothed_at(likelihood: FloatArray, counts: FloatArray, weight: float) -> FloatArray:
    """Give the shares at a weight of smoothness."""
    from scipy import optimize

    k, n = likelihood.shape[1], counts.sum()
    trust = n / np.sqrt(counts + 1)
    bends = np.diff(np.eye(k), n=2, axis=0) * (k**2 * 10 ** (weight / 2))
    bound = _BINDING * np.linalg.norm(trust)
    rows = np.concatenate([likelihood * trust[:, None], bends, np.full((1, k), bound)])
    wanted = np.concatenate([counts / n * trust, np.zeros(len(bends)), [bound]])
    shares, _ = optimize.nnls(rows, wanted, maxiter=100 * k)
    even: FloatArray = np.asarray(shares, float) / shares.sum()
    return even


def _misfit(likelihood: FloatArray, counts: FloatArray, shares: FloatArray) -> float:
    expected = counts.sum() * (likelihood @ shares)
    return float((((counts - expected) ** 2) / (counts + 1)).sum())
