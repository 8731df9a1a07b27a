"""The problem: which column leads, and how many buckets keep a promise."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.groups.plain import groups_of
from tests.tables.methods.buckets.setting import bound, task_for
from tests.witness.buckets import anatomy_faults, is_eligible
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.methods.buckets.shared import bucket_problem
from unlinkable.tables.methods.buckets.shared.bucket_problem import BucketProblem, Proposal
from unlinkable.tables.models import DistinctLDiversity, FrequencyLDiversity, TCloseness
from unlinkable.tables.models.base import All, GroupModel


def problem(table: Table, *models: GroupModel) -> BucketProblem:
    return BucketProblem.of(table, bound(table, models), task_for(table))


def two_columns() -> Table:
    columns = {"q": list(range(6)), "s": list("aabbcc"), "t": list("xxxxyz")}
    return as_table(columns, quasi="q", sensitive=["s", "t"])


def test_the_column_with_the_most_frequent_value_leads() -> None:
    found = problem(two_columns(), DistinctLDiversity(2))
    assert (found.lead, found.others) == ("t", ("s",))
    assert (found.n, found.peak, found.n_values) == (6, 4, 3)


def test_columns_of_which_nothing_is_promised_do_not_matter() -> None:
    found = problem(two_columns(), DistinctLDiversity(2, sensitive="s"))
    assert (found.lead, found.others) == ("s", ())
    assert problem(two_columns()).lead == "s"


def test_what_is_too_much_is_left_out() -> None:
    small = problem(two_columns(), FrequencyLDiversity(2, sensitive="t")).trimmed(2)
    assert (small.n, small.peak) == (4, 2)
    proposal, is_good = small.anatomized(2)
    assert is_good
    assert proposal.n_buckets == 2
    assert np.array_equal(proposal.buckets < 0, ~small.kept)


def test_as_many_buckets_as_keep_the_promise_are_dealt() -> None:
    table = as_table({"q": list(range(80)), "s": list("aabc") * 20}, quasi="q", sensitive="s")
    found = problem(table, TCloseness(0)).dealt(40)
    # Two a, one b and one c in every bucket, and no smaller one is like the table.
    assert found is not None
    assert found.n_buckets == 20
    assert problem(table, DistinctLDiversity(4)).dealt(40) is None


def test_a_few_bad_buckets_are_merged() -> None:
    table = as_table({"q": list(range(12)), "s": list("ab" * 5 + "aa")}, quasi="q", sensitive="s")
    asked = problem(table, DistinctLDiversity(2))
    labels = np.repeat(np.arange(6, dtype=np.int32), 2)
    found = asked.mended(Proposal(labels, 6))
    assert found is not None
    assert found.n_buckets == 5
    assert sorted(np.bincount(found.buckets).tolist()) == [2, 2, 2, 2, 4]


COUNTS = st.lists(st.integers(0, 12), min_size=1, max_size=6)
VALUES = st.lists(st.integers(0, 5), min_size=1, max_size=30)


def rng() -> np.random.Generator:
    return np.random.default_rng(5)


@given(COUNTS, st.integers(1, 4))
def test_the_cap_is_the_largest_that_makes_a_table_eligible(counts: list[int], least: int) -> None:
    ways = range(max(counts) + 1)
    fits = [x for x in ways if least * x <= sum(min(c, x) for c in counts)]
    assert bucket_problem.largest_cap(np.array(counts), least) == max(fits)


@given(VALUES, st.integers(0, 6))
def test_values_are_cut_down_to_the_cap(values: list[int], cap: int) -> None:
    codes = np.array(values, np.int32)
    left = bucket_problem.trim(codes, 6, cap, rng())
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
    labels, n, n_joined = bucket_problem.deal_distinct(codes, 6, least, rng())
    assert (labels[codes < 0] == -1).all()
    place = {int(i): k for k, i in enumerate(kept)}
    parts = [[place[int(i)] for i in np.flatnonzero(labels == g)] for g in range(n)]
    assert anatomy_faults(codes[kept].tolist(), parts, least) == []
    assert n_joined == kept.size - n * least


@given(VALUES, st.integers(1, 5))
def test_dealt_buckets_are_like_the_whole_table(values: list[int], n_buckets: int) -> None:
    order = np.argsort(values, kind="stable")
    labels = bucket_problem.deal_evenly(order, n_buckets, len(values))
    for value in {*values}:
        own = [int(labels[i]) for i, v in enumerate(values) if v == value]
        each = [own.count(g) for g in range(n_buckets)]
        assert max(each) - min(each) <= 1


def test_a_record_goes_where_its_other_values_are_not() -> None:
    labels = np.array([0, 0, 1, 1], np.int32)
    lead, other = np.array([0, 1, 0, 1], np.int32), np.array([5, 5, 6, 6], np.int32)
    found = bucket_problem.separate(labels, 2, lead, 2, [other], rng()).tolist()
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
    found = bucket_problem.merge_broken(groups, All([model]), rng())
    assert found is not None
    parent, n_found = found
    assert n_found == n
    assert sorted({*parent.tolist()}) == list(range(n))
    keys = np.arange(n, dtype=np.int32)[:, None]
    assert model.judge(groups.merge(parent, n, groups.columns, keys)).all()


def test_what_all_together_break_cannot_be_mended() -> None:
    groups = groups_of([[2, 0], [1, 0], [3, 0]])
    assert (
        bucket_problem.merge_broken(groups, All([DistinctLDiversity(2, sensitive="s")]), rng())
        is None
    )
