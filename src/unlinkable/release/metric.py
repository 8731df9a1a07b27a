"""Measured: what a metric found."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import field, frozen

__all__ = ["Measured"]


@frozen
class Measured:
    """What a metric found.

    Attributes
    ----------
    value
        The number.
    details
        The numbers that it is made of, by name: attributes, classifiers, bounds.
    """

    value: float
    details: Mapping[str, float] = field(factory=dict)
