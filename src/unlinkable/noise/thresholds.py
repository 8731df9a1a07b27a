r"""Thresholds: counts of values that nobody listed beforehand.

Which values occur at all is told only of those that enough people have: every count gets noise, and
those that are not above a threshold are suppressed. A value that one person alone has then comes
out with probability :math:`\delta` at most [1]_.

OpenDP 0.16 lets counts through that are equal to the threshold, but prices those above it alone
(its issue 2922). Counts that are equal are suppressed here, so that its price is right.

References
----------
.. [1] A. Korolova, K. Kenthapadi, N. Mishra, A. Ntoulas. "Releasing search queries and clicks
   privately." WWW 2009.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from unlinkable.errors import InfeasibleError, ParameterError
from unlinkable.noise.ledger import Event, Mechanism
from unlinkable.noise.mechanisms import opendp
from unlinkable.typing import CountArray

__all__ = ["keep_frequent", "least_threshold"]

_HIGHEST = 1 << 40
"""No threshold is looked for beyond."""


def least_threshold(epsilon: float, delta: float) -> int:
    """Find the lowest threshold whose price OpenDP gives as no more than this.

    Raises
    ------
    InfeasibleError
        If there is none.

    Examples
    --------
    >>> least_threshold(1.0, 1e-6)
    14
    """
    if not (epsilon > 0 and delta > 0):
        raise InfeasibleError(
            "values that nobody listed can only be told with a delta greater than 0: ask for "
            "differential-privacy(epsilon=1, delta=1e-6), or list the values in a taxonomy"
        )
    low, high = 1, 2
    while _price(epsilon, high)[1] > delta:
        low, high = high, 2 * high
        if high > _HIGHEST:
            raise InfeasibleError(f"no threshold is high enough for delta = {delta:g}")
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _price(epsilon, middle)[1] > delta else (low, middle)
    return high


def keep_frequent(
    counts: CountArray, *, epsilon: float, threshold: int, what: str = ""
) -> tuple[CountArray, CountArray, Event]:
    """Add geometric noise to the counts of a partition, and tell those above a threshold.

    Parameters
    ----------
    counts
        Numbers of people, each of whom is counted once; those of 0 do not exist.
    epsilon, threshold
        How much noise, and what a count must be greater than to be told.

    Returns
    -------
    tuple
        Which counts are told, their noisy values, and the event.

    Examples
    --------
    >>> where, noisy, event = keep_frequent(np.array([1, 5000, 0]), epsilon=1, threshold=100)
    >>> where.tolist(), event.mechanism.value
    ([1], 'approximate')
    """
    if (counts < 0).any():
        raise ParameterError("numbers of people are not negative")
    there = np.flatnonzero(counts)
    told = _mechanism(epsilon, threshold)(
        dict(zip(there.tolist(), counts[there].tolist(), strict=True))
    )
    where = np.array(sorted(i for i, n in told.items() if n > threshold), np.int64)
    noisy = np.array([told[i] for i in where.tolist()], np.int64)
    spent, delta = _price(epsilon, threshold)
    event = Event(Mechanism.APPROXIMATE, {"epsilon": spent, "delta": delta}, what=what)
    return where, noisy, event


@cache
def _mechanism(epsilon: float, threshold: int) -> Any:
    dp = opendp()
    atoms = dp.atom_domain(T="i64")
    return dp.m.make_laplace_threshold(
        dp.map_domain(atoms, atoms),
        dp.l01inf_distance(dp.absolute_distance(T="i64")),
        scale=1 / epsilon,
        threshold=threshold,
    )


def _price(epsilon: float, threshold: int) -> tuple[float, float]:
    """Tell epsilon and delta of counting a person once."""
    spent, delta = _mechanism(epsilon, threshold).map((1, 1, 1))
    return float(spent), float(delta)
