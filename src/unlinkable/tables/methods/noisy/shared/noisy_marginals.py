"""Noisy marginals: three ways to add noise, and how the results are made consistent."""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import StrEnum

import numpy as np
from attrs import define

from unlinkable.errors import ParameterError, unknown
from unlinkable.noise import Budget, Currency, Ledger, Purse
from unlinkable.tables.methods.noisy.shared.fourier import (
    Basis,
    noisy_coefficients,
    rows_of,
    signed_marginals,
)
from unlinkable.tables.methods.noisy.shared.joint import (
    LARGEST,
    LARGEST_PROGRAM,
    least_deviation,
    least_squares,
    marginals_of,
    rounded,
)
from unlinkable.tables.methods.noisy.shared.marginals import Workload, nearest_counts
from unlinkable.typing import CountArray, FloatArray

__all__ = ["Consistency", "NoisyMarginals", "add_noise"]


class Consistency(StrEnum):
    """How marginals are made to agree with each other."""

    NONE = "none"
    """Not at all: every count is told with noise of its own."""
    PROJECTION = "projection"
    """The nearest marginals without a negative count that agree are taken."""
    FOURIER = "fourier"
    """Not counts get noise but coefficients, from which all marginals are computed."""

    @classmethod
    def _missing_(cls, value: object) -> Consistency:
        raise ParameterError(unknown("consistency", value, cls))


@define(eq=False, frozen=True)
class NoisyMarginals:
    """Marginals with noise.

    Attributes
    ----------
    tables
        The counts of each.
    ledger
        What was paid for them.
    deviation
        The standard deviation of the noise on each number that was told, counts or coefficients.
    rounds
        How many rounds it took to make them agree.
    is_joint
        Whether one table without a negative count is known to have them all.
    """

    tables: list[FloatArray]
    ledger: Ledger
    deviation: float
    rounds: int = 0
    is_joint: bool = False


def add_noise(
    workload: Workload,
    counts: Sequence[CountArray],
    names: Sequence[str],
    budget: Budget,
    *,
    how: Consistency,
    whole: bool,
) -> NoisyMarginals:
    """Publish marginals with noise.

    Parameters
    ----------
    workload, counts
        Which marginals, and their true counts.
    names
        What each marginal is called in the ledger.
    budget
        What it may cost.
    how
        How they are made to agree.
    whole
        Whether counts are rounded. Those of a joint table are rounded there, and agree; others are
        rounded one by one.
    """
    if how is Consistency.FOURIER:
        return _by_fourier(workload, counts, budget, whole)
    n = len(counts)
    purse = Purse.cheapest(budget, l1=n, l2=math.sqrt(n))
    noisy = [
        purse.count(table, l1=1, l2=1, share=1 / n, what=name).astype(np.float64)
        for table, name in zip(counts, names, strict=True)
    ]
    scale = purse.scale(l1=1, l2=1, share=1 / n)
    deviation = _geometric(scale) if purse.currency is Currency.PURE else scale
    if how is Consistency.NONE:
        return NoisyMarginals(noisy, purse.ledger, deviation)
    if n == 1:
        return NoisyMarginals([np.maximum(noisy[0], 0)], purse.ledger, deviation, is_joint=True)
    weights = [1.0] * n
    if workload.n_joint <= LARGEST:
        table = least_squares(workload, noisy, weights)
        return _joint(workload, table, purse, deviation, whole)
    return _local(workload, noisy, purse, deviation, whole)


def _by_fourier(
    workload: Workload, counts: Sequence[CountArray], budget: Budget, whole: bool
) -> NoisyMarginals:
    basis = Basis.of(workload)
    plain = [(s, basis.sensitivity(s), basis.unit(s)) for s in workload.sets]
    l1 = sum(one / unit for _, (one, _), unit in plain)
    l2 = math.sqrt(sum((two / unit) ** 2 for _, (_, two), unit in plain))
    purse = Purse.cheapest(budget, l1=l1, l2=l2)
    told = noisy_coefficients(basis, counts, purse)
    scale = purse.scale(l1=l1, l2=l2, share=1)
    deviation = math.sqrt(2) * scale if purse.currency is Currency.PURE else scale
    if workload.n_joint <= LARGEST_PROGRAM:
        wanted = np.concatenate([np.ravel(told[s]) for s in told])
        table = least_deviation(workload, rows_of(basis, list(told)), wanted)
        return _joint(workload, table, purse, deviation, whole)
    return _local(workload, signed_marginals(basis, told), purse, deviation, whole)


def _joint(
    workload: Workload, table: FloatArray, purse: Purse, deviation: float, whole: bool
) -> NoisyMarginals:
    shown = rounded(table).astype(np.float64) if whole else table
    return NoisyMarginals(marginals_of(workload, shown), purse.ledger, deviation, is_joint=True)


def _local(
    workload: Workload, noisy: Sequence[FloatArray], purse: Purse, deviation: float, whole: bool
) -> NoisyMarginals:
    tables, rounds = nearest_counts(workload, noisy, [1.0] * len(noisy))
    shown = [np.rint(table) for table in tables] if whole else tables
    return NoisyMarginals(shown, purse.ledger, deviation, rounds)


def _geometric(scale: float) -> float:
    """Give the standard deviation of two-sided geometric noise: 1 / (sqrt(2) sinh(1 / 2b))."""
    # Written so that noise that is next to nothing does not overflow.
    return math.sqrt(2) * math.exp(-1 / (2 * scale)) / -math.expm1(-1 / scale)
