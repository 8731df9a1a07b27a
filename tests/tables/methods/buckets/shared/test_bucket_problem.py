"""The problem: which column leads, and how many buckets keep a promise."""

from __future__ import annotations

import numpy as np

from tests.tables.methods.buckets.setting import bound, task_for
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.methods.buckets.shared.bucket_problem import BucketProblem, Proposal
from unlinkable.tables.models import DistinctLDiversity, FrequencyLDiversity, TCloseness
from unlinkable.tables.models.base import GroupModel


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
