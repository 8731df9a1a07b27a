"""Clusters of originals and releases: what stays the same, what is compared, what is refused."""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tables.groups.plain import histogram_of
from unlinkable.errors import DataError, ParameterError, SchemaError, UnsupportedError
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.data.release_columns import keep_rows
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Partition
from unlinkable.tables.metrics import ClusterFMeasure, Clustering, MatchPoint
from unlinkable.tables.metrics.base import Bucketized, Generalized, Perturbed
from unlinkable.tables.metrics.match_point import match_point
from unlinkable.tables.metrics.shared.clusters import ClusterMetric, Contingency, find_clusters
from unlinkable.tables.taxonomies.builders import Intervals

METRICS: list[type[ClusterMetric]] = [ClusterFMeasure, MatchPoint]


def people(n: int = 60, seed: int = 0) -> Table:
    """Three kinds of people, and the kind of each."""
    rng = np.random.default_rng(seed)
    kind = np.arange(n) % 3
    columns = {
        "age": (25 + 20 * kind + rng.integers(0, 6, n)).tolist(),
        "hours": [None if i % 20 == 7 else int(20 + 10 * (kind[i] == 1)) for i in range(n)],
        "job": [("cook", "clerk", "guard")[k] for k in kind],
        "kind": [None if i == 5 else "xyz"[k] for i, k in enumerate(kind)],
        "y": rng.integers(0, 2, n).tolist(),
        "name": [f"p{i}" for i in range(n)],
    }
    return as_table(
        columns,
        quasi=["age", "hours", "job"],
        sensitive="kind",
        target="y",
        identifiers="name",
        taxonomies={"age": Intervals(10, 50)},
    )


def at_levels(table: Table, *levels: int) -> Generalized:
    counted = count(table)
    partition = Partition.at_levels(counted.finest, table.attributes, levels)
    return Generalized.of(table, partition, counted.labels)


@pytest.mark.parametrize("algorithm", Clustering)
@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_a_release_without_generalization_keeps_all_clusters(
    metric: type[ClusterMetric], algorithm: Clustering
) -> None:
    table = people()
    for n_clusters in (1, 2, 4):
        asked = metric(n_clusters, algorithm)
        assert asked.measure(at_levels(table, 0, 0, 0)).value == 1
        rows = np.random.default_rng(1).permutation(len(table))
        shuffled = Perturbed(table, keep_rows(table.frame, rows), rows)
        assert asked.measure(shuffled).value == 1


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_a_release_that_shows_nothing_has_one_cluster(metric: type[ClusterMetric]) -> None:
    table = people()
    found = metric(3, columns=("age", "hours", "job")).measure(at_levels(table, 3, 1, 1))
    assert found.details["natural clusters"] == 3
    assert found.details["query clusters"] == 1
    assert found.details["records compared"] == 60
    assert found.value < 0.6


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_the_clusters_of_a_column_are_found_again(metric: type[ClusterMetric]) -> None:
    table = people()
    found = metric(clusters="kind").measure(at_levels(table, 1, 1, 0))
    assert found.value == 1
    assert found.details["records compared"] == 59, "somebody has no kind"
    assert found.details["query clusters"] == 3, "as many as the column tells"
    fewer = metric(2, clusters="kind").measure(at_levels(table, 1, 1, 0))
    assert fewer.details["query clusters"] == 2
    assert fewer.value < 1


def test_records_left_out_are_not_compared() -> None:
    table = people()
    counted = count(table)
    partition = Partition.at_levels(counted.finest, table.attributes, [0, 0, 0])
    partition = partition.suppress(partition.lo[:, 0] >= 12)
    release = Generalized.of(table, partition, counted.labels)
    assert release.rows is not None
    assert 0 < release.rows.size < 60
    found = MatchPoint(clusters="kind", columns="job").measure(release)
    assert found.details["records compared"] == np.count_nonzero(release.rows != 5)


def test_compares_the_clusters_of_both_tables() -> None:
    table = people()
    rng = np.random.default_rng(3)
    noisy = as_table({"age": rng.integers(20, 75, 60).tolist()}, quasi="age")
    release = Perturbed(table, noisy.frame, np.arange(60))
    natural, query = (
        find_clusters(np.array(t.frame["age"].to_list(), float)[:, None], 3, Clustering.K_MEANS)
        for t in (table, noisy)
    )
    found = MatchPoint(3).measure(release)
    assert found.value == match_point(natural, query)
    assert found.value < 1
    n = 60
    assert found.details["rand index"] == pytest.approx((found.value * n * n - n) / (n * n - n))


def test_targets_are_not_clustered_by() -> None:
    by_a, by_target = np.arange(40) % 2, np.arange(40) // 20
    told = {"a": by_a.tolist(), **dict.fromkeys("xyz", by_target.tolist())}
    table = as_table(told, quasi="a", target=list("xyz"))
    blank = as_table({**told, **dict.fromkeys("xyz", [0] * 40)}, insensitive=list("axyz"))
    release = Perturbed(table, blank.frame, np.arange(40))
    assert ClusterFMeasure(2).measure(release).value == 1
    assert ClusterFMeasure(2, columns=("a", "x", "y")).measure(release).value < 1


def test_a_column_of_given_clusters_is_not_clustered_by() -> None:
    given, other = np.arange(40) % 2, np.arange(40) // 20
    ages = 50 * other + np.random.default_rng(0).integers(0, 9, 40)
    table = as_table({"age": ages.tolist(), "given": [f"c{c}" for c in given]},
                     quasi="age", insensitive="given")  # fmt: skip
    found = MatchPoint(clusters="given").measure(at_levels(table, 0)).value
    assert found == match_point(given, other) == 0.5


def test_columns_count_the_same_whatever_their_units() -> None:
    table = people()
    ages = [age * 1000 for age in table.frame["age"].to_list()]
    other = as_table({**{n: table.frame[n].to_list() for n in ("hours", "job")}, "age": ages},
                     quasi=["age", "hours", "job"])  # fmt: skip
    swapped = np.random.default_rng(4).permutation(60)
    values = [
        MatchPoint(3, columns=("age", "hours", "job"))
        .measure(Perturbed(t, keep_rows(t.frame, swapped), np.arange(60)))
        .value
        for t in (table, other)
    ]
    assert values[0] == values[1] < 1


@given(st.integers(0, 2**31), st.integers(1, 6), st.sampled_from(Clustering))
@settings(max_examples=15)
def test_clusters_are_the_same_whenever_asked(
    seed: int, n_clusters: int, algorithm: Clustering
) -> None:
    points = np.random.default_rng(seed).integers(0, 3, (12, 2)).astype(float)
    labels = find_clusters(points, n_clusters, algorithm, seed)
    assert labels.tolist() == find_clusters(points, n_clusters, algorithm, seed).tolist()
    assert len(set(labels.tolist())) <= n_clusters
    _, which = np.unique(points, axis=0, return_inverse=True)
    for point in set(which.tolist()):
        assert len(set(labels[which == point].tolist())) == 1, "the same points belong together"


@pytest.mark.parametrize("algorithm", Clustering)
def test_more_clusters_than_records_or_points_are_no_error(algorithm: Clustering) -> None:
    assert find_clusters(np.zeros((3, 1)), 5, algorithm).tolist() == [0, 0, 0]
    assert find_clusters(np.zeros((1, 1)), 5, algorithm).tolist() == [0]


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_refuses_what_cannot_be_compared(metric: type[ClusterMetric]) -> None:
    table = people()
    frame = table.frame
    with pytest.raises(UnsupportedError, match="which one that is is not known"):
        metric().measure(Perturbed(table, frame, None))
    with pytest.raises(UnsupportedError, match="none was published"):
        metric().measure(Perturbed(table, keep_rows(frame, np.arange(0)), np.arange(0)))
    buckets = Bucketized(
        table, frame, np.arange(60), np.zeros(60, np.int32), {"kind": histogram_of([[60]])}
    )
    with pytest.raises(UnsupportedError, match="which sensitive value is whose is not told"):
        metric().measure(buckets)
    only = np.array([5])
    with pytest.raises(UnsupportedError, match="have a natural cluster, and none was published"):
        metric(clusters="kind").measure(Perturbed(table, keep_rows(frame, only), only))


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_refuses_columns_that_are_not_there(metric: type[ClusterMetric]) -> None:
    release = at_levels(people(), 0, 0, 0)
    with pytest.raises(SchemaError, match=r"no published column 'agee' .*did you mean 'age'"):
        metric(columns="agee").measure(release)
    with pytest.raises(SchemaError, match=r"no column 'kin' .*did you mean 'kind'"):
        metric(clusters="kin").measure(release)
    with pytest.raises(SchemaError, match="'kind' tells the natural clusters: do not cluster by"):
        metric(clusters="kind", columns=("age", "kind")).measure(release)
    target_only = as_table({"y": [0, 1]}, target="y")
    with pytest.raises(UnsupportedError, match="no published column to cluster the records by"):
        metric().measure(Perturbed(target_only, target_only.frame, np.arange(2)))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_clusters": 0}, "n_clusters must be at least 1, got 0"),
        ({"algorithm": "kmeans"}, r"no algorithm 'kmeans' .*did you mean 'k-means'"),
        ({"seed": -1}, "seed must be at least 0, got -1"),
    ],
    ids=["n_clusters", "algorithm", "seed"],
)
def test_refuses_parameters_that_mean_nothing(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        ClusterFMeasure(**parameters)


def test_asks_for_the_library_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.cluster", None)
    with pytest.raises(DataError, match=r"clusters need sklearn.* pip install \"unlinkable\[ml\]"):
        find_clusters(np.zeros((3, 1)), 2, Clustering.K_MEANS)


def test_tells_when_half_of_the_work_is_done() -> None:
    told: list[tuple[float, str]] = []
    MatchPoint(2).measure(at_levels(people(), 0, 0, 0), lambda *said: told.append(said))
    assert told == [(0.5, "original records clustered")]


PAIRS = st.lists(
    st.tuples(st.integers(-2, 4), st.sampled_from([-1, 0, 1, 7, 10**12])), min_size=1, max_size=20
)


@given(PAIRS)
def test_says_what_the_definition_says(pairs: list[tuple[int, int]]) -> None:
    compared = [(a, b) for a, b in pairs if a >= 0 and b >= 0]
    if not compared:
        return
    both = Contingency.of([a for a, _ in pairs], [b for _, b in pairs])
    assert both.n_compared == len(compared)
    names = [sorted({pair[side] for pair in compared}) for side in (0, 1)]
    entries = zip(both.natural.tolist(), both.query.tolist(), both.common.tolist(), strict=True)
    assert {(names[0][i], names[1][j]): n for i, j, n in entries} == Counter(compared)
    for side, sizes in enumerate([both.natural_sizes, both.query_sizes]):
        counted = Counter(pair[side] for pair in compared)
        assert sizes.tolist() == [counted[name] for name in names[side]]


def test_refuses_structures_of_other_records() -> None:
    with pytest.raises(ParameterError, match="one cluster structure has 2 records and the other 3"):
        Contingency.of([0, 1], [0, 1, 1])


def test_refuses_structures_without_a_record_in_both() -> None:
    for natural, query in ([0, -1], [-1, 0]), ([], []):
        with pytest.raises(ParameterError, match="no record is in a cluster of both structures"):
            Contingency.of(natural, query)


@pytest.mark.parametrize("labels", [["a", "b"], [0.5, 1.0], [[0], [1]]], ids=repr)
def test_refuses_clusters_that_are_not_numbered(labels: object) -> None:
    with pytest.raises(ParameterError, match="one whole number for each record"):
        Contingency.of(np.array(labels), [0, 1])
