"""Budget: how much noise has to hide."""

from __future__ import annotations

from attrs import frozen

__all__ = ["Budget"]


@frozen
class Budget:
    """What everything together that is told about the data may cost.

    Attributes
    ----------
    epsilon, delta
        The bounds of differential privacy.
    """

    epsilon: float
    delta: float = 0.0
