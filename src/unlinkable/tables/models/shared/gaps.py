"""Gaps: what several models do not promise, in words."""

from __future__ import annotations

__all__ = [
    "NOTHING_IN_COMMON",
    "NO_GROUP_SIZE",
    "SIMILAR_VALUES",
    "UNLISTED_VALUES",
    "VALUES_RULED_OUT",
]

NO_GROUP_SIZE = "It does not say how many people look alike."
NOTHING_IN_COMMON = "It says nothing about what people who look alike have in common."
VALUES_RULED_OUT = "An adversary who can rule out values is surer of the rest."
UNLISTED_VALUES = "Values that are not listed are not bounded."
SIMILAR_VALUES = "It does not know which values mean nearly the same."
