"""The distributions that noise may have."""

from __future__ import annotations

import numpy as np

from unlinkable.params import Choice
from unlinkable.typing import FloatArray

__all__ = ["Distribution"]


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
