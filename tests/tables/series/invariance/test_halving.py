"""Halving: groups of one entry for each value, close to each other."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.tables.series.invariance.halving import curve_order, halve


@given(st.integers(1, 20), st.integers(1, 4), st.integers(1, 3), st.integers(0, 9))
def test_groups_have_every_value_of_their_bucket_once(
    n_rows: int, n_values: int, n_buckets: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    n = n_rows * n_values * n_buckets
    points = rng.integers(0, 50, (n, 2)).astype(np.int32)
    bucket = np.repeat(np.arange(n_buckets), n_rows * n_values)
    value = np.tile(np.repeat(np.arange(n_values), n_rows), n_buckets).astype(np.int32)
    group, rounds = halve(points, bucket, value, np.array([49.0, 49.0]))
    assert sorted(set(group.tolist())) == list(range(n_rows * n_buckets))
    for g in range(n_rows * n_buckets):
        assert sorted(value[group == g].tolist()) == list(range(n_values))
        assert len(set(bucket[group == g].tolist())) == 1
    assert rounds == int(np.ceil(np.log2(n_rows)))


def test_near_entries_come_together() -> None:
    """Of two values at the same 64 places, every group is one place."""
    places = np.arange(64, dtype=np.int32)
    points = np.concatenate([places, places[::-1]])[:, None]
    value = np.repeat(np.array([0, 1], np.int32), 64)
    group, rounds = halve(points, np.zeros(128, np.int64), value, np.array([63.0]))
    assert rounds == 6
    for g in range(64):
        assert len(set(points[group == g, 0].tolist())) == 1


@given(st.integers(1, 40), st.integers(1, 4), st.integers(0, 9))
def test_the_curve_passes_everybody_once(n: int, d: int, seed: int) -> None:
    points = np.random.default_rng(seed).integers(0, 8, (n, d)).astype(np.int32)
    place = curve_order(points, np.full(d, 7.0))
    assert sorted(place.tolist()) == list(range(n))


def test_the_curve_stays_in_a_quarter_before_it_goes_to_the_next() -> None:
    points = np.array([(x, y) for x in range(8) for y in range(8)], np.int32)
    place = curve_order(points, np.full(2, 7.0))
    quarter = 2 * (points[:, 0] >= 4) + (points[:, 1] >= 4)
    assert (quarter[np.argsort(place)] == np.repeat(np.arange(4), 16)).all()
