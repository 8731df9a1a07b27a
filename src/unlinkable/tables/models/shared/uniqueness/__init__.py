"""How many people of a population are unique, estimated from a sample of them.

Sizes of groups go in, an estimate comes out: nothing here knows of models or tables.
"""

from __future__ import annotations

from unlinkable.tables.models.shared.uniqueness.estimate import Estimate, Estimator, estimate_uniqueness
from unlinkable.tables.models.shared.uniqueness.sample import Sample

__all__ = ["Estimate", "Estimator", "Sample", "estimate_uniqueness"]
