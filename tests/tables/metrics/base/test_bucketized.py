"""Buckets read from the two tables that are published, and what is estimated from them."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import table_of
from tests.tables.metrics.asked import bucketized, queries_of, workloads
from tests.tables.metrics.shared.test_query_answers import CASE, patients, the_query
from tests.witness.buckets import estimated_count
from unlinkable.errors import DataError
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.data.release_columns import Frame
from unlinkable.tables.metrics import QueryError
from unlinkable.tables.metrics.base import Bucketized
from unlinkable.tables.metrics.shared.query_answers import answers_estimated
from unlinkable.tables.operations.anatomization import Anatomization, Anatomy


def apart(table: Table, buckets: list[int]) -> Anatomy:
    rng = np.random.default_rng(3)
    return Anatomization().apply(table, np.array(buckets, np.int32), rng)


def as_read(frame: Frame) -> Frame:
    """The same as texts, as it is in a file."""
    return frame.select(pl.all().cast(pl.String))


def test_the_book_s_anatomy_answers_one_and_a_half_where_the_generalized_table_answers_0_4() -> (
    None
):
    table, expected = patients(every_age=True), CASE["expected"]
    tables_ = apart(table, [row[2] for row in expected["QIT"]["rows"]])
    for read in (lambda frame: frame, as_read):
        release = Bucketized.of(table, read(tables_.frame), read(tables_.hidden), "group")
        found = answers_estimated(release, the_query(table), None).tolist()
        assert found == [expected["estimate_anatomy"]] == [1.5]
        assert abs(1.5 - expected["true_count"]) < abs(
            expected["estimate_generalized"] - expected["true_count"]
        )


@given(tables(min_records=1, owner=False, max_sensitive=1), st.data())
def test_two_tables_tell_as_much_as_the_buckets_of_all_records(
    random: RandomTable, data: st.DataObject
) -> None:
    n, table = len(random.rows), table_of(random)
    buckets = data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    every = {a: len(random.trees[a].leaves) for a in (*random.qid, *random.sensitive)}
    asked = data.draw(workloads(every))
    two = apart(table, buckets)
    release = Bucketized.of(table, two.frame, two.hidden, two.column, two.rows)
    found = answers_estimated(release, asked, None).tolist()
    whole = bucketized(table, buckets, random.sensitive)
    assert found == pytest.approx(answers_estimated(whole, asked, None).tolist())
    without = Bucketized.of(table, two.frame, two.hidden, two.column)
    assert answers_estimated(without, asked, None).tolist() == pytest.approx(found)
    shown, told = two.frame.rows(named=True), two.hidden.rows(named=True)
    for query, answer in zip(queries_of(asked), found, strict=True):
        seen = {a: c for a, c in query.items() if a in random.qid}
        hid = {a: c for a, c in query.items() if a not in random.qid}
        leaves = {a: random.trees[a].leaves for a in query}
        estimate = estimated_count(
            shown,
            told,
            lambda row, q=seen, of=leaves: all(of[a].index(row[a]) in c for a, c in q.items()),  # type: ignore[misc]
            lambda row, q=hid, of=leaves: all(of[a].index(row[a]) in c for a, c in q.items()),  # type: ignore[misc]
        )
        assert answer == pytest.approx(float(estimate))


def test_query_error_reads_buckets() -> None:
    ages = [i // 4 for i in range(200)]
    ills = ["a" if age < 25 else "b" for age in ages]
    table = as_table({"age": ages, "ill": ills}, quasi="age", sensitive="ill")
    whole, each = apart(table, [0] * 200), apart(table, [i // 2 for i in range(200)])
    errors = [
        QueryError(dimension=1, queries=50)
        .measure(Bucketized.of(table, two.frame, two.hidden, two.column))
        .value
        for two in (whole, each)
    ]
    assert errors[1] < errors[0]


def test_refuses_tables_that_do_not_fit_together() -> None:
    table = as_table({"q": [1, 2, 3], "s": ["a", "b", "a"]}, quasi="q", sensitive="s")
    two = apart(table, [0, 0, 1])
    fewer = two.hidden.with_columns(count=pl.col("count") - 1)
    stranger = two.hidden.with_columns(group=pl.col("group") + 7)
    for hidden in (fewer, stranger):
        with pytest.raises(DataError, match="do not have as many hidden values as records"):
            Bucketized.of(table, two.frame, hidden, "group")
    other = two.hidden.with_columns(s=pl.lit("c"))
    with pytest.raises(DataError, match="hide values of 's' that the original does not have"):
        Bucketized.of(table, two.frame, other, "group")
