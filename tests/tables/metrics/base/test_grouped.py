"""Losses that a table adds up: twice the records lose twice as much."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from tests.tables.metrics.random_releases import random_releases, records
from unlinkable.tables.metrics import BabuILoss, MinimalDistortion
from unlinkable.tables.metrics.base import CellMetric, Shown
from unlinkable.tables.metrics.base.grouped import SummedCellMetric


@pytest.mark.parametrize("metric", [BabuILoss(), MinimalDistortion()], ids=str)
@given(shown=random_releases())
def test_is_the_mean_of_its_family_times_its_scale(metric: SummedCellMetric, shown: Shown) -> None:
    assert metric.value(shown) == pytest.approx(CellMetric.value(metric, shown))


@pytest.mark.parametrize("metric", [BabuILoss(), MinimalDistortion()], ids=str)
@given(shown=random_releases())
def test_adds_up_over_records_and_attributes(metric: SummedCellMetric, shown: Shown) -> None:
    total = 0.0
    for record in records(shown):
        for j, attribute in enumerate(shown.attributes):
            if record.ranges is None:
                loss = metric.suppressed(attribute.taxonomy)
            else:
                lo, hi = record.ranges[j]
                (loss,) = metric.cells(attribute.taxonomy, np.array([lo]), np.array([hi])).tolist()
            total += record.weight * attribute.importance * loss
    assert metric.value(shown) == pytest.approx(total)
