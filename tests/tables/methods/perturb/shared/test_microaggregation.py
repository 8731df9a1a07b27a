"""Clusters of near records: the published algorithm, merging, what can be promised."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.tables.methods.perturb.masking import bound
from tests.tables.methods.perturb.mdav_by_definition import mdav, squares
from unlinkable.errors import InfeasibleError
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.engines import count_parts
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.perturb.shared import microaggregation
from unlinkable.tables.methods.perturb.shared.microaggregation import (
    Clusters,
    cluster_refusal,
    information_loss,
    line_clusters,
    mdav_clusters,
    means_of,
    merge_clusters,
    require_size,
)
from unlinkable.tables.methods.perturb.shared.record_points import on_grid
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.models import (
    DifferentialPrivacy,
    DistinctLDiversity,
    EpsilonMAnonymity,
    KAnonymity,
    KMap,
    LKCPrivacy,
)
from unlinkable.tables.models.base import GroupModel


def silent(share: float, words: str) -> None:
    assert 0 <= share <= 1


@given(
    st.lists(
        st.tuples(*[st.integers(-3, 3) | st.floats(-5, 5, allow_subnormal=False)] * 2),
        min_size=1,
        max_size=50,
    ),
    st.integers(2, 5),
)
def test_groups_are_those_of_the_published_algorithm(
    cloud: list[tuple[float, float]], k: int
) -> None:
    points = on_grid(np.array(cloud, float))
    found = mdav_clusters(points, k, silent)
    groups = [np.flatnonzero(found.labels == g).tolist() for g in range(found.n)]
    assert groups == mdav([tuple(p) for p in points.tolist()], k)
    assert all(len(g) == k for g in groups[:-1])
    assert len(groups[-1]) < 2 * k
    if len(cloud) >= k:
        assert len(groups[-1]) >= k


def test_a_thousand_records_are_grouped_as_published() -> None:
    points = on_grid(np.random.default_rng(5).normal(size=(1_000, 4)))
    found = mdav_clusters(points, 3, silent)
    groups = [np.flatnonzero(found.labels == g).tolist() for g in range(found.n)]
    assert groups == mdav([tuple(p) for p in points.tolist()], 3)
    # Written down plainly, four passes a round over 500 records on average: 332,000.
    assert found.effort == {"rounds": 166, "compared": 28_678}


@given(st.lists(st.integers(0, 30), min_size=3, max_size=30), st.integers(2, 4))
def test_loss_is_squares_within_out_of_all(values: list[int], k: int) -> None:
    assume(len({*values}) > 1 and len(values) >= k)
    points = np.array(values, float)[:, None]
    found = line_clusters(points[:, 0], k)
    groups = [
        [(float(v),) for v, g in zip(values, found.labels, strict=True) if g == c]
        for c in range(found.n)
    ]
    expected = sum(map(squares, groups)) / squares([(float(v),) for v in values])
    assert information_loss(points, found) == pytest.approx(expected, abs=1e-12)
    # The best groups lose no more than those of the general algorithm.
    assert expected <= information_loss(points, mdav_clusters(points, k, silent)) + 1e-12


def test_nothing_is_lost_where_nothing_differs() -> None:
    assert information_loss(np.ones((4, 1)), Clusters(np.zeros(4, np.int32), 1, {})) == 0.0


@given(st.lists(st.tuples(st.integers(0, 40), st.sampled_from("xyz")), min_size=2, max_size=40))
def test_clusters_are_merged_until_all_keep_the_promise(rows: list[tuple[int, str]]) -> None:
    people = as_table(
        {"age": [a for a, _ in rows], "ill": [s for _, s in rows]}, quasi="age", sensitive="ill"
    )
    assume(len({s for _, s in rows}) >= 2)
    privacy = bound(people, DistinctLDiversity(2))
    points = np.array([[float(a)] for a, _ in rows])
    formed = mdav_clusters(points, 2, silent)
    task = Task(people.attributes, ILoss())
    merged, host = merge_clusters(people, formed, means_of(points, formed), privacy, task)
    assert host.size == merged.n == formed.n - merged.effort["merges"]
    groups = [
        {s for (_, s), g in zip(rows, merged.labels, strict=True) if g == c}
        for c in range(merged.n)
    ]
    assert all(len(g) >= 2 for g in groups)
    # Clusters are put together, never taken apart.
    for c in range(formed.n):
        assert len({*merged.labels[formed.labels == c]}) == 1
    assert all(merged.labels[formed.labels == h][0] == c for c, h in enumerate(host))
    before = count_parts(people, formed.labels, formed.n, privacy.needs())
    assert (merged.effort["merges"] == 0) == bool(privacy.good(before).all())


def patients() -> Table:
    return as_table({"age": [1, 2, 3], "ill": ["x", "x", "x"]}, quasi="age", sensitive="ill")


def test_what_no_cluster_can_keep_is_refused_at_once() -> None:
    with pytest.raises(InfeasibleError, match="no groups of records keep distinct-l-diversity"):
        require_size(patients(), 2, bound(patients(), DistinctLDiversity(2)))
    with pytest.raises(InfeasibleError, match="the table has 3 records, and groups need 4"):
        require_size(patients(), 4, bound(patients(), KAnonymity(4)))
    empty = as_table({"age": np.array([], np.int64)}, quasi="age")
    with pytest.raises(InfeasibleError, match="the table has no records"):
        require_size(empty, 2, bound(empty, KAnonymity(2)))


def test_what_only_the_records_left_out_could_keep_is_refused() -> None:
    people = as_table({"age": [1, 2, 3], "ill": list("xxy")}, quasi="age", sensitive="ill")
    left = Clusters(np.array([0, 0, -1], np.int32), 1, {})
    task, privacy = Task(people.attributes, ILoss()), bound(people, DistinctLDiversity(2))
    with pytest.raises(InfeasibleError, match="no groups of the records that are left keep"):
        merge_clusters(people, left, np.zeros((1, 1)), privacy, task)


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        (LKCPrivacy(l=1, k=2, c=1, sensitive="ill"), "depends on what other groups show"),
        (KMap(2, population="people"), "means of values are not found there"),
        (DifferentialPrivacy(1), "noise"),
        (EpsilonMAnonymity(epsilon=1, m=2, sensitive="ill"), "two that do may break it together"),
        (KAnonymity(2), None),
        (DistinctLDiversity(2), None),
    ],
    ids=str,
)
def test_promises_are_kept_or_refused_with_a_reason(model: GroupModel, reason: str | None) -> None:
    said = cluster_refusal(model)
    assert (said is None) == (reason is None)
    assert said is None or reason in said  # type: ignore[operator]


def test_progress_is_told_after_few_groups_and_changes_nothing() -> None:
    points = on_grid(np.random.default_rng(2).normal(size=(4_000, 2)))
    told: list[float] = []
    found = mdav_clusters(points, 3, lambda share, _: told.append(share))
    assert len(told) >= 8
    assert told == sorted(told)
    assert told[0] < 0.05
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(microaggregation, "_next_pairs", lambda at_once, seconds: 1_000_000)
        again = mdav_clusters(points, 3, lambda share, _: None)
    assert (found.labels == again.labels).all()
    assert found.effort == again.effort


def test_reports_come_about_every_half_second() -> None:
    assert microaggregation._next_pairs(8, 0.01) == 16
    assert microaggregation._next_pairs(8, 0.3) == 8
    assert microaggregation._next_pairs(8, 2.0) == 4
    assert microaggregation._next_pairs(1, 2.0) == 1
