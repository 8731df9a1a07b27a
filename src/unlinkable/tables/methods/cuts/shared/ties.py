"""Ties: losses that differ by no more than how numbers are rounded are equal."""

from __future__ import annotations

__all__ = ["rounded"]


def rounded(loss: float) -> float:
    """Round to twelve digits, so that the order in which numbers were added up does not matter.

    Examples
    --------
    >>> rounded(0.1 + 0.2) == rounded(0.3)
    True
    >>> rounded(float("inf"))
    inf
    """
    return float(f"{loss:.11e}")
