"""Estimate: how often each answer is true, as far as randomized answers tell.

References
----------
.. [1] C. J. Clopper, E. S. Pearson. "The use of confidence or fiducial limits illustrated in the
   case of the binomial." Biometrika 26(4), 1934.
.. [2] J. Duchi, S. Shalev-Shwartz, Y. Singer, T. Chandra. "Efficient projections onto the l1-ball
   for learning in high dimensions." ICML 2008. Figure 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from statistics import NormalDist

import numpy as np
from attrs import define

from unlinkable.collection.mixtures import Stop, mix
from unlinkable.errors import DataError, ParameterError
from unlinkable.typing import CountArray, FloatArray

__all__ = ["Estimate", "exact_interval", "likeliest_shares", "nearest_shares", "shares_before"]


@define(eq=False, frozen=True, slots=False)
class Estimate:
    """Shares of answers among all people from whom those who were asked are a sample.

    Attributes
    ----------
    values
        The answers.
    counts
        How often each was given.
    shares
        Of how many people each is true, without bias: as often too high as too low, and therefore
        sometimes less than 0 or more than 1.
    errors
        Standard errors of the shares.
    low, high
        Intervals, each of which covers its true share with probability ``level``. They are about
        one share each: that all of them hold at once is less likely.
    level
        How sure the intervals are.
    """

    values: tuple[str, ...]
    counts: CountArray
    shares: FloatArray
    errors: FloatArray
    low: FloatArray
    high: FloatArray
    level: float

    @property
    def n(self) -> int:
        """Number of people who answered."""
        return int(self.counts.sum())

    @cached_property
    def projected(self) -> FloatArray:
        """The nearest shares that are possible: none less than 0, and 1 together.

        They look better and are never further from the truth, but no longer without bias.
        """
        return nearest_shares(self.shares)

    def to_json(self) -> dict[str, object]:
        """Give the estimate as a JSON object."""
        columns = zip(
            self.values,
            self.counts.tolist(),
            self.shares.tolist(),
            self.errors.tolist(),
            self.low.tolist(),
            self.high.tolist(),
            self.projected.tolist(),
            strict=True,
        )
        names = ("value", "answered", "share", "error", "low", "high", "projected")
        return {
            "records": self.n,
            "level": self.level,
            "shares": [dict(zip(names, row, strict=True)) for row in columns],
        }


def nearest_shares(shares: FloatArray) -> FloatArray:
    """Give the point of the simplex that is nearest to shares, by Euclid. O(k log k) [2]_.

    Examples
    --------
    >>> nearest_shares(np.array([0.8, 0.4, -0.2])).round(3).tolist()
    [0.7, 0.3, 0.0]
    """
    falling = np.sort(shares)[::-1]
    excess = (np.cumsum(falling) - 1) / np.arange(1, shares.size + 1)
    last = int(np.flatnonzero(falling > excess)[-1])
    nearest: FloatArray = np.maximum(shares - excess[last], 0.0)
    return nearest


def exact_interval(counts: CountArray, n: int, level: float) -> tuple[FloatArray, FloatArray]:
    """Give intervals for the chances of events that came true so often in n trials.

    They are those of Clopper and Pearson [1]_: each covers its chance with at least the
    probability ``level``, whatever the chance and however few the trials.

    Examples
    --------
    >>> low, high = exact_interval(np.array([0, 5]), 10, 0.95)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.0, 0.187], [0.308, 0.813])
    """
    from scipy import special

    rest = (1 - level) / 2
    # A parameter of 0 means nothing to the beta distribution: the ends are then 0 and 1.
    low = special.betaincinv(np.maximum(counts, 1), n - counts + 1, rest)
    high = special.betaincinv(counts + 1, np.maximum(n - counts, 1), 1 - rest)
    return np.where(counts == 0, 0.0, low), np.where(counts == n, 1.0, high)


_WORST_CONDITION = 1e8
"""Matrices that blow chance up by more than this cannot be inverted in any useful sense."""


def shares_before(
    counts: Sequence[int] | CountArray,
    transition: Sequence[Sequence[float]] | FloatArray,
    values: Sequence[str],
    *,
    level: float = 0.95,
) -> Estimate:
    r"""Estimate without bias how often each category is true: :math:`\hat\pi = T^{-\top} \lambda`.

    Its covariance is that of a multinomial sample, put through the same matrix. Intervals are
    normal ones, cut off at 0 and 1: take them for what they are from some ten answers of each
    category on. Randomized response has exact ones.

    Parameters
    ----------
    counts
        How often each category was handed in.
    transition
        The probability that a category (row) becomes another (column).
    values
        The categories.
    level
        How sure the intervals are.

    Raises
    ------
    ParameterError
        If rows are no distributions, or the matrix cannot be inverted.
    DataError
        If there are fewer than two answers, or not one number for each category.

    Examples
    --------
    >>> kept = 0.6 * np.eye(4) + 0.1  # kept with 0.6, else any of four
    >>> found = shares_before([400, 280, 220, 100], kept, "abcd")
    >>> found.shares.round(3).tolist()
    [0.5, 0.3, 0.2, 0.0]
    """
    given, matrix = _checked(counts, transition, least=2)
    if np.linalg.cond(matrix) > _WORST_CONDITION:
        raise ParameterError(
            "the matrix cannot be inverted: some categories become others with the same "
            "probabilities, so that nobody can tell them apart"
        )
    if not 0 < level < 1:
        raise ParameterError(f"level must lie in (0, 1), got {level}")
    n, back = int(given.sum()), np.linalg.inv(matrix.T)
    observed = given / n
    shares = back @ observed
    errors = np.sqrt((back - shares[:, None]) ** 2 @ observed / (n - 1))
    reach = NormalDist().inv_cdf((1 + level) / 2) * errors
    low, high = np.clip(shares - reach, 0.0, 1.0), np.clip(shares + reach, 0.0, 1.0)
    return Estimate(tuple(values), given, shares, errors, low, high, level)


def likeliest_shares(
    counts: Sequence[int] | CountArray,
    transition: Sequence[Sequence[float]] | FloatArray,
    *,
    rounds: int = 10_000,
) -> tuple[FloatArray, bool]:
    """Find the possible shares that make what was handed in most likely, and whether they are so.

    Expectation maximization, which is iterative Bayes for categories. No share is less than 0, and
    the matrix need not have an inverse. The second answer is False if the logarithm of the
    likelihood is not proved to be within 0.001 of its maximum after this many rounds.

    Examples
    --------
    >>> shares, converged = likeliest_shares([400, 280, 240, 80], 0.6 * np.eye(4) + 0.1)
    >>> shares.round(3).tolist(), converged
    ([0.486, 0.29, 0.225, 0.0], True)
    """
    given, matrix = _checked(counts, transition, least=1)
    found = mix(
        matrix.T[given > 0],
        given[given > 0, None].astype(float),
        stop=Stop.GAP,
        tolerance=1e-3,
        most_rounds=rounds,
        accelerate=True,
    )
    return found.shares[:, 0], bool(found.converged[0])


def _checked(
    counts: Sequence[int] | CountArray,
    transition: Sequence[Sequence[float]] | FloatArray,
    least: int,
) -> tuple[CountArray, FloatArray]:
    given, matrix = np.asarray(counts, np.int64), np.asarray(transition, float)
    k = given.size
    are_shares = matrix.shape == (k, k) and (matrix >= 0).all()
    if not are_shares or not np.allclose(matrix.sum(axis=1), 1, rtol=0, atol=1e-9):
        raise ParameterError(
            f"the matrix needs {k} rows of {k} probabilities, each of which add up to 1"
        )
    if given.ndim != 1 or (given < 0).any() or given.sum() < least:
        raise DataError(f"at least {least} answers are needed, counted by {k} categories")
    if not matrix[:, given > 0].any(axis=0).all():
        raise DataError("a category was handed in that no category becomes: check the matrix")
    return given, matrix
