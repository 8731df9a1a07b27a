"""How many people of a population are unique, estimated from a sample of them.

Sizes of groups go in, an estimate comes out: nothing here knows of models or tables.
"""

from __future__ import annotations

from unlinkable.privacy.uniqueness.estimate import Estimate, Estimator, estimate_uniqueness
from unlinkable.privacy.uniqueness.sample import Sample

__all__ = ["Estimate", "Estimator", "Sample", "estimate_uniqueness"]
