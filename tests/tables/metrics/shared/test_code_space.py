"""Coded rows as points: where `ClusterMetric` puts the records that they stand for."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import table_of
from unlinkable.tables.data import as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Partition
from unlinkable.tables.metrics import Clustering
from unlinkable.tables.metrics.base import Generalized
from unlinkable.tables.metrics.match_point import match_point
from unlinkable.tables.metrics.shared.clusters import AXES, axis_scales, find_clusters
from unlinkable.tables.metrics.shared.code_space import CodeSpace
from unlinkable.tables.metrics.shared.features import Unchanged, encode


@given(tables(min_records=1), st.data())
def test_rows_lie_where_their_records_lie(random: RandomTable, data: st.DataObject) -> None:
    people = table_of(random)
    counted = count(people)
    finest = counted.finest
    space = CodeSpace.of(people.attributes, finest.keys, finest.sizes)
    before = encode(Unchanged.of(people), random.qid)
    scales = axis_scales(before)
    assert space.scales == pytest.approx(scales)
    records = before.of_sort(*AXES).values * scales
    rows = space.points(finest.keys, finest.keys + np.int32(1))
    assert np.allclose(rows[counted.labels], records)

    levels = [data.draw(st.integers(0, a.taxonomy.height)) for a in people.attributes]
    partition = Partition.at_levels(finest, people.attributes, levels)
    shown = encode(Generalized.of(people, partition, counted.labels), random.qid)
    records = shown.of_sort(*AXES).values * scales
    parts = space.points(partition.lo, partition.hi)
    assert np.allclose(parts[partition.labels[counted.labels]], records)


def test_numbers_lie_where_their_records_lie() -> None:
    people = as_table({"a": [1, 5, None, 5, 9, 30]}, quasi="a")
    counted = count(people)
    finest = counted.finest
    space = CodeSpace.of(people.attributes, finest.keys, finest.sizes)
    before = encode(Unchanged.of(people), ("a",))
    records = before.of_sort(*AXES).values * axis_scales(before)
    assert np.allclose(space.points(finest.keys, finest.keys + 1)[counted.labels], records)


@pytest.mark.parametrize("algorithm", Clustering)
@given(data=st.data())
@settings(max_examples=20)
def test_a_row_counts_as_often_as_it_occurs(algorithm: Clustering, data: st.DataObject) -> None:
    # Three clouds far apart: whoever counts rows rightly finds them, however often they occur.
    sizes = np.array(data.draw(st.lists(st.integers(1, 30), min_size=9, max_size=9)))
    points = np.array([[0.0], [0.1], [0.2], [50.0], [50.1], [50.2], [99.0], [99.1], [99.2]])
    found = find_clusters(points, 3, algorithm, 4, sizes)
    repeated = find_clusters(np.repeat(points, sizes, axis=0), 3, algorithm, 4)
    assert match_point(np.repeat(found, sizes), repeated) == 1


def test_two_clusters_are_parted_where_most_records_are() -> None:
    points = np.array([[0.0], [4.0], [5.0], [10.0]])
    few, many = np.array([100, 1, 1, 1]), np.array([1, 100, 1, 100])
    for sizes, expected in ((few, [0, 1, 1, 1]), (many, [0, 0, 0, 1])):
        found = find_clusters(points, 2, Clustering.K_MEANS, 0, sizes)
        assert match_point(found, expected) == 1


@pytest.mark.parametrize("algorithm", Clustering)
def test_rows_without_records_go_where_they_are_nearest(algorithm: Clustering) -> None:
    points = np.array([[0.0], [0.1], [9.0], [9.1], [8.5]])
    sizes = np.array([5, 5, 5, 5, 0])
    found = find_clusters(points, 2, algorithm, 0, sizes)
    assert found[4] == found[3] != found[0]
    alone = find_clusters(points, 3, algorithm, 0, np.array([0, 0, 7, 0, 0]))
    assert len(set(alone.tolist())) == 1
