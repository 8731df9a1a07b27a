"""Dealing out: caps against every way to leave records out, and buckets that mend each other."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.groups.plain import groups_of
from tests.witness.buckets import anatomy_faults, is_eligible
from unlinkable.tables.methods.buckets.shared import dealing
from unlinkable.tables.models import DistinctLDiversity, FrequencyLDiversity
from unlinkable.tables.models.base import All, GroupModel

COUNTS = st.lists(st.integers(0, 12), min_size=1, max_size=6)
VALUES = st.lists(st.integers(0, 5), min_size=1, max_size=30)


def rng() -> np.random.Generator:
    return np.random.default_rng(5)


@given(COUNTS, st.integers(1, 4))
def test_the_cap_is_the_largest_that_makes_a_table_eligible(counts: list[int], least: int) -> None:
    ways = range(max(counts) + 1)
    fits = [x for x in ways if least * x <= sum(min(c, x) for c in counts)]
    assert dealing.largest_cap(np.array(counts), least) == max(fits)


@given(VALUES, st.integers(0, 6))
def test_values_are_cut_down_to_the_cap(values: list[int], cap: int) -> None:
    codes = np.array(values, np.int32)
    left = dealing.trimmed(codes, 6, cap, rng())
    assert ((left == codes) | (left == -1)).all()
    counts = Counter(values)
    assert Counter(left[left >= 0].tolist()) == {
        v: min(n, cap) for v, n in counts.items() if min(n, cap)
    }


@given(VALUES, st.integers(2, 4), st.integers(0, 5))
def test_records_that_are_left_out_are_in_no_bucket(
    values: list[int], least: int, out: int
) -> None:
    codes = np.array(values, np.int32)
    codes[codes == out] = -1
    kept = np.flatnonzero(codes >= 0)
    if not is_eligible(codes[kept].tolist(), least):
        return
    labels, n, n_joined = dealing.anatomized(codes, 6, least, rng())
    assert (labels[codes < 0] == -1).all()
    place = {int(i): k for k, i in enumerate(kept)}
    parts = [[place[int(i)] for i in np.flatnonzero(labels == g)] for g in range(n)]
    assert anatomy_faults(codes[kept].tolist(), parts, least) == []
    assert n_joined == kept.size - n * least


@given(VALUES, st.integers(1, 5))
def test_dealt_buckets_are_like_the_whole_table(values: list[int], n_buckets: int) -> None:
    order = np.argsort(values, kind="stable")
    labels = dealing.dealt(order, n_buckets, len(values))
    for value in {*values}:
        own = [int(labels[i]) for i, v in enumerate(values) if v == value]
        each = [own.count(g) for g in range(n_buckets)]
        assert max(each) - min(each) <= 1


def test_a_record_goes_where_its_other_values_are_not() -> None:
    labels = np.array([0, 0, 1, 1], np.int32)
    lead, other = np.array([0, 1, 0, 1], np.int32), np.array([5, 5, 6, 6], np.int32)
    found = dealing.parted(labels, 2, lead, 2, [other], rng()).tolist()
    assert len({(g, v) for g, v in zip(found, [5, 5, 6, 6], strict=True)}) == 4


@pytest.mark.parametrize(
    ("rows", "model", "n"),
    [
        ([[1, 1], [2, 2]], FrequencyLDiversity(2, sensitive="s"), 2),
        ([[2, 0], [0, 2]], FrequencyLDiversity(2, sensitive="s"), 1),
        ([[2, 0], [0, 2], [1, 1]], FrequencyLDiversity(2, sensitive="s"), 1),
        ([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]], DistinctLDiversity(3, sensitive="s"), 1),
        ([[9, 9], [1, 0], [3, 3]], DistinctLDiversity(2, sensitive="s"), 2),
    ],
    ids=["good", "both bad", "with a good one", "more bad than good", "one bad"],
)
def test_bad_buckets_are_merged_until_none_is(
    rows: list[list[int]], model: GroupModel, n: int
) -> None:
    groups = groups_of(rows)
    found = dealing.mended(groups, All([model]), rng())
    assert found is not None
    parent, n_found = found
    assert n_found == n
    assert sorted({*parent.tolist()}) == list(range(n))
    keys = np.arange(n, dtype=np.int32)[:, None]
    assert model.judge(groups.merge(parent, n, groups.columns, keys)).all()


def test_what_all_together_break_cannot_be_mended() -> None:
    groups = groups_of([[2, 0], [1, 0], [3, 0]])
    assert dealing.mended(groups, All([DistinctLDiversity(2, sensitive="s")]), rng()) is None
