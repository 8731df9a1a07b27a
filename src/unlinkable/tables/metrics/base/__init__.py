"""What every metric is made of."""

from __future__ import annotations

from unlinkable.tables.metrics.base.bucketized import Bucketized
from unlinkable.tables.metrics.base.grouped import CellMetric, GroupMetric, SizeMetric
from unlinkable.tables.metrics.base.metric import Measured, Metric, Purpose
from unlinkable.tables.metrics.base.published import Generalized, Perturbed, Published
from unlinkable.tables.metrics.base.shown import Shown

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
