"""Meters agree with the metrics that they stand for."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import finest_of, table_of
from tests.tables.methods.cuts.plain_cuts import all_cuts
from tests.tables.methods.cuts.shared.test_rows import as_cut
from tests.tables.methods.lattice.example import table_with
from tests.witness.tree import Tree
from unlinkable.tables.engines import count
from unlinkable.tables.methods.cuts.shared import meters
from unlinkable.tables.methods.cuts.shared.meters import (
    CellMeter,
    ClassMeter,
    MetricMeter,
    SizeMeter,
    meter_for,
)
from unlinkable.tables.methods.cuts.shared.rows import Rows
from unlinkable.tables.metrics import (
    AverageClassSize,
    Discernibility,
    ILoss,
    MinimalDistortion,
    NormalizedCertaintyPenalty,
)
from unlinkable.tables.metrics.base import GroupMetric, Shown
from unlinkable.tables.metrics.classification_metric import ClassificationMetric
from unlinkable.tables.metrics.information_gain import InformationGain

KINDS: list[tuple[GroupMetric, type]] = [
    (ILoss(), CellMeter),
    (NormalizedCertaintyPenalty(), CellMeter),
    (MinimalDistortion(), CellMeter),
    (Discernibility(), SizeMeter),
    (AverageClassSize(2), SizeMeter),
    (ClassificationMetric("s0"), ClassMeter),
    (InformationGain("s0"), MetricMeter),
]


@given(
    tables(min_records=1, max_records=16, max_qid=3),
    st.sampled_from(KINDS),
    st.sampled_from([64, 1]),
    st.data(),
)
def test_a_meter_measures_what_its_metric_measures(
    random: RandomTable, chosen: tuple[GroupMetric, type], few: int, data: st.DataObject
) -> None:
    metric, kind = chosen
    finest, attributes = finest_of(random), table_of(random).attributes
    meter = meter_for(finest, attributes, metric)
    assert type(meter) is kind
    rows = Rows(finest, [a.taxonomy.n for a in attributes])
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(meters, "_FEW", few)
        for _ in range(3):
            cuts = [as_cut(data.draw(st.sampled_from(all_cuts(a.taxonomy)))) for a in attributes]
            grouped = rows.group(cuts)
            n = len(grouped)
            keep = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)), bool)
            n_lost = int(grouped.sizes[~keep].sum())
            loss = meter.loss(rows, cuts, grouped, keep, n_lost)
            expected = metric.loss(Shown.of(rows.partition(grouped, cuts, keep), attributes))
            assert loss == pytest.approx(expected, abs=1e-9)


def test_weights_and_importance_count() -> None:
    tree = Tree({v: (v, "*") for v in "ab"})
    records = [{"x": a, "y": b, "w": w} for a, b, w in [("a", "a", 5.0), ("b", "b", 1.0)]]
    table = table_with(records, {"x": tree, "y": tree}, weight="w", importance={"y": 3.0})
    finest = count(table).finest
    meter = meter_for(finest, table.attributes, ILoss())
    rows = Rows(finest, [2, 2])
    cuts = [as_cut(((0, 2),)), as_cut(((0, 1), (1, 2)))]
    grouped = rows.group(cuts)
    keep = np.array([True, False])
    # x loses 1/2 in all records, at a quarter; the record of weight 1 loses 1 on both.
    assert meter.loss(rows, cuts, grouped, keep, 1) == pytest.approx((5 / 8 + 1) / 6)
