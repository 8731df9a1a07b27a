"""What all general metrics claim: least for what was not changed, most for what is gone."""

from __future__ import annotations

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.metrics.random_releases import as_it_was, coarser, random_releases, with_roots
from unlinkable.tables.groups import Partition
from unlinkable.tables.metrics import (
    Ambiguity,
    AverageClassSize,
    AverageInformationLoss,
    BabuILoss,
    Discernibility,
    DiscernibilityRatio,
    DistinctiveAttribute,
    ILoss,
    KLDivergence,
    MinimalDistortion,
    NonuniformEntropy,
    NormalizedCertaintyPenalty,
    PrivacyPercentage,
)
from unlinkable.tables.metrics.base import GroupMetric, Shown

METRICS: list[GroupMetric] = [
    ILoss(),
    NormalizedCertaintyPenalty(),
    NormalizedCertaintyPenalty("length"),
    MinimalDistortion(),
    BabuILoss(),
    AverageInformationLoss(),
    Ambiguity(),
    PrivacyPercentage(),
    PrivacyPercentage("attributes"),
    PrivacyPercentage("records"),
    NonuniformEntropy(),
    KLDivergence(),
    KLDivergence(joint=True),
    DistinctiveAttribute(),
    Discernibility(),
    Discernibility("alike"),
    Discernibility("nothing"),
    Discernibility(suppressed=3),
    DiscernibilityRatio(),
    DiscernibilityRatio("alike"),
    DiscernibilityRatio("nothing"),
    AverageClassSize(),
]
MONOTONE = [metric for metric in METRICS if metric.monotone]
NOTHING_LOST = [
    metric
    for metric in METRICS
    if not isinstance(
        metric,
        Discernibility
        | DiscernibilityRatio
        | DistinctiveAttribute
        | AverageInformationLoss
        | AverageClassSize,
    )
]
ROUNDING = 1e-9


@given(random_releases())
def test_numbers_are_within_their_bounds_and_details_finite(shown: Shown) -> None:
    for metric in METRICS:
        least, most = metric.bounds
        assert least <= metric.value(shown), metric
        assert most is None or metric.value(shown) <= most + ROUNDING, metric
        assert all(np.isfinite(value) for value in metric.details(shown).values()), metric


@given(random_releases())
def test_a_table_as_it_was_has_lost_exactly_nothing(shown: Shown) -> None:
    for metric in NOTHING_LOST:
        assert metric.value(as_it_was(shown)) == 0, metric


@given(shown=random_releases(), data=st.data())
def test_a_coarser_release_loses_no_less(shown: Shown, data: st.DataObject) -> None:
    after = data.draw(coarser(shown))
    for metric in MONOTONE:
        assert metric.loss(after) >= metric.loss(shown) - ROUNDING, metric


@given(random_releases())
def test_nothing_loses_more_than_what_is_gone(shown: Shown) -> None:
    gone = Shown.of(shown.origin.suppress(np.ones(len(shown.sizes), bool)), shown.attributes)
    for metric in MONOTONE:
        least, most = metric.loss(as_it_was(shown)), metric.loss(gone)
        for release in (shown, with_roots(shown)):
            assert least - ROUNDING <= metric.loss(release) <= most + ROUNDING, metric


@given(random_releases())
def test_an_empty_table_has_nothing_to_lose(shown: Shown) -> None:
    finest = shown.finest.select(np.zeros(len(shown.finest), bool))
    empty = Shown.of(Partition.tight(finest, np.zeros(0, np.int32), 0), shown.attributes)
    for metric in METRICS:
        assert metric.value(empty) == 0, metric
        assert set(metric.details(empty).values()) <= {0.0}, metric


@given(shown=random_releases(), data=st.data())
def test_people_without_a_record_change_nothing(shown: Shown, data: st.DataObject) -> None:
    value = data.draw(st.tuples(*(st.integers(0, a.taxonomy.n - 1) for a in shown.attributes)))
    codes, finest, partition = np.array(value, np.int32), shown.finest, shown.origin
    more = evolve(
        finest,
        sizes=np.append(finest.sizes, 0),
        weights=np.append(finest.weights, 0.0),
        keys=np.vstack([finest.keys, codes]),
    )
    labels = np.append(partition.labels, np.int32(partition.n_parts))
    lo, hi = np.vstack([partition.lo, codes]), np.vstack([partition.hi, codes + np.int32(1)])
    with_others = Shown.of(Partition(more, labels, lo, hi), shown.attributes)
    for metric in METRICS:
        assert metric.value(with_others) == pytest.approx(metric.value(shown), abs=1e-12), metric


def test_those_that_may_fall_say_so() -> None:
    may_fall = {str(metric) for metric in METRICS if not metric.monotone}
    assert may_fall == {
        "kl-divergence",
        "kl-divergence(joint=true)",
        "distinctive-attribute",
        'discernibility(suppressed="nothing")',
        "discernibility(suppressed=3)",
        'discernibility-ratio(suppressed="nothing")',
        "average-class-size",
    }
