"""What every metric is made of."""

from __future__ import annotations

from unlinkable.utility.base.bucketized import Bucketized
from unlinkable.utility.base.grouped import CellMetric, GroupMetric, SizeMetric
from unlinkable.utility.base.metric import Measured, Metric, Purpose
from unlinkable.utility.base.published import Generalized, Perturbed, Published
from unlinkable.utility.base.shown import Shown

__all__ = [
    "Bucketized",
    "CellMetric",
    "Generalized",
    "GroupMetric",
    "Measured",
    "Metric",
    "Perturbed",
    "Published",
    "Purpose",
    "Shown",
    "SizeMetric",
]
