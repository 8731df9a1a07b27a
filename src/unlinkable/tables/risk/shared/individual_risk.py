r"""Individual risk: how many people of the population look like a record, seen from a sample.

Of :math:`F` people in the population who look alike, :math:`f` are in the sample. If each of them
was drawn with probability :math:`p`, and nothing was known of :math:`F` before, then :math:`F \mid
f` is negative binomial with :math:`f` successes of probability :math:`p`, and an adversary who
looks for the person behind a record in the population is right with probability [1]_, [2]_

.. math::

   r = E\Big[\frac{1}{F} \,\Big|\, f\Big]
     = \int_0^1 \frac{p\, y^{f-1}}{p + (1-p)\, y}\, dy
     = \frac{p}{f}\, {}_2F_1(1, 1;\, f + 1;\, 1 - p)

With :math:`f = 1` that is :math:`\frac{p}{1-p} \log\frac{1}{p}`, with :math:`f = 2` it is
:math:`\frac{p}{1-p} - \big(\frac{p}{1-p}\big)^2 \log\frac{1}{p}`. The probability is estimated by
:math:`f / \hat F`, where :math:`\hat F` is the sum of the sampling weights, as in mu-Argus and
sdcMicro. These take an approximation from :math:`f = 3` on; here the integral is exact.

Conditions: the table is a random sample, its weights are how many people each record stands for,
and groups are drawn independently of each other. It averages over groups of the same size and
weight, and is too low for people who stand out for reasons that the sample does not show.

References
----------
.. [1] R. Benedetti, L. Franconi. "Statistical and technological solutions for controlled data
   dissemination." New Techniques and Technologies for Statistics, 1998.
.. [2] L. Franconi, S. Polettini. "Individual risk estimation in mu-Argus: a review." Privacy in
   Statistical Databases, 2004.
"""

from __future__ import annotations

import numpy as np

from unlinkable.typing import CountArray, FloatArray

__all__ = ["individual_risk"]

_FEW = 12
"""Up to this many people the series may be slow."""

_NOTHING = 1e-16
"""Terms that are no larger change nothing."""


def individual_risk(people: CountArray, expected: FloatArray) -> FloatArray:
    """Expect 1 / F for groups of ``people`` in the sample and about ``expected`` in the population.

    Where fewer are expected than there are, everybody is taken to be in the sample.

    Examples
    --------
    >>> individual_risk(np.array([1, 2, 5]), np.array([10.0, 20.0, 5.0])).round(4).tolist()
    [0.2558, 0.0827, 0.2]
    """
    f = people.astype(float)
    p = np.minimum(f / np.maximum(expected, f), 1.0)
    risk = np.empty(f.size)
    by_steps = (p < 1 / 2) & (people <= _FEW)
    risk[by_steps] = _by_steps(people[by_steps], p[by_steps])
    risk[~by_steps] = _by_series(f[~by_steps], p[~by_steps])
    return risk


def _by_steps(f: CountArray, p: FloatArray) -> FloatArray:
    r"""Go from one person to f: with :math:`\rho = (1-p)/p`, :math:`r_{f+1} = (1/f - r_f)/\rho`.

    Errors do not grow, because rho is at least 1.
    """
    odds = (1 - p) / p
    risk: FloatArray = np.log1p(odds) / odds
    for k in range(1, int(f.max(initial=1))):
        risk = np.where(f > k, (1 / k - risk) / odds, risk)
    return risk


def _by_series(f: FloatArray, p: FloatArray) -> FloatArray:
    """Add up the hypergeometric series; its terms vanish soon if f is large or p is."""
    term, total, k = np.ones(f.size), np.ones(f.size), 0
    while term.max(initial=0.0) > _NOTHING:
        term = term * ((k + 1) * (1 - p) / (f + 1 + k))
        total += term
        k += 1
    risk: FloatArray = p / f * total
    return risk
