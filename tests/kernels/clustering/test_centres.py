"""Centres far apart, and who is close to them, against looking at all pairs."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.methods.perturb.mdav_by_definition import gap
from unlinkable.kernels.clustering.centres import (
    closest_centre,
    kth_nearest,
    members_within,
    reserve,
    spread_centres,
)

Point = tuple[float, float]
clouds = st.lists(st.tuples(*[st.integers(-4, 4).map(float)] * 2), min_size=1, max_size=60)


def spread(cloud: list[Point], order: list[int], limit: float) -> list[int]:
    taken: list[int] = []
    for row in order:
        if all(gap(cloud[row], cloud[other]) > limit for other in taken):
            taken.append(row)
    return taken


@given(clouds, st.data())
def test_distances_from_the_kth_nearest_count_the_point_itself(
    cloud: list[Point], data: st.DataObject
) -> None:
    k = data.draw(st.integers(1, len(cloud)))
    expected = [sorted(gap(p, q) for q in cloud)[k - 1] for p in cloud]
    assert kth_nearest(np.array(cloud), k).tolist() == expected


@given(clouds, st.sampled_from([0.0, 1.0, 4.0, 9.5]), st.data())
def test_centres_are_far_apart_and_near_to_all(
    cloud: list[Point], limit: float, data: st.DataObject
) -> None:
    order = data.draw(st.permutations(range(len(cloud))))
    points = np.array(cloud)
    centres = spread_centres(points, np.array(order), limit)
    assert centres.tolist() == spread(cloud, order, limit)
    label, gaps = closest_centre(points, centres)
    for row, point in enumerate(cloud):
        near = min(centres.tolist(), key=lambda c: (gap(cloud[c], point), c))
        assert centres[label[row]] == near
        assert gaps[row] == gap(cloud[near], point) <= limit


@given(clouds, st.sampled_from([0.0, 2.0, 9.0]), st.integers(1, 12))
def test_members_are_listed_up_to_a_number(cloud: list[Point], limit: float, most: int) -> None:
    points, centres = np.array(cloud), np.arange(0, len(cloud), 3)
    n_within, rows = members_within(points, centres, limit, most)
    at = 0
    for c, n in zip(centres, n_within.tolist(), strict=True):
        members = [i for i, p in enumerate(cloud) if gap(p, cloud[c]) <= limit]
        assert n == min(len(members), most)
        if n < most:
            assert sorted(rows[at : at + n].tolist()) == members
            at += n
    assert at == rows.size


@given(clouds, st.integers(1, 3), st.data())
def test_centres_that_waited_take_the_nearest_that_are_free(
    cloud: list[Point], r: int, data: st.DataObject
) -> None:
    n = len(cloud)
    centres = data.draw(st.permutations(range(n)))[: max(n // 6, 1)]
    taken = data.draw(st.lists(st.booleans(), min_size=n, max_size=n))
    label = np.where(taken, 7, -1).astype(np.int32)
    expected = label.tolist()
    for c, centre in enumerate(centres):
        free = [i for i in range(n) if expected[i] < 0]
        for row in sorted(free, key=lambda i: (gap(cloud[i], cloud[centre]), i))[:r]:
            expected[row] = c
    reserve(np.array(cloud), np.array(centres), np.arange(len(centres)), r, label)
    assert label.tolist() == expected
