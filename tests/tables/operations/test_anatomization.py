"""Anatomization: the tables of Example 3.1, and nothing that tells whose value is whose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import rows_of_case, table_of
from tests.witness.buckets import anatomy_tables
from unlinkable.errors import ParameterError, SchemaError
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.data.release_columns import keep_rows
from unlinkable.tables.operations.anatomization import Anatomization, Anatomy
from unlinkable.typing import CodeArray


def taken_apart(table: Table, buckets: list[int], seed: int = 0) -> Anatomy:
    operation = Anatomization().bind(table.schema)
    return operation.apply(table, np.array(buckets, np.int32), np.random.default_rng(seed))


def by_bucket(anatomy: Anatomy) -> set[tuple[Hashable, ...]]:
    """What is told of each bucket, whatever its number and the order of its records are."""
    told: set[tuple[Hashable, ...]] = set()
    for g in anatomy.frame[anatomy.column].unique().to_list():
        records = anatomy.frame.filter(anatomy.frame[anatomy.column] == g).drop(anatomy.column)
        hidden = anatomy.hidden.filter(anatomy.hidden[anatomy.column] == g).drop(anatomy.column)
        told.add((frozenset(Counter(records.rows()).items()), tuple(hidden.rows())))
    return told


def test_example_3_1_of_the_book() -> None:
    case = cases.load("book-ch03-ex3.1-anatomy")
    rows = rows_of_case(case["input"]["original"])
    data = {name: [row[name] for row in rows] for name in rows[0]}
    table = as_table(data, quasi=case["input"]["qid"], sensitive=case["input"]["sensitive"])
    anatomy = taken_apart(table, [0] * 6 + [1] * 4)
    expected = case["expected"]
    groups = [
        (
            Counter(tuple(row[:2]) for row in expected["QIT"]["rows"] if row[2] == g),
            {(row[1], row[2]) for row in expected["ST"]["rows"] if row[0] == g},
        )
        for g in (1, 2)
    ]
    found = [
        (
            Counter(anatomy.frame.filter(anatomy.frame["group"] == g).drop("group").rows()),
            {*anatomy.hidden.filter(anatomy.hidden["group"] == g).drop("group").rows()},
        )
        for g in (1, 2)
    ]
    assert found in (groups, groups[::-1])
    assert anatomy.hidden.columns == ["group", "Disease", "count"]


def test_the_tables_of_wong_drop_names() -> None:
    case = cases.load("wong-table3-bucketization")["input"]
    rows = rows_of_case(case["table"])
    table = as_table(
        {name: [row[name] for row in rows] for name in rows[0]},
        identifiers=case["identifier"],
        quasi=case["quasi_identifier"],
        sensitive=case["sensitive"],
    )
    anatomy = taken_apart(table, [0, 0, 1, 1])
    assert anatomy.frame.columns == ["Gender", "Age", "group"]
    told = cases.load("wong-table3-bucketization")["expected"]
    pairs = {(age, anatomy.frame["group"][i]) for i, age in enumerate(anatomy.frame["Age"])}
    same = {frozenset(age for age, g in pairs if g == group) for _, group in pairs}
    ages = {(row[1], row[2]) for row in told["qi_table"]["rows"]}
    assert same == {frozenset(age for age, g in ages if g == group) for _, group in ages}


@given(tables(owner=False), st.data())
def test_tells_what_the_two_tables_of_anatomy_tell(
    random: RandomTable, data: st.DataObject
) -> None:
    n = len(random.rows)
    buckets = data.draw(st.lists(st.integers(-1, 3), min_size=n, max_size=n))
    table = table_of(random)
    anatomy = taken_apart(table, buckets)
    assert sorted(anatomy.rows.tolist()) == [i for i, g in enumerate(buckets) if g >= 0]
    assert anatomy.frame[random.qid].equals(keep_rows(table.frame, anatomy.rows)[random.qid])
    left = [(row, g) for row, g in zip(random.rows, buckets, strict=True) if g >= 0]
    own = sorted({g for _, g in left})
    parts = [[i for i, (_, g) in enumerate(left) if g == b] for b in own]
    for name in random.sensitive:
        _, told = anatomy_tables([row for row, _ in left], parts, name)
        expected = Counter(
            frozenset((row[name], row["count"]) for row in told if row["group"] == g)
            for g in range(1, len(parts) + 1)
        )
        found: dict[int, Counter[Hashable]] = {}
        for g, value, count in anatomy.hidden.select("group", name, "count").rows():
            found.setdefault(g, Counter())[value] += count
        assert Counter(frozenset(c.items()) for c in found.values()) == expected


def ward(order: list[int]) -> Table:
    ages, ills = [30, 31, 32, 33, 34, 35], ["a", "b", "c", "a", "b", "c"]
    return as_table(
        {"age": [ages[i] for i in order], "ill": [ills[i] for i in order]},
        quasi="age",
        sensitive="ill",
    )


def test_hidden_values_are_sorted_by_bucket_and_by_their_own_order() -> None:
    for order in ([0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0]):
        hidden = taken_apart(ward(order), [0, 0, 0, 1, 1, 1]).hidden
        assert hidden["group"].to_list() == [1, 1, 1, 2, 2, 2]
        assert hidden["ill"].to_list() == ["a", "b", "c", "a", "b", "c"]


def test_several_columns_are_hidden_together_in_their_own_order() -> None:
    table = as_table(
        {"q": [1, 2, 3], "s": ["y", "x", "y"], "t": [2, 9, 1]}, quasi="q", sensitive=["s", "t"]
    )
    hidden = taken_apart(table, [0, 0, 0]).hidden
    assert hidden.rows() == [(1, "x", 9, 1), (1, "y", 1, 1), (1, "y", 2, 1)]


@pytest.mark.statistical
def test_neither_records_nor_buckets_keep_the_order_of_the_table() -> None:
    """Twelve records come in the order of the table with a chance of about 1 in 10^8."""
    table = as_table({"q": list(range(12)), "s": list("abababababab")}, quasi="q", sensitive="s")
    anatomy = taken_apart(table, [i // 6 for i in range(12)], seed=3)
    first = [q for q, g in anatomy.frame.rows() if g == 1]
    second = [q for q, g in anatomy.frame.rows() if g == 2]
    assert first != sorted(first)
    assert second != sorted(second)
    numbers = {taken_apart(table, [i // 6 for i in range(12)], seed=s).frame["q"][0] < 6
               for s in range(20)}  # fmt: skip
    assert numbers == {True, False}


def test_the_same_seed_gives_the_same_tables() -> None:
    one, other = (taken_apart(ward([0, 1, 2, 3, 4, 5]), [0, 0, 0, 1, 1, 1], 5) for _ in "ab")
    assert one.frame.equals(other.frame)
    assert one.hidden.equals(other.hidden)


def test_a_column_called_group_keeps_its_name() -> None:
    table = as_table({"group": [1, 2], "ill": ["a", "b"]}, quasi="group", sensitive="ill")
    anatomy = taken_apart(table, [0, 0])
    assert anatomy.column == "group 2"
    assert anatomy.frame.columns == ["group", "group 2"]


def labels(*values: int) -> CodeArray:
    return np.array(values, np.int32)


def test_refuses_what_cannot_be_taken_apart() -> None:
    rng = np.random.default_rng(0)
    table = as_table({"q": [1, 2], "count": ["a", "b"]}, quasi="q", sensitive="count")
    with pytest.raises(SchemaError, match="column 'count' cannot be hidden in buckets"):
        Anatomization().apply(table, labels(0, 0), rng)
    with pytest.raises(ParameterError, match="2 records need as many parts, got 1"):
        Anatomization("q").apply(table, labels(0), rng)
    with pytest.raises(SchemaError, match=r"no column 'x' among.*anatomization"):
        Anatomization("x").bind(table.schema)
    with pytest.raises(SchemaError, match="needs a sensitive column, and the table has none"):
        Anatomization().bind(as_table({"q": [1]}, quasi="q").schema)


def test_other_columns_can_be_hidden_by_name() -> None:
    table = as_table({"q": [1, 2], "job": ["a", "b"]}, quasi=["q", "job"])
    anatomy = Anatomization("job").apply(table, labels(0, 0), np.random.default_rng(0))
    assert anatomy.frame.columns == ["q", "group"]
    assert anatomy.hidden["job"].to_list() == ["a", "b"]
    assert Anatomization.truthful
    assert by_bucket(anatomy)
