"""Noisy marginals: three ways to add noise, and how the results are made consistent.

Marginals that agree where they overlap need not be those of any table. If the attributes have few
cells together, the table itself is looked for, and its marginals are published.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from attrs import define

from unlinkable.noise import Budget, Currency, Ledger, SpendableBudget
from unlinkable.params import Choice
from unlinkable.tables.methods.noisy.shared.fourier import (
    Basis,
    noisy_coefficients,
    rows_of,
    signed_marginals,
)
from unlinkable.tables.methods.noisy.shared.marginals import Axes, Workload, nearest_counts
from unlinkable.typing import CountArray, FloatArray

__all__ = [
    "LARGEST",
    "LARGEST_PROGRAM",
    "Consistency",
    "NoisyMarginals",
    "add_noise",
    "least_deviation",
    "least_squares",
    "marginals_of",
    "rounded",
    "summing",
]

LARGEST = 4096
"""A table of more cells is not looked for by least squares."""
LARGEST_PROGRAM = 1024
"""A table of more cells is not looked for by a linear program."""


def summing(workload: Workload, axes: Axes) -> FloatArray:
    """Give the matrix that adds up the cells of the joint table to those of a marginal.

    Examples
    --------
    >>> summing(Workload((2, 2), ((0,), (1,))), (0,)).tolist()
    [[1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]]
    """
    matrix: FloatArray = np.ones((1, 1))
    for axis in workload.all_axes:
        size = workload.sizes[axis]
        factor = np.eye(size) if axis in axes else np.ones((1, size))
        matrix = np.kron(matrix, factor).astype(np.float64)
    return matrix


def least_squares(
    workload: Workload, noisy: Sequence[FloatArray], weights: Sequence[float]
) -> FloatArray:
    """Find the table without a negative count whose marginals are nearest in weighted squares.

    The marginals of all such tables are the same, the table itself may be one of several. Solved by
    the active set method of Lawson and Hanson, in O(m n^2) at worst for n cells and m counts.
    """
    from scipy import optimize

    matrix = np.vstack(
        [
            np.sqrt(weight) * summing(workload, axes)
            for axes, weight in zip(workload.marginals, weights, strict=True)
        ]
    )
    told = np.concatenate(
        [np.sqrt(weight) * t.ravel() for t, weight in zip(noisy, weights, strict=True)]
    )
    table, _ = optimize.nnls(matrix, told, maxiter=30 * matrix.shape[1])
    return np.asarray(table, np.float64).reshape(workload.shape(workload.all_axes))


def least_deviation(workload: Workload, matrix: FloatArray, told: FloatArray) -> FloatArray:
    r"""Find the table without a negative count of the least largest deviation.

    The linear program of Barak and others: :math:`\min b` such that
    :math:`|M x - y| \le b`, :math:`x \ge 0`.

    Parameters
    ----------
    workload
        The attributes.
    matrix, told
        Which sums over the cells of the joint table were published, a row for each, and their
        values.
    """
    from scipy import optimize

    n = matrix.shape[1]
    ones = np.ones((len(matrix), 1))
    found = optimize.linprog(
        np.append(np.zeros(n), 1.0),
        A_ub=np.vstack([np.hstack([matrix, -ones]), np.hstack([-matrix, -ones])]),
        b_ub=np.concatenate([told, -told]),
        bounds=(0, None),
        method="highs",
    )
    table = np.maximum(np.asarray(found.x[:-1], np.float64), 0.0)
    return table.reshape(workload.shape(workload.all_axes))


def rounded(table: FloatArray) -> CountArray:
    """Round the cells of a table so that all sums of cells from the first on are within one half.

    Examples
    --------
    >>> rounded(np.array([[0.4, 0.4], [0.4, 1.8]])).tolist()
    [[0, 1], [0, 2]]
    """
    upto = np.floor(np.cumsum(table.ravel()) + 0.5).astype(np.int64)
    return np.diff(upto, prepend=0).reshape(table.shape)


def marginals_of(workload: Workload, table: FloatArray) -> list[FloatArray]:
    """Add up a joint table to all marginals."""
    everything = workload.all_axes
    return [
        table.sum(axis=tuple(i for i, axis in enumerate(everything) if axis not in axes))
        for axes in workload.marginals
    ]


class Consistency(Choice):
    """How marginals are made to agree with each other."""

    NONE = "none"
    """Not at all: every count has noise of its own."""
    PROJECTION = "projection"
    """The nearest marginals without a negative count that agree are taken."""
    FOURIER = "fourier"
    """Not counts get noise but coefficients, from which all marginals are computed."""


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
        The standard deviation of the noise on each published number, counts or coefficients.
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
    spendable = SpendableBudget.cheapest(budget, l1=n, l2=math.sqrt(n))
    noisy = [
        spendable.count(table, l1=1, l2=1, share=1 / n, what=name).astype(np.float64)
        for table, name in zip(counts, names, strict=True)
    ]
    scale = spendable.scale(l1=1, l2=1, share=1 / n)
    deviation = _geometric(scale) if spendable.currency is Currency.PURE else scale
    if how is Consistency.NONE:
        return NoisyMarginals(noisy, spendable.ledger, deviation)
    if n == 1:
        return NoisyMarginals([np.maximum(noisy[0], 0)], spendable.ledger, deviation, is_joint=True)
    weights = [1.0] * n
    if workload.n_joint <= LARGEST:
        table = least_squares(workload, noisy, weights)
        return _joint(workload, table, spendable, deviation, whole)
    return _local(workload, noisy, spendable, deviation, whole)


def _by_fourier(
    workload: Workload, counts: Sequence[CountArray], budget: Budget, whole: bool
) -> NoisyMarginals:
    basis = Basis.of(workload)
    plain = [(s, basis.sensitivity(s), basis.unit(s)) for s in workload.sets]
    l1 = sum(one / unit for _, (one, _), unit in plain)
    l2 = math.sqrt(sum((two / unit) ** 2 for _, (_, two), unit in plain))
    spendable = SpendableBudget.cheapest(budget, l1=l1, l2=l2)
    told = noisy_coefficients(basis, counts, spendable)
    scale = spendable.scale(l1=l1, l2=l2, share=1)
    deviation = math.sqrt(2) * scale if spendable.currency is Currency.PURE else scale
    if workload.n_joint <= LARGEST_PROGRAM:
        wanted = np.concatenate([np.ravel(told[s]) for s in told])
        table = least_deviation(workload, rows_of(basis, list(told)), wanted)
        return _joint(workload, table, spendable, deviation, whole)
    return _local(workload, signed_marginals(basis, told), spendable, deviation, whole)


def _joint(
    workload: Workload, table: FloatArray, spendable: SpendableBudget, deviation: float, whole: bool
) -> NoisyMarginals:
    shown = rounded(table).astype(np.float64) if whole else table
    return NoisyMarginals(marginals_of(workload, shown), spendable.ledger, deviation, is_joint=True)


def _local(
    workload: Workload,
    noisy: Sequence[FloatArray],
    spendable: SpendableBudget,
    deviation: float,
    whole: bool,
) -> NoisyMarginals:
    tables, rounds = nearest_counts(workload, noisy, [1.0] * len(noisy))
    shown = [np.rint(table) for table in tables] if whole else tables
    return NoisyMarginals(shown, spendable.ledger, deviation, rounds)


def _geometric(scale: float) -> float:
    """Give the standard deviation of two-sided geometric noise: 1 / (sqrt(2) sinh(1 / 2b))."""
    # Written so that noise that is next to nothing does not overflow.
    return math.sqrt(2) * math.exp(-1 / (2 * scale)) / -math.expm1(-1 / scale)
