"""Answers: the book's query, then every kind of release against the definition."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import histogram_of, rows_of_case, table_of
from tests.tables.metrics.asked import Query, bucketized, matches, queries_of, workloads
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Partition
from unlinkable.tables.metrics.base import Bucketized, Generalized, Perturbed
from unlinkable.tables.metrics.shared import query_answers
from unlinkable.tables.metrics.shared.blocks import Blocks
from unlinkable.tables.metrics.shared.query_answers import (
    amounts_of,
    answers_estimated,
    answers_from_buckets,
    by_hidden_values,
    by_shares,
    means,
    true_answers,
)
from unlinkable.tables.metrics.shared.workload import Workload
from unlinkable.tables.taxonomies.builders import Flat, Intervals, Tree
from unlinkable.typing import FloatArray

CASE = cases.load("book-ch03-ex3.1-anatomy")


def patients(*, every_age: bool) -> Table:
    rows = rows_of_case(CASE["input"]["original"])
    # The book's interval covers all whole numbers, whether they occur or not.
    ages = Tree({"[30-35)": [*map(str, range(30, 35))], "[35-40)": [*map(str, range(35, 40))]})
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    if every_age:
        columns["Age"] = [str(age) for age in columns["Age"]]
    taxonomies = {"Age": ages if every_age else Intervals(5), "Sex": Flat()}
    return as_table(columns, quasi=["Age", "Sex"], sensitive="Disease", taxonomies=taxonomies)


def the_query(table: Table) -> Workload:
    """COUNT of the patients of age 38 with heart disease."""
    ages, ills = table.taxonomy("Age"), table.taxonomy("Disease")
    codes = [ages.domain.code_of("38"), ills.domain.code_of("Heart")]
    lo = np.array([codes], np.int32)
    sizes = np.array([ages.n, ills.n])
    return Workload(("Age", "Disease"), sizes, np.array([[0, 1]]), lo, lo + np.int32(1))


def test_the_books_query_is_answered_as_in_the_book() -> None:
    table, expected = patients(every_age=True), CASE["expected"]
    asked = the_query(table)
    assert true_answers(table, asked, amounts_of(table, None)).tolist() == [expected["true_count"]]

    groups = [row[2] - 1 for row in expected["QIT"]["rows"]]
    anatomy = bucketized(table, groups, ["Disease"])
    assert answers_estimated(anatomy, asked, None).tolist() == [expected["estimate_anatomy"]]

    counted = count(table)
    partition = Partition.at_levels(counted.finest, table.attributes, [1, 0])
    general = Generalized.of(table, partition, counted.labels)
    estimate = answers_estimated(general, asked, None).tolist()
    assert estimate == pytest.approx([expected["estimate_generalized"]])


def test_a_range_of_numbers_covers_the_values_that_occur() -> None:
    # 36 and 38 are the ages in [35-40): each has half of the two heart patients, not a fifth.
    table = patients(every_age=False)
    counted = count(table)
    partition = Partition.at_levels(counted.finest, table.attributes, [1, 0])
    general = Generalized.of(table, partition, counted.labels)
    assert answers_estimated(general, the_query(table), None).tolist() == [1.0]


def codes_in(table: RandomTable) -> dict[str, int]:
    return {a: len(table.trees[a].leaves) for a in (*table.qid, *table.sensitive)}


@given(tables(min_records=1, owner=False), st.data())
def test_true_answers_count_the_records_that_match(table: RandomTable, data: st.DataObject) -> None:
    asked, real = data.draw(workloads(codes_in(table))), table_of(table)
    found = true_answers(real, asked, amounts_of(real, None))
    expected = [sum(matches(table, row, q) for row in table.rows) for q in queries_of(asked)]
    assert found.tolist() == expected


def spread_by_definition(
    table: RandomTable, query: Query, row: dict[str, Hashable], covers: dict[str, range]
) -> Fraction:
    """The share of a record that matches, each range spread evenly over the codes it covers."""
    share = Fraction(1)
    for a, codes in query.items():
        if a in covers:
            share *= Fraction(sum(code in codes for code in covers[a]), len(covers[a]))
        else:
            share *= matches(table, row, {a: codes})
    return share


@given(tables(min_records=1, max_qid=3, owner=False), st.data())
def test_boxes_are_spread_evenly_and_other_columns_are_exact(
    table: RandomTable, data: st.DataObject
) -> None:
    asked, real = data.draw(workloads(codes_in(table))), table_of(table)
    counted = count(real)
    n = len(counted.finest)
    labels = data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    numbers = {g: i for i, g in enumerate(sorted(set(labels)))}
    parts = np.array([numbers[g] for g in labels], np.int32)
    gone = np.array([data.draw(st.booleans()) for _ in numbers], bool)
    tight = Partition.tight(counted.finest, parts, len(numbers)).suppress(gone)
    release = Generalized.of(real, tight, counted.labels)

    shown = []
    for i, row in enumerate(table.rows):
        own = parts[counted.labels[i]]
        if gone[own]:
            continue
        alike = [r for k, r in enumerate(table.rows) if parts[counted.labels[k]] == own]
        covers = {}
        for a in table.qid:
            codes = [table.trees[a].leaves.index(r[a]) for r in alike]
            covers[a] = range(min(codes), max(codes) + 1)
        shown.append((row, covers))
    expected = [
        float(sum(spread_by_definition(table, q, row, covers) for row, covers in shown))
        for q in queries_of(asked)
    ]
    assert answers_estimated(release, asked, None).tolist() == pytest.approx(expected, abs=1e-9)


NUMBERS = st.one_of(st.none(), st.integers(-5, 40))


@given(st.lists(st.tuples(NUMBERS, st.integers(0, 9)), min_size=1, max_size=12), st.data())
def test_published_numbers_are_compared_with_the_ends_of_the_range(
    rows: list[tuple[int | None, int]], data: st.DataObject
) -> None:
    frame = pl.DataFrame({"x": [x for x, _ in rows]}, schema={"x": pl.Int64})
    table = as_table(frame.with_columns(y=pl.Series([y for _, y in rows])), quasi=["x", "y"])
    sizes = {name: table.taxonomy(name).n for name in ("x", "y")}
    asked = data.draw(workloads(sizes))
    noisy = st.tuples(
        st.one_of(st.none(), st.floats(-9, 50)), st.integers(0, 9), st.integers(-2, 4)
    )
    shown = data.draw(st.lists(noisy, max_size=12))
    columns = {"x": pl.Series([x for x, *_ in shown], dtype=pl.Float64)}
    release = Perturbed(
        table,
        pl.DataFrame({**columns, "y": pl.Series([y for _, y, _ in shown], dtype=pl.Int64)}),
        None,
        np.array([w for *_, w in shown], float),
    )

    values = {
        "x": sorted({x for x, _ in rows if x is not None}),
        "y": sorted({y for _, y in rows}),
    }

    def is_in(a: str, value: float | None, codes: range) -> bool:
        if value is None:
            return len(values[a]) in codes and sizes[a] > len(values[a])
        if not values[a]:
            return False
        below = [i for i, v in enumerate(values[a]) if v <= value]
        return max(below, default=0) in codes

    expected = [
        sum(w for x, y, w in shown if all(is_in(a, {"x": x, "y": y}[a], c) for a, c in q.items()))
        for q in queries_of(asked)
    ]
    assert answers_estimated(release, asked, None).tolist() == expected


def test_categories_that_the_original_lacks_match_nothing() -> None:
    table = as_table({"job": ["cook", "clerk"], "sex": ["m", "f"]}, quasi=["job", "sex"])
    frame = pl.DataFrame({"job": ["cook", "pilot", None], "sex": ["m", "m", "f"]})
    lo, hi = np.array([[0], [0]], np.int32), np.array([[2], [2]], np.int32)
    asked = Workload(("job", "sex"), np.array([2, 2]), np.array([[0], [1]]), lo, hi)
    assert answers_estimated(Perturbed(table, frame, None), asked, None).tolist() == [1, 3]


PAY = [10, 20, 20, None, 70, 31]

PAID = as_table(
    {"age": [1, 1, 2, 2, 3, 3], "pay": PAY, "ill": list("aabbab")},
    quasi=["age", "pay"],
    sensitive="ill",
    taxonomies={"age": Flat(), "pay": Flat()},
)


def ages_asked(*ranges: tuple[int, int]) -> Workload:
    lo, hi = (np.array([[r[k]] for r in ranges], np.int32) for k in (0, 1))
    return Workload(("age",), np.array([3]), np.zeros((len(ranges), 1), np.int64), lo, hi)


def test_sums_add_up_numbers_and_leave_out_missing_ones() -> None:
    found = true_answers(PAID, ages_asked((0, 1), (1, 2), (0, 3)), amounts_of(PAID, "pay"))
    assert found.tolist() == [30, 20, 151]


def test_a_range_of_numbers_counts_as_its_middle() -> None:
    counted = count(PAID)
    # Codes of pay: 10, 20, 31, 70, missing. The first two records show [10-20], the next the root.
    labels = np.array([0, 0, 1, 1, 2, 2], np.int32)
    partition = Partition.tight(counted.finest, labels, 3)
    release = Generalized.of(PAID, partition, counted.labels)
    found = answers_estimated(release, ages_asked((0, 1), (1, 2), (2, 3)), "pay")
    assert found.tolist() == [15 + 15, 45 + 45, 50.5 + 50.5]


def test_noisy_numbers_are_added_up_as_they_are_by_their_weights() -> None:
    frame = pl.DataFrame({"age": [1, 2, 2], "pay": [12.5, None, 30.0]})
    release = Perturbed(PAID, frame, None, np.array([2.0, 5.0, -1.0]))
    found = answers_estimated(release, ages_asked((0, 1), (1, 2)), "pay")
    assert found.tolist() == [25, -30]


def test_hidden_numbers_count_as_the_mean_of_their_bucket() -> None:
    release = bucketized(PAID, [0, 0, 0, 1, 1, -1], ["pay"])
    found = answers_estimated(release, ages_asked((0, 1), (1, 2), (2, 3)), "pay")
    mean = 50 / 3
    assert found.tolist() == pytest.approx([2 * mean, mean + 35, 35])


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
    monkeypatch.setattr(query_answers, "_AT_ONCE", 30)
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
    monkeypatch.setattr(query_answers, "_SHARES", 1)
    ticks: list[float] = []
    assert by_shares(release, asked, ("ill",), records, ticks.append).tolist() == whole.tolist()
    assert ticks == [1, 1]


def test_records_of_large_buckets_are_not_spread_for_few_queries() -> None:
    release, few = one_bucket(5000, 500)
    many = few.select(np.zeros(10_000, np.int64))
    assert query_answers._prefers_shares(release, few, ("ill",))
    assert not query_answers._prefers_shares(release, many, ("ill",))


def test_means_are_those_of_the_hidden_numbers() -> None:
    hidden = histogram_of([[1, 0, 3], [0, 0, 0]])
    assert means(hidden, np.array([4.0, 5.0, 8.0])).tolist() == [7.0, 0.0]
