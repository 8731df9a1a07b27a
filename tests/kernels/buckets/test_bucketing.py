"""Buckets of different values, against the steps of Anatomize as they are printed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.witness.buckets import anatomize, is_eligible
from unlinkable.kernels.buckets.bucketing import (
    fill_buckets,
    order_by_label,
    place_left_over,
    take_largest,
)
from unlinkable.typing import CodeArray

COUNTS = st.lists(st.integers(0, 9), min_size=1, max_size=8)


def taken_from(counts: list[int], least: int) -> tuple[list[list[int]], list[int]]:
    """The values of every bucket, and what is left of each value."""
    falling = sorted(range(len(counts)), key=lambda v: -counts[v])
    values = np.array(falling, np.int32)
    taken, left = take_largest(values, np.array([counts[v] for v in falling], np.int64), least)
    rest = dict(zip(falling, left.tolist(), strict=True))
    return taken.reshape(-1, least).tolist(), [rest[v] for v in range(len(counts))]


@given(st.lists(st.integers(-1, 4), max_size=20), st.randoms(use_true_random=False))
def test_records_are_sorted_by_label_and_else_as_given(labels: list[int], chance: object) -> None:
    order = sorted(range(len(labels)), key=lambda _: chance.random())  # type: ignore[attr-defined]
    found, starts = order_by_label(np.array(order, np.int64), np.array(labels, np.int32), 5)
    expected = [i for g in range(5) for i in order if labels[i] == g]
    assert found.tolist() == expected
    assert starts.tolist() == [sum(0 <= label < g for label in labels) for g in range(6)]


@given(COUNTS, st.integers(1, 5))
def test_every_bucket_takes_from_the_most_frequent_values(counts: list[int], least: int) -> None:
    buckets, left = taken_from(counts, least)
    now = list(counts)
    for bucket in buckets:
        assert len({*bucket}) == least
        assert sorted(now[v] for v in bucket) == sorted(now)[-least:]
        assert min(now[v] for v in bucket) > 0
        for v in bucket:
            now[v] -= 1
    assert now == left
    assert sum(count > 0 for count in now) < least


@given(COUNTS, st.integers(2, 4))
def test_buckets_are_as_many_as_by_the_printed_steps(counts: list[int], least: int) -> None:
    values = [v for v, count in enumerate(counts) for _ in range(count)]
    buckets, left = taken_from(counts, least)
    if is_eligible(values, least):
        parts, n_left = anatomize(values, least)
        assert len(buckets) == len(parts)
        assert sum(left) == n_left
        assert max(left) <= 1


def filled(values: list[int], least: int, begin: int) -> tuple[CodeArray, int, int]:
    counts = np.bincount(values, minlength=9)
    falling = np.argsort(-counts, kind="stable").astype(np.int32)
    taken, _ = take_largest(falling, counts[falling], least)
    codes = np.array(values, np.int32)
    by_value, starts = order_by_label(np.arange(codes.size), codes, 9)
    labels, used = fill_buckets(taken, least, by_value, starts, codes.size)
    assert all(used <= counts)
    for g, bucket in enumerate(taken.reshape(-1, least).tolist()):
        assert sorted(codes[labels == g].tolist()) == sorted(bucket)
    n = taken.size // least
    starts_at = np.full(codes.size, begin, np.int64)
    lost = place_left_over(labels, by_value, starts, used, n, starts_at)
    return labels, n, lost


@given(st.lists(st.integers(0, 8), min_size=2, max_size=30), st.integers(2, 4), st.integers(0, 30))
def test_who_is_left_joins_a_bucket_without_his_value(
    values: list[int], least: int, begin: int
) -> None:
    labels, n, lost = filled(values, least, begin)
    for g in range(n):
        inside = [v for v, label in zip(values, labels.tolist(), strict=True) if label == g]
        assert len({*inside}) == len(inside) >= least
    assert lost == int((labels < 0).sum())
    if is_eligible(values, least):
        assert lost == 0


@pytest.mark.parametrize("begin", [0, 1, 2])
def test_those_who_join_are_spread(begin: int) -> None:
    # Eight values once each and l = 3: two buckets, and two are left for both of them.
    labels, n, _ = filled(list(range(8)), 3, begin)
    assert n == 2
    assert sorted(np.bincount(labels).tolist()) == [4, 4]
