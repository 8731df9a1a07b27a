"""Answers from buckets: both ways against the formula of anatomy."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import histogram_of, table_of
from tests.tables.metrics.asked import Query, bucketized, matches, queries_of, workloads
from unlinkable.tables.data import as_table
from unlinkable.tables.metrics.base import Bucketized
from unlinkable.tables.metrics.shared import bucket_answers
from unlinkable.tables.metrics.shared.blocks import Blocks
from unlinkable.tables.metrics.shared.bucket_answers import (
    answers_from_buckets,
    by_hidden_values,
    by_shares,
    means,
)
from unlinkable.tables.metrics.shared.workload import Workload
from unlinkable.typing import FloatArray


def by_definition(table: RandomTable, buckets: list[int], query: Query) -> Fraction:
    """Over all buckets, the records that match times the shares of hidden values that do."""
    total = Fraction(0)
    for g in set(buckets) - {-1}:
        rows = [row for row, own in zip(table.rows, buckets, strict=True) if own == g]
        seen = {a: codes for a, codes in query.items() if a in table.qid}
        amount = Fraction(sum(matches(table, row, seen) for row in rows))
        for a in set(query) - set(seen):
            amount *= Fraction(sum(matches(table, row, {a: query[a]}) for row in rows), len(rows))
        total += amount
    return total


@given(tables(min_records=1, owner=False), st.data())
def test_says_what_the_formula_of_anatomy_says(table: RandomTable, data: st.DataObject) -> None:
    n, names = len(table.rows), (*table.qid, *table.sensitive)
    buckets = data.draw(st.lists(st.integers(-1, 4), min_size=n, max_size=n))
    asked = data.draw(workloads({a: len(table.trees[a].leaves) for a in names}))
    release = bucketized(table_of(table), buckets, table.sensitive)
    found = answers_from_buckets(release, asked, np.ones(release.n_records))
    expected = [float(by_definition(table, buckets, query)) for query in queries_of(asked)]
    assert found.tolist() == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("way", [by_hidden_values, by_shares], ids=lambda way: way.__name__)
@given(table=tables(min_records=1, owner=False), data=st.data())
def test_both_ways_say_the_same(
    way: Callable[..., FloatArray], table: RandomTable, data: st.DataObject
) -> None:
    n = len(table.rows)
    buckets = data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    every = {a: len(table.trees[a].leaves) for a in (*table.qid, *table.sensitive)}
    asked = data.draw(workloads(every))
    release = bucketized(table_of(table), buckets, table.sensitive)
    codes = np.zeros((len(every), n), np.int32)
    for c, a in enumerate(table.qid):
        codes[c] = release.codes(a)
    records = Blocks.of_points(codes, np.ones(n))
    for names, queries in asked.apart(table.sensitive):
        if names:
            part = asked.select(queries)
            expected = [float(by_definition(table, buckets, q)) for q in queries_of(part)]
            found = way(release, part, names, records)
            assert found.tolist() == pytest.approx(expected, abs=1e-9)


def one_bucket(n: int, n_values: int) -> tuple[Bucketized, Workload]:
    table = as_table(
        {"age": [i % 7 for i in range(n)], "ill": [f"v{i % n_values:03}" for i in range(n)]},
        quasi="age",
        sensitive="ill",
    )
    lo = np.array([[0, 0], [3, 1]], np.int32)
    sizes = np.array([table.taxonomy("age").n, n_values])
    asked = Workload(("age", "ill"), sizes, np.array([[0, 1], [0, 1]]), lo, lo + np.int32(2))
    return bucketized(table, [0] * n, ["ill"]), asked


def test_many_records_are_spread_piece_by_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    release, asked = one_bucket(300, 20)
    codes = np.stack([release.codes("age"), np.zeros(300, np.int32)])
    records = Blocks.of_points(codes, np.ones(300))
    whole = by_hidden_values(release, asked, ("ill",), records)
    monkeypatch.setattr(bucket_answers, "_AT_ONCE", 30)
    ticks: list[float] = []
    pieces = by_hidden_values(release, asked, ("ill",), records, ticks.append)
    assert len(ticks) == 300
    assert sum(ticks) == pytest.approx(2)
    assert pieces.tolist() == pytest.approx(whole.tolist())


def test_shares_are_held_for_a_few_queries_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    release, asked = one_bucket(30, 5)
    codes = np.stack([release.codes("age"), np.zeros(30, np.int32)])
    records = Blocks.of_points(codes, np.ones(30))
    whole = by_shares(release, asked, ("ill",), records)
    monkeypatch.setattr(bucket_answers, "_SHARES", 1)
    ticks: list[float] = []
    assert by_shares(release, asked, ("ill",), records, ticks.append).tolist() == whole.tolist()
    assert ticks == [1, 1]


def test_records_of_large_buckets_are_not_spread_for_few_queries() -> None:
    release, few = one_bucket(5000, 500)
    many = few.select(np.zeros(10_000, np.int64))
    assert bucket_answers._prefers_shares(release, few, ("ill",))
    assert not bucket_answers._prefers_shares(release, many, ("ill",))


def test_means_are_those_of_the_hidden_numbers() -> None:
    hidden = histogram_of([[1, 0, 3], [0, 0, 0]])
    assert means(hidden, np.array([4.0, 5.0, 8.0])).tolist() == [7.0, 0.0]
