"""Threat: which attacks a promise guards against."""

from __future__ import annotations

from enum import Flag, auto

__all__ = ["Threat"]


class Threat(Flag):
    """Which attacks a promise guards against."""

    RECORD = auto()
    """A victim is linked to a record."""
    ATTRIBUTE = auto()
    """A victim is linked to a sensitive value."""
    TABLE = auto()
    """A victim is found to be in the table."""
    PROBABILISTIC = auto()
    """What is believed of a victim changes much."""
