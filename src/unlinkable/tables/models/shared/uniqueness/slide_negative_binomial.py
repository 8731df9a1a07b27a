r"""The slide negative binomial estimator: all groups but their first member are negative binomial.

The population has :math:`K` groups of :math:`1 + X` people, with :math:`X` negative binomial:
:math:`P(X = x) = \binom{\alpha + x - 1}{x} (1 - \beta)^x \beta^\alpha`. So
:math:`K \beta^\alpha` groups are unique [1]_. In a sample of the fraction :math:`\pi`, with
:math:`d = (1 - \pi)(1 - \beta)`, the numbers of groups of one and of two are expected to be

.. math::

   f_1 = K \pi \Big(\frac{\beta}{1-d}\Big)^\alpha \Big(1 + \frac{\alpha d}{1-d}\Big),\qquad
   f_2 = K \frac{\pi^2}{2} \Big(\frac{\beta}{1-d}\Big)^\alpha
         \frac{\alpha (1-\beta) (2 - (1-\alpha) d)}{(1-d)^2}

:math:`K` is estimated after Shlosser, in the third form of Haas and Stokes [2]_, and both equations
are solved for :math:`\alpha` and :math:`\beta`. Their quotient is quadratic in :math:`\alpha` and
has one positive root for every :math:`\beta`, which leaves one equation in :math:`\beta`.

References
----------
.. [1] G. Chen, S. Keller-McNulty. "Estimation of identification disclosure risk in microdata."
   Journal of Official Statistics 14(1), 1998.
.. [2] P. J. Haas, L. Stokes. "Estimating the number of classes in a finite population." JASA
   93(444), 1998.
"""

from __future__ import annotations

import math

import numpy as np

from unlinkable.errors import UnsupportedError
from unlinkable.tables.models.shared.uniqueness.sample import Sample
from unlinkable.typing import FloatArray

__all__ = ["fit_slide_negative_binomial", "n_population_groups", "slide_negative_binomial"]

_LOGITS = np.linspace(-30.0, 15.0, 512)
"""Where the equation is examined, by the logit of beta; beyond, groups have no people or all."""

_ROUNDS = 60
"""So often the distance of two of these is halved."""


def slide_negative_binomial(sample: Sample) -> float:
    """Estimate the share of the population that is unique. It takes a group of one person.

    Raises
    ------
    UnsupportedError
        If the sample has no group of two, or the equations have no solution.

    Examples
    --------
    >>> round(slide_negative_binomial(Sample.of(np.array([1] * 8 + [2, 3, 12]), 0.5)), 4)
    0.2741
    """
    n_groups, alpha, beta = fit_slide_negative_binomial(sample)
    return n_groups * math.pow(beta, alpha) / sample.n_population


def fit_slide_negative_binomial(sample: Sample) -> tuple[float, float, float]:
    """Find the number of groups of the population, and the parameters alpha and beta.

    Where the equations have several solutions, the one with the most uniques is taken.

    Raises
    ------
    UnsupportedError
        If the sample has no group of two, or the equations have no solution.

    Examples
    --------
    >>> fitted = fit_slide_negative_binomial(Sample.of(np.array([1] * 8 + [2, 3, 12]), 0.5))
    >>> [round(parameter, 3) for parameter in fitted]
    [18.125, 0.107, 0.073]
    """
    if not sample.n_of_size(2):
        raise UnsupportedError(
            "the slide negative binomial model needs groups of two, and the table has none: use "
            "zayatz or dankar"
        )
    n_groups = n_population_groups(sample)
    gap = _excess(_LOGITS, n_groups, sample)[0]
    turns = np.flatnonzero((gap[:-1] < 0) != (gap[1:] < 0))
    if not turns.size:
        raise UnsupportedError(
            "no slide negative binomial distribution has as many groups of one and of two as the "
            "table: use zayatz or dankar"
        )
    low, high, rises = _LOGITS[turns], _LOGITS[turns + 1], gap[turns] < 0
    for _ in range(_ROUNDS):
        middle = (low + high) / 2
        is_below = (_excess(middle, n_groups, sample)[0] < 0) == rises
        low, high = np.where(is_below, middle, low), np.where(is_below, high, middle)
    _, alpha = _excess(low, n_groups, sample)
    beta = np.exp(-np.logaddexp(0.0, -low))
    most = int(np.argmax(alpha * np.log(beta)))
    return n_groups, float(alpha[most]), float(beta[most])


def n_population_groups(sample: Sample) -> float:
    """Estimate how many groups the population has, by the third estimator of Haas and Stokes.

    Examples
    --------
    >>> round(n_population_groups(Sample.of(np.array([1] * 8 + [2, 3, 12]), 0.5)), 4)
    18.1253
    """
    q, sizes, counts = sample.fraction, sample.sizes.astype(float), sample.counts
    missed = (1 - q) ** sizes
    twice = counts @ (sizes * q**2 * (1 - q**2) ** (sizes - 1))
    some = counts @ ((1 - q**2) ** sizes - missed)
    once = counts @ (sizes * q * (1 - q) ** (sizes - 1))
    unseen = (twice / some) * (counts @ missed / once) ** 2
    return float(sample.n_groups + sample.n_of_size(1) * unseen)


def _excess(logits: FloatArray, n_groups: float, sample: Sample) -> tuple[FloatArray, FloatArray]:
    """Compare the logarithms of the expected and the found number of groups of one; give alpha."""
    pi, once = sample.fraction, sample.n_of_size(1)
    ratio = sample.n_of_size(2) / once
    log_beta, rest = -np.logaddexp(0.0, -logits), np.exp(-np.logaddexp(0.0, logits))
    d = (1 - pi) * rest
    less = 1 - d
    a, c = pi / 2 * rest * d, ratio * less**2
    b = pi / 2 * rest * (2 - d) - ratio * less * d
    # Of the two ways to write the positive root, the one that does not cancel.
    root = np.sqrt(b**2 + 4 * a * c)
    alpha = np.where(b > 0, 2 * c / (np.abs(b) + root), (root + np.abs(b)) / (2 * a))
    expected = alpha * (log_beta - np.log(less)) + np.log1p(alpha * d / less)
    return math.log(n_groups * pi / once) + expected, alpha
