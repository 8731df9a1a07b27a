"""Measurement: what a metric found."""

from __future__ import annotations

import math
from collections.abc import Mapping

from attrs import field, frozen

__all__ = ["Measurement", "finite"]


@frozen
class Measurement:
    """What a metric gives for a release.

    Attributes
    ----------
    value
        The number.
    details
        The numbers that it is made of, by name: attributes, classifiers, bounds.
    """

    value: float
    details: Mapping[str, float] = field(factory=dict)


def finite(value: float) -> float | None:
    """Give a number as JSON can write it: what is not finite is nothing."""
    return value if math.isfinite(value) else None
