"""Measurement: what a metric found."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import field, frozen

__all__ = ["Measurement"]


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
