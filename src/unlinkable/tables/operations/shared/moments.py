r"""Means and covariances: noise that has those of the data, and data that get theirs back.

References
----------
.. [1] J. J. Kim. "A method for limiting disclosure in microdata based on random noise and
   transformation." Proceedings of the ASA section on survey research methods, 1986.
.. [2] M. Knott, C. S. Smith. "On the optimal mapping of distributions." Journal of Optimization
   Theory and Applications 43(1), 1984. The linear map between two covariances that moves least.
"""

from __future__ import annotations

import numpy as np

from unlinkable.typing import FloatArray

__all__ = ["correlated_noise", "with_moments_of"]

_FLAT = 1e-12
"""Directions with a smaller share of the variance than this are taken for none."""


def correlated_noise(points: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Draw Gaussian noise around 0 with the covariance of points, a row for each.

    Columns may depend on each other; noise then does in the same way.
    """
    spread = _spread(points)
    root = _root(_covariance(points / spread), 0.5)
    return np.asarray(rng.standard_normal(points.shape) @ root * spread, float)


def with_moments_of(points: FloatArray, noisy: FloatArray) -> FloatArray:
    r"""Move and scale noisy points so that their means and covariances are those of others.

    With :math:`\Sigma` the covariance of the points and :math:`S` that of the noisy ones, they are
    multiplied by :math:`S^{-1/2}(S^{1/2} \Sigma S^{1/2})^{1/2} S^{-1/2}` [2]_.

    Examples
    --------
    >>> points = np.array([[0.0], [1.0], [2.0]])
    >>> with_moments_of(points, np.array([[5.0], [9.0], [7.0]])).ravel().round(9).tolist()
    [0.0, 2.0, 1.0]
    """
    spread = _spread(points)
    wanted, got = _covariance(points / spread), _covariance(noisy / spread)
    half, back = _root(got, 0.5), _root(got, -0.5)
    turn = back @ _root(half @ wanted @ half, 0.5) @ back
    centred = (noisy - noisy.mean(axis=0)) / spread
    return np.asarray(centred @ turn * spread + points.mean(axis=0), float)


def _spread(points: FloatArray) -> FloatArray:
    """Give the standard deviation of each column; 1 if it does not vary."""
    spread = points.std(axis=0)
    return np.where(spread > 0, spread, 1.0)


def _covariance(points: FloatArray) -> FloatArray:
    centred = points - points.mean(axis=0)
    return np.asarray(centred.T @ centred / (len(points) - 1), float)


def _root(matrix: FloatArray, power: float) -> FloatArray:
    """Raise a symmetric matrix to a power, leaving directions without variance at 0."""
    values, vectors = np.linalg.eigh((matrix + matrix.T) / 2)
    is_flat = values <= _FLAT * max(values.max(initial=0.0), _FLAT)
    raised = np.where(is_flat, 0.0, np.where(is_flat, 1.0, values) ** power)
    return np.asarray(vectors * raised @ vectors.T, float)
