"""Merging: what putting groups together does to a promise that they keep."""

from __future__ import annotations

from enum import IntEnum

__all__ = ["Merging"]


class Merging(IntEnum):
    """What merging groups does to a promise that they keep."""

    UNSAFE = 0
    """Two groups that keep it may break it together."""
    SAFE = 1
    """Groups that keep it keep it together: a coarser table is as good as a finer one."""
    ABSORBS = 2
    """A group that keeps it keeps it whatever else is merged in."""
