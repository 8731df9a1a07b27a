"""Joint tables: one table without a negative count whose marginals are as near as can be.

Marginals that agree where they overlap need not be those of any table. If the attributes have few
cells together, the table itself is looked for, and its marginals are published.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unlinkable.tables.methods.noisy.shared.marginals import Axes, Workload
from unlinkable.typing import CountArray, FloatArray

__all__ = [
    "LARGEST",
    "LARGEST_PROGRAM",
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
        Which sums over the cells of the joint table were told, a row for each, and what was told.
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
