r"""Pitman's estimator: who comes next looks new with a chance that falls as a power.

After :math:`n` people in :math:`u` groups, the next one starts a new group with probability
:math:`(\theta + u\alpha) / (\theta + n)`, with :math:`0 \le \alpha < 1` and
:math:`\theta > -\alpha` [1]_. With :math:`f_j` groups of :math:`j` people, the sample has the
likelihood

.. math::

   \log L = \sum_{i=1}^{u-1} \log(\theta + i\alpha) - \sum_{i=1}^{n-1} \log(\theta + i)
            + \sum_j f_j \sum_{i=1}^{j-1} \log(i - \alpha)

whose largest value gives both parameters [2]_. A share
:math:`\prod_{i=0}^{N-2} \frac{\theta + \alpha + i}{\theta + 1 + i}` of a population of :math:`N`
people is then expected to be unique. The parameters are those of the population, because a random
sample of such a population is one itself.

References
----------
.. [1] J. Pitman. "Exchangeable and partially exchangeable random partitions." Probability Theory
   and Related Fields 102, 1995.
.. [2] N. Hoshino. "Applying Pitman's sampling formula to microdata disclosure risk assessment."
   Journal of Official Statistics 17(4), 2001.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from attrs import define

from unlinkable.errors import UnsupportedError
from unlinkable.tables.models.shared.uniqueness.euler_maclaurin import (
    sum_inverses,
    sum_logs,
    sum_squares,
)
from unlinkable.tables.models.shared.uniqueness.sample import Sample
from unlinkable.typing import CountArray, FloatArray

__all__ = ["fit_pitman", "pitman"]

_Series: TypeAlias = Callable[[float, CountArray], FloatArray]

_ROUNDS = 100
"""So many Newton steps are tried."""

_ENOUGH = 1e-9
"""The likelihood is at its largest if a step would raise its logarithm by no more, about."""

_ROUNDING = 1e-13
"""So much of the logarithm of the likelihood may be lost in adding it up."""

_HALVINGS = 60
"""So often an interval is halved."""

_LARGE = 1e5
"""From here on, gamma functions cancel too much to be subtracted."""


def pitman(sample: Sample) -> float:
    """Estimate the share of the population that is unique. It takes a group of one person.

    If nobody looks like anybody else, the likelihood is largest for a population in which
    everybody is unique.

    Raises
    ------
    UnsupportedError
        If the largest likelihood is not found.

    Examples
    --------
    >>> round(pitman(Sample.of(np.array([1] * 8 + [2, 3, 12]), 0.1)), 4)
    0.1536
    """
    if sample.n_groups == sample.n_people:
        return 1.0
    theta, alpha = fit_pitman(sample)
    if alpha == 0:
        return theta / (theta + sample.n_population - 1)
    return math.exp(_log_ratio(theta, alpha) - _log_ratio(theta + sample.n_population - 1, alpha))


def fit_pitman(sample: Sample) -> tuple[float, float]:
    """Find the parameters theta and alpha of the largest likelihood.

    There must be several groups, one of them of several people. If the likelihood falls from
    alpha = 0 on, Ewens' formula is the best that this model has to offer, and alpha is 0.

    Raises
    ------
    UnsupportedError
        If they are not found.

    Examples
    --------
    >>> theta, alpha = fit_pitman(Sample.of(np.array([1] * 8 + [2, 3, 12]), 0.1))
    >>> round(theta, 3), round(alpha, 3)
    (0.705, 0.657)
    """
    likelihood = _Likelihood(sample)
    theta = likelihood.best_theta(0.0)
    if likelihood.slope_at_zero(theta) <= 0:
        return theta, 0.0
    alpha = min(max(sample.n_of_size(1) / sample.n_groups, 0.01), 0.95)
    return _climb(likelihood, likelihood.best_theta(alpha), alpha)


@define(eq=False, frozen=True)
class _Likelihood:
    """The likelihood of a sample."""

    sample: Sample

    def value(self, theta: float, alpha: float) -> float:
        """Give the logarithm of the likelihood."""
        groups = float(np.log(theta + alpha * self._numbers()).sum())
        return groups - self._over_people(sum_logs, theta) + self._over_sizes(sum_logs, alpha)

    def slopes(self, theta: float, alpha: float) -> tuple[FloatArray, FloatArray]:
        """Give the first and second derivatives by theta and alpha."""
        i = self._numbers()
        r = 1 / (theta + alpha * i)
        ir = i * r
        by_theta = r.sum() - self._over_people(sum_inverses, theta)
        by_alpha = ir.sum() - self._over_sizes(sum_inverses, alpha)
        both = -(r @ ir)
        curves = [
            [self._over_people(sum_squares, theta) - r @ r, both],
            [both, -(ir @ ir) - self._over_sizes(sum_squares, alpha)],
        ]
        return np.array([by_theta, by_alpha]), np.array(curves)

    def slope_at_zero(self, theta: float) -> float:
        """Give the derivative by alpha where alpha is 0."""
        u = self.sample.n_groups
        return u * (u - 1) / (2 * theta) - self._over_sizes(sum_inverses, 0.0)

    def best_theta(self, alpha: float) -> float:
        """Halve the interval in which the derivative by theta changes its sign."""
        i = self._numbers()
        low, high = -30.0, 2 * math.log(self.sample.n_people) + 1
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            theta = math.exp(middle) - alpha
            groups = (1 / (theta + alpha * i)).sum() if alpha else i.size / theta
            if groups > self._over_people(sum_inverses, theta):
                low = middle
            else:
                high = middle
        return math.exp(low) - alpha

    def _numbers(self) -> FloatArray:
        return np.arange(1.0, self.sample.n_groups)

    def _over_people(self, series: _Series, theta: float) -> float:
        return float(series(theta, np.array([self.sample.n_people]))[0])

    def _over_sizes(self, series: _Series, alpha: float) -> float:
        return float(self.sample.counts @ series(-alpha, self.sample.sizes))


def _climb(likelihood: _Likelihood, theta: float, alpha: float) -> tuple[float, float]:
    """Take Newton steps in log(theta + alpha) and logit(alpha), none of them downhill."""
    at = np.array([math.log(theta + alpha), math.log(alpha / (1 - alpha))])
    best = likelihood.value(theta, alpha)
    for _ in range(_ROUNDS):
        theta, alpha = _parameters(at)
        slope, step = _newton(*likelihood.slopes(theta, alpha), theta, alpha)
        if slope @ step < _ENOUGH + _ROUNDING * abs(best):
            return theta, alpha
        value = likelihood.value(*_parameters(at + step))
        while not value > best and np.abs(step).max() > _ENOUGH:
            step = step / 2
            value = likelihood.value(*_parameters(at + step))
        at, best = at + step, value
    raise UnsupportedError(
        "the largest likelihood of the Pitman model was not found: use zayatz or dankar"
    )


def _newton(
    slope: FloatArray, curve: FloatArray, theta: float, alpha: float
) -> tuple[FloatArray, FloatArray]:
    """Give the slope in the coordinates of the climb, and the step to its top."""
    e, a = theta + alpha, alpha * (1 - alpha)
    turn = np.array([[e, 0.0], [-a, a]])
    uphill = turn @ slope
    bent = turn @ curve @ turn.T
    bent += np.diag([slope[0] * e, (slope[1] - slope[0]) * a * (1 - 2 * alpha)])
    values, vectors = np.linalg.eigh(-bent)
    # Where it is not curved downwards, the step goes uphill by a moderate amount.
    values = np.maximum(np.abs(values), 1e-8 * np.abs(values).max() + 1e-300)
    step = vectors @ ((vectors.T @ uphill) / values)
    return uphill, step * min(1.0, 2.0 / max(float(np.abs(step).max()), 1e-300))


def _parameters(at: FloatArray) -> tuple[float, float]:
    alpha = 1 / (1 + math.exp(-float(at[1])))
    return math.exp(float(at[0])) - alpha, alpha


def _log_ratio(x: float, alpha: float) -> float:
    """Give the logarithm of the gamma function at x + 1, less that at x + alpha."""
    if x < _LARGE:
        return math.lgamma(x + 1) - math.lgamma(x + alpha)
    return (1 - alpha) * math.log(x + alpha / 2)
