"""Gathering points: the bounds on the radius against every gathering there is."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.tables.methods.perturb.mdav_by_definition import gap, groupings
from unlinkable.tables.methods.perturb.shared import gathered
from unlinkable.tables.methods.perturb.shared.gathered import (
    Gathered,
    gather,
    gather_most,
    radii_of,
)

Point = tuple[float, float]
small = st.lists(st.tuples(*[st.integers(0, 12).map(float)] * 2), min_size=2, max_size=7)


def silent(share: float, words: str) -> None:
    assert 0 <= share <= 1
    assert words


def radius(cloud: list[Point], members: list[int]) -> float:
    """Give the least radius of a cluster around any of the points, its own or not."""
    return float(min(max(gap(cloud[m], centre) for m in members) for centre in cloud) ** 0.5)


def least(cloud: list[Point], rows: list[int], r: int) -> float:
    return min(
        (max(radius(cloud, g) for g in groups) for groups in groupings(rows, r)), default=np.inf
    )


def check(cloud: list[Point], found: Gathered, r: int) -> None:
    """Clusters have r points, centres are among their own, and radii are what they are."""
    for c, centre in enumerate(found.centres):
        members = np.flatnonzero(found.labels == c).tolist()
        assert len(members) >= r
        assert centre in members
        widest = max(gap(cloud[m], cloud[centre]) for m in members) ** 0.5
        assert found.radii[c] == pytest.approx(widest)
    assert found.radius == pytest.approx(found.radii.max())
    assert found.labels.max() == found.centres.size - 1


@given(small, st.integers(2, 3))
def test_no_gathering_has_less_than_half_the_radius(cloud: list[Point], r: int) -> None:
    assume(len(cloud) >= r)
    found = gather(np.array(cloud), r, silent)
    check(cloud, found, r)
    assert (found.labels >= 0).all()
    best = least(cloud, list(range(len(cloud))), r)
    assert found.radius <= 2 * best + 1e-9
    assert found.bound <= best + 1e-9


@given(small, st.integers(2, 3), st.integers(1, 2))
def test_no_gathering_that_leaves_out_as_many_has_less_than_a_quarter(
    cloud: list[Point], r: int, n_out: int
) -> None:
    assume(len(cloud) >= r + n_out)
    found = gather_most(np.array(cloud), r, n_out, silent)
    check(cloud, found, r)
    assert (found.labels < 0).sum() <= n_out
    rows = range(len(cloud))
    best = min(
        least(cloud, [i for i in rows if i not in out], r)
        for size in range(n_out + 1)
        for out in combinations(rows, size)
    )
    assert found.radius <= 4 * best + 1e-9
    assert found.bound <= best + 1e-9


@given(small.filter(lambda cloud: len(cloud) > 3), st.integers(2, 3))
def test_larger_tables_miss_the_bound_by_a_thousandth_at_most(cloud: list[Point], r: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gathered, "FEW", 1)
        found = gather(np.array(cloud), r, silent)
    check(cloud, found, r)
    best = least(cloud, list(range(len(cloud))), r)
    assert found.radius <= 2.002 * best + 1e-9
    assert found.bound <= best + 1e-9


def can_share(cloud: list[Point], centres: list[int], limit: float, r: int) -> bool:
    """Tell by augmenting paths whether every centre can have r points within a limit."""
    owner: dict[int, tuple[int, int]] = {}

    def find(seat: tuple[int, int], seen: set[int]) -> bool:
        for row, point in enumerate(cloud):
            if row in seen or gap(point, cloud[centres[seat[0]]]) > limit:
                continue
            seen.add(row)
            if row not in owner or find(owner[row], seen):
                owner[row] = seat
                return True
        return False

    return all(find((c, i), set()) for c in range(len(centres)) for i in range(r))


@given(
    st.lists(st.tuples(*[st.integers(0, 8).map(float)] * 2), min_size=4, max_size=20, unique=True),
    st.integers(2, 3),
    st.sampled_from([1.0, 2.0, 4.0, 9.0, 200.0]),
    st.data(),
)
def test_points_are_shared_out_just_if_they_can_be(
    cloud: list[Point], r: int, limit: float, data: st.DataObject
) -> None:
    centres = data.draw(st.permutations(range(len(cloud))))[: data.draw(st.integers(1, 5))]
    own = gathered._shared_out(np.array(cloud), np.array(centres), limit, r)
    assert (own is not None) == can_share(cloud, centres, limit, r)
    if own is not None:
        assert np.bincount(own[own >= 0], minlength=len(centres)).tolist() == [r] * len(centres)
        assert all(gap(cloud[i], cloud[centres[c]]) <= limit for i, c in enumerate(own) if c >= 0)


def test_points_that_lie_close_to_a_centre_come_back() -> None:
    cloud = [(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (1.0, 1.0), (50.0, 0.0)]
    found = gather_most(np.array(cloud), 3, 2, silent)
    assert found.labels.tolist() == [0, 0, 0, 0, -1]


def test_ten_thousand_points_take_few_trials() -> None:
    points = np.random.default_rng(0).random((10_000, 2))
    found = gather(points, 10, silent)
    check([tuple(p) for p in points.tolist()], found, 10)
    assert found.n_tried <= 12
    assert found.radius <= 2.002 * found.bound * (1 + 1e-9)


def test_radii_of_clusters_leave_others_out() -> None:
    points = np.array([[0.0], [3.0], [100.0]])
    assert radii_of(points, np.array([0, 0, -1], np.int32), np.array([0])).tolist() == [3.0]


@pytest.mark.parametrize("n_out", [0, 50])
def test_progress_is_told_at_every_step(n_out: int) -> None:
    points = np.random.default_rng(1).normal(size=(2_000, 2))
    told: list[float] = []

    def progress(share: float, words: str) -> None:
        assert words
        told.append(share)

    found = gather_most(points, 5, n_out, progress) if n_out else gather(points, 5, progress)
    assert len(told) > found.n_tried - (n_out > 0)
    assert told == sorted(told)
    assert told[0] == 0
    assert told[-1] <= 1
