"""Measures of what a release has lost, one per file."""

from __future__ import annotations

from unlinkable.utility.iloss import ILoss

__all__ = ["ILoss"]
