r"""Inversion: how often each category is true, where categories became others by a known matrix.

Randomized response is one such matrix, post-randomization (PRAM) any. With
:math:`T_{ij}` the probability that i becomes j, the shares handed in are
:math:`\lambda = T^\top \pi` but for chance [1]_.

References
----------
.. [1] J. M. Gouweleeuw, P. Kooiman, L. C. R. J. Willenborg, P. P. de Wolf. "Post randomisation for
   statistical disclosure control: theory and implementation." Journal of Official Statistics 14(4),
   1998.
.. [2] D. Agrawal, C. C. Aggarwal. "On the design and quantification of privacy preserving data
   mining algorithms." PODS 2001.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist

import numpy as np

from unlinkable.collection.estimate import Estimate
from unlinkable.collection.mixtures import Stop, mix
from unlinkable.errors import DataError, ParameterError
from unlinkable.typing import CountArray, FloatArray

__all__ = ["likeliest_shares", "shares_before"]

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
