"""Random projections that keep distances, and give no column away.

A matrix of m rows and r < m columns makes r mixtures of m columns [1]_. Some matrices still tell a
column: because of what they are, or because columns of the records depend on each other.

References
----------
.. [1] D. Achlioptas. "Database-friendly random projections." PODS 2001.
"""

from __future__ import annotations

import numpy as np

from unlinkable.errors import UnsupportedError
from unlinkable.params import Choice
from unlinkable.typing import Columns, FloatArray

__all__ = ["TOLD", "Projection", "dependent", "draw_projection", "explained"]

_TRIES = 1_000
"""How often a matrix is drawn again that would give a column away."""

TOLD = 0.99
"""From this share of its variance on, a column counts as computable."""


class Projection(Choice, noun="kind of projection"):
    """Where the entries of a random projection come from."""

    GAUSSIAN = "gaussian"
    """Normal, each column of the matrix then divided by its length."""
    SPARSE = "sparse"
    """The square root of 3 times +1 or -1 with probability 1/6 each, otherwise 0."""


def explained(spread: FloatArray, matrix: FloatArray) -> FloatArray:
    """Tell which share of the variance of each column the coordinates explain, by the best fit.

    Parameters
    ----------
    spread
        The covariances of the columns, or a multiple of them.
    matrix
        By which the columns are projected.

    Examples
    --------
    >>> explained(np.eye(2), np.array([[1.0], [1.0]])).round(6).tolist()
    [0.5, 0.5]
    """
    unit = np.sqrt(np.diag(spread))
    unit = np.where(unit > 0, unit, 1.0)
    # In standard deviations, and by mixtures that have little in common, so that no column is lost
    # beside those of large numbers.
    together = spread / unit[:, None] / unit
    mixed, _ = np.linalg.qr(matrix * unit[:, None])
    inverse = np.linalg.pinv(mixed.T @ together @ mixed, rcond=1e-12, hermitian=True)
    across = together @ mixed
    shares: FloatArray = np.einsum("ij,jk,ik->i", across, inverse, across)
    return shares


def dependent(spread: FloatArray, columns: Columns) -> list[str]:
    """Name the columns that can be computed from the others."""
    found = []
    for j, name in enumerate(columns):
        others = np.delete(np.eye(len(columns)), j, axis=1)
        if explained(spread, others)[j] >= TOLD:
            found.append(name)
    return found


def draw_projection(
    rng: np.random.Generator, m: int, r: int, kind: Projection
) -> tuple[FloatArray, int]:
    r"""Draw a matrix of m rows and r < m columns that keeps distances on the average.

    Also tells how many were drawn until one was found that gives no column away. Column j of the
    table is a mixture of the published ones just if the j-th unit vector lies in the space that the
    columns of the matrix span, that is, if its projection on that space has length 1.

    Raises
    ------
    UnsupportedError
        If none of a thousand will do.

    Examples
    --------
    >>> matrix, _ = draw_projection(np.random.default_rng(0), 5, 2, Projection.GAUSSIAN)
    >>> np.allclose((matrix**2).sum(axis=0), 5 / 2)
    True
    """
    for n_drawn in range(1, _TRIES + 1):
        if kind is Projection.GAUSSIAN:
            matrix = rng.standard_normal((m, r))
            matrix *= np.sqrt(m / r) / np.sqrt((matrix**2).sum(axis=0))
        else:
            matrix = np.sqrt(3 / r) * rng.choice([1.0, 0.0, 0.0, 0.0, 0.0, -1.0], (m, r))
        basis, lengths, _ = np.linalg.svd(matrix, full_matrices=False)
        told = (basis[:, lengths > 1e-9] ** 2).sum(axis=1)
        if (matrix != 0).any(axis=0).all() and told.max() < 1 - 1e-9:
            return matrix, n_drawn
    raise UnsupportedError(
        f"no {kind.value} projection of {m} columns on {r} hides all of them: use a smaller r, or "
        "kind gaussian"
    )
