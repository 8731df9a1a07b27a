"""Noise on numbers: its distribution, its bounds, and the moments of what comes out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from datetime import date
from fractions import Fraction
from typing import Any

import numpy as np

from unlinkable.errors import ParameterError
from unlinkable.params import Choice, exact
from unlinkable.typing import FloatArray

__all__ = [
    "Bounds",
    "Distribution",
    "as_bounds",
    "bounds_by_column",
    "correlated_noise",
    "width",
    "with_moments_of",
]

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


class Distribution(Choice):
    """How noise is distributed, always around 0."""

    GAUSSIAN = "gaussian"
    """Normally, with the scale as its standard deviation."""
    UNIFORM = "uniform"
    """Evenly between minus the scale and the scale."""
    LAPLACE = "laplace"
    """As the difference of two exponential numbers with the scale as their mean."""

    def draw(self, rng: np.random.Generator, scale: float, n: int) -> FloatArray:
        """Draw so many numbers."""
        match self:
            case Distribution.GAUSSIAN:
                return rng.normal(0.0, scale, n)
            case Distribution.UNIFORM:
                return rng.uniform(-scale, scale, n)
            case Distribution.LAPLACE:
                return rng.laplace(0.0, scale, n)


Bounds = tuple[tuple[str, Fraction, Fraction], ...]
"""Columns, each with the least and the largest value."""

_EPOCH = date(1970, 1, 1)


def as_bounds(value: Mapping[str, Iterable[Any]] | Iterable[Iterable[Any]] | None) -> Bounds:
    """Read bounds from a list of a column and two values each, or from columns to two values.

    Dates are read as days since 1970.

    Examples
    --------
    >>> as_bounds({"age": [0, 120]}) == as_bounds([["age", 0, 120]])
    True
    >>> as_bounds([["born", "1970-01-01", "1970-01-03"]])[0][2]
    Fraction(2, 1)
    """
    listed = [(n, *ends) for n, ends in value.items()] if isinstance(value, Mapping) else value
    found = []
    for entry in listed or ():
        parts = () if isinstance(entry, str) else tuple(entry)
        if len(parts) != 3 or not isinstance(parts[0], str):
            raise ParameterError(
                'bounds must list a column, its least and its largest value, like [["age", 0, 120]]'
            )
        name, lower, upper = parts[0], _number(parts[1]), _number(parts[2])
        if lower >= upper:
            raise ParameterError(f"the lower bound of {name!r} must be less than the upper one")
        found.append((name, lower, upper))
    if len({name for name, *_ in found}) < len(found):
        raise ParameterError("bounds are given twice for a column")
    return tuple(found)


def bounds_by_column(bounds: Bounds) -> dict[str, tuple[Fraction, Fraction]]:
    """Give the bounds by column."""
    return {name: (lower, upper) for name, lower, upper in bounds}


def width(lower: Fraction, upper: Fraction) -> float:
    """Give by how much a value within bounds can change at most, rounded up.

    Examples
    --------
    >>> width(Fraction(0), Fraction(120))
    120.0
    """
    apart = float(upper - lower)
    return apart if Fraction(apart) >= upper - lower else math.nextafter(apart, math.inf)


def _number(value: Any) -> Fraction:
    if isinstance(value, str):
        try:
            return Fraction((date.fromisoformat(value) - _EPOCH).days)
        except ValueError:
            pass
    if isinstance(value, date):
        return Fraction((date(value.year, value.month, value.day) - _EPOCH).days)
    return exact(value)
