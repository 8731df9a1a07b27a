"""Measures of what a release has lost, one per file."""

from __future__ import annotations

from unlinkable.utility.average_class_size import AverageClassSize
from unlinkable.utility.discernibility import Discernibility
from unlinkable.utility.iloss import ILoss
from unlinkable.utility.minimal_distortion import MinimalDistortion
from unlinkable.utility.normalized_certainty_penalty import NormalizedCertaintyPenalty

__all__ = [
    "AverageClassSize",
    "Discernibility",
    "ILoss",
    "MinimalDistortion",
    "NormalizedCertaintyPenalty",
]
