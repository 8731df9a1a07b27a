"""Places in buckets: whoever comes and goes, every bucket keeps its condition."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.buckets.robust_places import place_apart

ODDS = st.sampled_from([-2.0, -1.0, -0.5, 0.0, 0.5])
PERSON = st.tuples(st.integers(-1, 3), ODDS, st.integers(-1, 3))


def is_good(bucket: list[int], values: list[int], odds: list[float], r: float) -> bool:
    """Every guarded value once, and enough people for how far their odds are apart."""
    guarded = [values[i] for i in bucket if values[i] >= 0]
    if len({*guarded}) < len(guarded):
        return False
    span = max(odds[i] for i in bucket) - min(odds[i] for i in bucket)
    is_even = span == 0 or not guarded
    return len(bucket) >= math.ceil(r if is_even else 1 + (r - 1) * math.exp(span))


def placed(
    values: list[int], odds: list[float], buckets: list[int], r: float, seed: int = 3
) -> tuple[list[int], int]:
    """One block of all buckets; odds are the same for every value."""
    labels = np.array(buckets, np.int32)
    n_lost = place_apart(
        np.flatnonzero(labels < 0),
        labels,
        np.zeros(labels.size, np.int32),
        np.array([0, max(buckets, default=-1) + 1], np.int64),
        np.array(values, np.int32),
        np.arange(labels.size, dtype=np.int32),
        np.repeat(np.array(odds)[:, None], 4, axis=1),
        np.arange(4, dtype=np.int32),
        r,
        8,
        np.array([seed], np.uint64),
    )
    return labels.tolist(), n_lost


@given(st.lists(PERSON, min_size=1, max_size=16), st.sampled_from([1.5, 2.0, 3.0]))
def test_every_bucket_is_good_whoever_comes_and_goes(
    people: list[tuple[int, float, int]], r: float
) -> None:
    values, odds, own = (list(column) for column in zip(*people, strict=True))
    for g in range(4):
        inside = [i for i, bucket in enumerate(own) if bucket == g]
        if inside and not is_good(inside, values, odds, r):
            own = [-1 if bucket == g else bucket for bucket in own]
    found, n_lost = placed(values, odds, own, r)
    assert n_lost == found.count(-1) <= own.count(-1)
    members = {g: [i for i, bucket in enumerate(found) if bucket == g] for g in {*found} - {-1}}
    for bucket in members.values():
        assert is_good(bucket, values, odds, r)


def test_who_has_no_place_founds_a_bucket_with_somebody_who_can_be_spared() -> None:
    # Values 0, 1 and 2 are together; another 2 cannot join, and takes one of the others along.
    found, n_lost = placed([0, 1, 3, 2, 2], [0.0] * 5, [0, 0, 0, 0, -1], 2.0)
    assert n_lost == 0
    assert found[4] != found[3]
    assert found.count(found[4]) >= 2


def test_those_without_a_place_may_be_a_bucket_together() -> None:
    found, n_lost = placed([0, 1], [0.0, 0.0], [-1, -1], 2.0)
    assert (found, n_lost) == ([0, 0], 0)
    assert placed([0, 0], [0.0, 0.0], [-1, -1], 2.0) == ([-1, -1], 2)


def test_the_nearest_block_is_asked_first() -> None:
    labels = np.array([0, 0, 1, 1, 2, 2, -1], np.int32)
    odds = np.array([[2.0], [2.0], [0.1], [0.1], [0.0], [0.0], [0.0]])
    place_apart(
        np.array([6]),
        labels,
        np.array([0, 0, 1, 1, 2, 2, 2], np.int32),
        np.arange(4, dtype=np.int64),
        np.array([-1, -1, -1, -1, -1, -1, 0], np.int32),
        np.arange(7, dtype=np.int32),
        odds,
        np.array([0], np.int32),
        2.0,
        8,
        np.array([1], np.uint64),
    )
    assert labels[6] == 2
