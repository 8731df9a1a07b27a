"""Promises that a release can keep, one per file."""

from __future__ import annotations

from unlinkable.privacy.distinct_l_diversity import DistinctLDiversity
from unlinkable.privacy.entropy_l_diversity import EntropyLDiversity
from unlinkable.privacy.ground_distance import GroundDistance
from unlinkable.privacy.k_anonymity import KAnonymity
from unlinkable.privacy.recursive_cl_diversity import RecursiveCLDiversity
from unlinkable.privacy.t_closeness import TCloseness

__all__ = [
    "DistinctLDiversity",
    "EntropyLDiversity",
    "GroundDistance",
    "KAnonymity",
    "RecursiveCLDiversity",
    "TCloseness",
]
