r"""Noise law: how the noise was drawn that people added to their values.

It is public: the collector needs it to take the noise away from all values together.

References
----------
.. [1] R. Agrawal, R. Srikant. "Privacy-preserving data mining." SIGMOD 2000. Section 2.
.. [2] D. Agrawal, C. C. Aggarwal. "On the design and quantification of privacy preserving data
   mining algorithms." PODS 2001.
"""

from __future__ import annotations

import math

import numpy as np
from attrs import field, frozen

from unlinkable.errors import ParameterError
from unlinkable.params import positive
from unlinkable.tables.operations import Distribution
from unlinkable.typing import FloatArray

__all__ = ["NoiseLaw"]

_DIGITS = 20
"""Binary digits that noisy values have below the scale of the noise."""
_TAIL = {"uniform": 1.0, "gaussian": 37.0, "laplace": 700.0}
"""How many scales from 0 the density is still a number greater than 0."""


@frozen
class NoiseLaw:
    r"""The distribution of the noise :math:`Y` in :math:`Z = X + Y`.

    Parameters
    ----------
    scale
        How wide it is, in the unit of the values.
    distribution
        ``gaussian`` with the standard deviation scale, ``uniform`` from -scale to scale, or
        ``laplace`` with the mean distance scale.

    Examples
    --------
    >>> law = NoiseLaw(10, "uniform")
    >>> law.density(np.array([-10.0, 4.0, 11.0])).tolist()
    [0.05, 0.05, 0.0]
    >>> law.width(0.95)
    19.0
    """

    scale: float = field(converter=float, validator=positive)
    distribution: Distribution = field(default=Distribution.GAUSSIAN, converter=Distribution)

    def __attrs_post_init__(self) -> None:
        if not math.isfinite(self.scale):
            raise ParameterError(f"scale must be a finite number, got {self.scale}")

    @property
    def reach(self) -> float:
        """How far noise can move a value; for noise without bounds, as far as numbers tell."""
        return _TAIL[self.distribution.value] * self.scale

    def width(self, confidence: float) -> float:
        """Give the width of the interval in which a value lies with so much confidence.

        It is how Agrawal and Srikant measure privacy [1]_: the shortest interval that has this
        share of the noise. It holds for a victim of whom nothing else is known.

        Raises
        ------
        ParameterError
            If the confidence is not between 0 and 1.
        """
        if not 0 < confidence < 1:
            raise ParameterError(f"confidence must lie in (0, 1), got {confidence}")
        match self.distribution:
            case Distribution.UNIFORM:
                return 2 * self.scale * confidence
            case Distribution.GAUSSIAN:
                from scipy.special import ndtri

                return 2 * self.scale * float(ndtri((1 + confidence) / 2))
            case Distribution.LAPLACE:
                return -2 * self.scale * math.log1p(-confidence)

    def add(self, values: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Give every value noise of its own. O(n).

        Sums are rounded to about a millionth of the scale: the last digits of a float tell which
        numbers it can be the sum of, and with them the value.
        """
        step = 2.0 ** (math.floor(math.log2(self.scale)) - _DIGITS)
        noisy: FloatArray = values + self.distribution.draw(rng, self.scale, values.size)
        return np.rint(noisy / step) * step

    def density(self, at: FloatArray) -> FloatArray:
        """Give the density of the noise."""
        t = at / self.scale
        match self.distribution:
            case Distribution.UNIFORM:
                return np.where(np.abs(t) <= 1, 0.5, 0.0) / self.scale
            case Distribution.GAUSSIAN:
                bell: FloatArray = np.exp(-t * t / 2) / (self.scale * math.sqrt(2 * math.pi))
                return bell
            case Distribution.LAPLACE:
                peak: FloatArray = np.exp(-np.abs(t)) / (2 * self.scale)
                return peak

    def share_between(
        self, low: FloatArray, high: FloatArray, start: FloatArray, end: FloatArray
    ) -> FloatArray:
        r"""Give the chance that noise carries a value of one interval into another.

        The value is anywhere between ``start`` and ``end`` alike. It is the exact mean
        :math:`\frac{1}{end - start} \int P(low < x + Y \le high)\,dx`.
        """
        corners = np.array(np.broadcast_arrays(high - start, high - end, low - start, low - end))
        # G(t) - G(-t) = t, and what is linear cancels: on the right of 0 the mirror image has all
        # digits, where the difference of large numbers would have none.
        corners = np.where((corners > 0).all(axis=0), -corners, corners)
        a, b, c, d = self._twice_integrated(corners)
        share: FloatArray = np.maximum(a - b - c + d, 0.0) / (end - start)
        return share

    def _twice_integrated(self, at: FloatArray) -> FloatArray:
        """Give G, the integral of the distribution function up to here."""
        t = at / self.scale
        match self.distribution:
            case Distribution.UNIFORM:
                inside = (np.clip(t, -1, 1) + 1) ** 2 / 4
                return self.scale * np.where(t > 1, t, inside)
            case Distribution.GAUSSIAN:
                from scipy.special import ndtr

                bell = np.exp(-t * t / 2) / math.sqrt(2 * math.pi)
                slope: FloatArray = self.scale * (t * ndtr(t) + bell)
                return slope
            case Distribution.LAPLACE:
                bend: FloatArray = np.exp(-np.abs(t)) / 2
                return self.scale * (np.maximum(t, 0.0) + bend)
