r"""Mixtures: the shares in which known distributions were mixed, from what came out.

Row j of a likelihood says how likely observation j is for each of k components;
``counts[j]`` says how often it was made. One round gives every observation to the components in
proportion to how well each explains it, and counts again:
:math:`\theta_i' = \theta_i \frac{1}{n} \sum_j c_j A_{ji} / (A \theta)_j`. It is the iterative Bayes
of Agrawal and Srikant and the EM algorithm of Agrawal and Aggarwal; the two differ in what they
take for the likelihood, and in when they stop.

The logarithm of the likelihood never falls from round to round and is concave, so that there are
no false summits. It is below its maximum by at most
:math:`\max_i \sum_j c_j A_{ji} / (A \theta)_j - n` [3]_: how far there is still to go is known at
any time.

References
----------
.. [1] R. Agrawal, R. Srikant. "Privacy-preserving data mining." SIGMOD 2000. Section 3.
.. [2] D. Agrawal, C. C. Aggarwal. "On the design and quantification of privacy preserving data
   mining algorithms." PODS 2001. Theorems 4.1 to 4.3.
.. [3] B. G. Lindsay. "The geometry of mixture likelihoods: a general theory." Annals of Statistics
   11(1), 1983.
.. [4] R. Varadhan, C. Roland. "Simple and globally convergent methods for accelerating the
   convergence of any EM algorithm." Scandinavian Journal of Statistics 35(2), 2008.
"""

from __future__ import annotations

import numpy as np
from attrs import define

from unlinkable.params import Choice
from unlinkable.typing import BoolArray, CountArray, FloatArray

__all__ = ["Mixture", "Stop", "mix", "one_round"]


class Stop(Choice, noun="rule to stop by"):
    """When rounds end."""

    CHI_SQUARE = "chi-square"
    """When a chi-square test cannot tell two successive distributions apart by far: its statistic
    is less than a share of what would be significant at 5 %."""
    CHANGE = "change"
    """When the shares change by less than this on average."""
    GAP = "gap"
    """When the logarithm of the likelihood is proved to be so close to its maximum."""

    @property
    def usual(self) -> float:
        """The tolerance if none is given."""
        return {Stop.CHI_SQUARE: 0.01, Stop.CHANGE: 1e-6, Stop.GAP: 0.1}[self]


@define(eq=False, frozen=True)
class Mixture:
    """Shares, and how they were reached.

    Attributes
    ----------
    shares
        Of every component, with a column for every column of counts.
    rounds
        For each column, how many were needed.
    converged
        For each column, whether it stopped by its rule and not because there were no more rounds.
    gap
        For each column, by how much the logarithm of the likelihood may still be below its maximum.
    """

    shares: FloatArray
    rounds: CountArray
    converged: BoolArray
    gap: FloatArray


def one_round(likelihood: FloatArray, counts: FloatArray, shares: FloatArray) -> FloatArray:
    """Give every observation to the components that explain it, and count again. O(m k)."""
    after: FloatArray = shares * _weights(likelihood, counts, shares) / counts.sum(axis=0)
    return after


def mix(
    likelihood: FloatArray,
    counts: FloatArray,
    *,
    stop: Stop,
    tolerance: float,
    most_rounds: int,
    accelerate: bool,
) -> Mixture:
    """Find the shares, from even ones on. O(m k) for every round and column of counts.

    Parameters
    ----------
    likelihood
        m observations by k components. Every row must have an entry greater than 0.
    counts
        How often each observation was made: m by any number of samples, which are treated at once.
    stop, tolerance
        When a sample is done.
    most_rounds
        When all are done, however far they are.
    accelerate
        Whether to take longer steps where two rounds point the same way [4]_. The likelihood still
        never falls; which way is taken to the maximum changes.
    """
    k, n_samples = likelihood.shape[1], counts.shape[1]
    shares = np.full((k, n_samples), 1 / k)
    totals, limit = counts.sum(axis=0), _limit(stop, tolerance, k)
    is_done, rounds = np.zeros(n_samples, bool), np.zeros(n_samples, np.int64)
    while (on := np.flatnonzero(~is_done & (rounds < most_rounds))).size:
        before, seen = shares[:, on], counts[:, on]
        after = one_round(likelihood, seen, before)
        rounds[on] += 1
        if accelerate:
            later = one_round(likelihood, seen, after)
            after = _leap(likelihood, seen, before, after, later)
            rounds[on] += 1
        shares[:, on] = after
        is_done[on] = _left(stop, likelihood, seen, before, after, totals[on]) < limit
    gap = _gap(likelihood, counts, shares)
    return Mixture(shares, rounds, is_done, gap)


def _weights(likelihood: FloatArray, counts: FloatArray, shares: FloatArray) -> FloatArray:
    explained = likelihood @ shares
    per = np.divide(counts, explained, out=np.zeros_like(explained), where=explained > 0)
    weights: FloatArray = likelihood.T @ per
    return weights


def _gap(likelihood: FloatArray, counts: FloatArray, shares: FloatArray) -> FloatArray:
    gap: FloatArray = _weights(likelihood, counts, shares).max(axis=0) - counts.sum(axis=0)
    return np.maximum(gap, 0.0)


def _limit(stop: Stop, tolerance: float, k: int) -> float:
    if stop is not Stop.CHI_SQUARE:
        return tolerance
    from scipy import special

    return tolerance * float(special.chdtri(max(k - 1, 1), 0.05))


def _left(
    stop: Stop,
    likelihood: FloatArray,
    counts: FloatArray,
    before: FloatArray,
    after: FloatArray,
    totals: FloatArray,
) -> FloatArray:
    """Measure for each sample how far it is from its end."""
    match stop:
        case Stop.CHI_SQUARE:
            change = np.divide(
                (after - before) ** 2, before, out=np.zeros_like(before), where=before > 0
            )
            statistic: FloatArray = totals * change.sum(axis=0)
            return statistic
        case Stop.CHANGE:
            mean: FloatArray = np.abs(after - before).mean(axis=0)
            return mean
        case Stop.GAP:
            return _gap(likelihood, counts, after)


def _leap(
    likelihood: FloatArray,
    counts: FloatArray,
    first: FloatArray,
    second: FloatArray,
    third: FloatArray,
) -> FloatArray:
    """Go on as the last two rounds went, where that is better than to stay after the second."""
    step, bend = second - first, third - 2 * second + first
    length, turn = np.linalg.norm(step, axis=0), np.linalg.norm(bend, axis=0)
    times = np.maximum(np.divide(length, turn, out=np.ones_like(length), where=turn > 0), 1.0)
    far = first + 2 * times * step + times**2 * bend
    far = np.where(far > 0, far, third)
    far /= far.sum(axis=0)
    is_better = _fit(likelihood, counts, far) >= _fit(likelihood, counts, third)
    return np.where(is_better, far, third)


def _fit(likelihood: FloatArray, counts: FloatArray, shares: FloatArray) -> FloatArray:
    """Give the logarithm of the likelihood."""
    explained = likelihood @ shares
    logs = np.log(explained, out=np.zeros_like(explained), where=counts > 0)
    fit: FloatArray = (counts * logs).sum(axis=0)
    return fit
