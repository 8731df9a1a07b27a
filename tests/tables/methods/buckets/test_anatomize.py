"""Anatomize: the book's table, the printed steps, every promise about values, and refusals."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import rows_of_case, table_of
from tests.tables.methods.buckets.setting import bound, buckets_of, holds, masked, task_for
from tests.witness.buckets import anatomy_faults, is_eligible
from unlinkable.errors import InfeasibleError, ParameterError, SchemaError, UnsupportedError
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.engines import count_parts
from unlinkable.tables.methods.buckets import Anatomize
from unlinkable.tables.models import (
    BetaLikeness,
    DifferentialPrivacy,
    DistinctLDiversity,
    EntropyLDiversity,
    FrequencyLDiversity,
    KAnonymity,
    KEAnonymity,
    RecursiveCLDiversity,
    TCloseness,
)
from unlinkable.tables.models.base import All, GroupModel

CASE = cases.load("book-ch05-anatomize-table3.1")

MODELS: list[GroupModel] = [
    DistinctLDiversity(3),
    FrequencyLDiversity("5/2"),
    EntropyLDiversity("3/2"),
    RecursiveCLDiversity(c="1/2", l=2),
    TCloseness(0.3),
    BetaLikeness(2),
]


def patients() -> Table:
    rows = rows_of_case(CASE["input"]["table"])
    data = {name: [row[name] for row in rows] for name in rows[0]}
    return as_table(data, quasi=CASE["input"]["qid"], sensitive=CASE["input"]["sensitive"])


def column(*values: str) -> Table:
    """People of different ages with these values."""
    ages = list(range(len(values)))
    return as_table({"age": ages, "ill": list(values)}, quasi="age", sensitive="ill")


@pytest.mark.parametrize("seed", range(5))
def test_table_3_1_of_the_book(seed: int) -> None:
    two = masked(Anatomize(), patients(), FrequencyLDiversity(2), seed=seed)
    expected = CASE["expected"]["l=2"]
    assert sorted(map(len, buckets_of(two))) == expected["group_sizes"]
    assert two.effort["residue"] == expected["residue_records"]
    three = masked(Anatomize(), patients(), FrequencyLDiversity(3), seed=seed)
    expected = CASE["expected"]["l=3"]
    assert sorted(map(len, buckets_of(three))) == expected["group_sizes_sorted"]
    assert three.effort["residue"] == expected["residue_records"]
    ills = patients().frame["Disease"].to_list()
    least = min(len({ills[i] for i in bucket}) for bucket in buckets_of(three))
    assert least >= expected["distinct_values_per_group_at_least"]


def test_the_book_s_table_is_not_eligible_for_four() -> None:
    assert not CASE["expected"]["l=4"]["eligible"]
    said = (
        "3 of them share one value of 'Disease'.* no value may have more than one in 4: ask for 3"
    )
    with pytest.raises(InfeasibleError, match=said):
        masked(Anatomize(), patients(), FrequencyLDiversity(4))


@given(st.lists(st.sampled_from("abcdef"), min_size=2, max_size=40), st.integers(2, 4))
def test_buckets_are_as_after_every_run_of_the_printed_steps(values: list[str], least: int) -> None:
    table = column(*values)
    if not is_eligible(values, least):
        with pytest.raises(InfeasibleError, match="share one value of 'ill'"):
            masked(Anatomize(), table, FrequencyLDiversity(least))
        return
    found = masked(Anatomize(), table, FrequencyLDiversity(least))
    assert anatomy_faults(values, buckets_of(found), least) == []
    assert found.effort["residue"] <= least - 1


@pytest.mark.parametrize("model", MODELS, ids=str)
@given(table=tables(min_records=1, max_sensitive=2, owner=False))
def test_keeps_every_promise_that_all_records_together_keep(
    model: GroupModel, table: RandomTable
) -> None:
    people = table_of(table)
    privacy = bound(people, [model])
    whole = count_parts(people, people.codes("s0") * 0, 1, privacy.needs())
    if not privacy.holds(whole):
        with pytest.raises(InfeasibleError):
            masked(Anatomize(), people, model)
        return
    found = masked(Anatomize(), people, model)
    assert holds(people, found, model)
    assert sorted(i for bucket in buckets_of(found) for i in bucket) == list(range(len(people)))


@given(tables(min_records=2, max_sensitive=1, missing=False, owner=False))
def test_records_and_hidden_values_are_what_they_were(table: RandomTable) -> None:
    people = table_of(table)
    try:
        found = masked(Anatomize(), people, DistinctLDiversity(2))
    except InfeasibleError:
        return
    assert found.buckets is not None
    shown = Counter(found.frame.select(table.qid).rows())
    assert shown == Counter(tuple(row[a] for a in table.qid) for row in table.rows)
    hidden = Counter[Any]()
    for value, n in found.buckets.hidden.select("s0", "count").rows():
        hidden[value] += n
    assert hidden == Counter(row["s0"] for row in table.rows)


def least_left_out(values: list[str], least: int) -> int:
    """Try to leave out ever more records."""
    n = len(values)
    for out in range(n):
        for kept in combinations(range(n), n - out):
            if is_eligible([values[i] for i in kept], least):
                return out
    return n


@given(st.lists(st.sampled_from("aaab" + "cd"), min_size=1, max_size=9), st.integers(2, 3))
def test_leaves_out_no_more_than_makes_the_table_eligible(values: list[str], least: int) -> None:
    table, model = column(*values), FrequencyLDiversity(least)
    n = least_left_out(values, least)
    if n == len(values):
        with pytest.raises(InfeasibleError, match="values: ask for no more than that"):
            masked(Anatomize(), table, model, suppression=1)
        return
    found = masked(Anatomize(), table, model, suppression=1)
    assert found.n_suppressed == n
    assert holds(table, found, model)
    if n:
        with pytest.raises(InfeasibleError, match=f"let {n} records be left out"):
            masked(Anatomize(), table, model)


def test_a_frequent_value_does_not_matter_to_promises_that_allow_it() -> None:
    # 60 % have the flu: never one in two, but two values in every bucket.
    table = column(*["flu"] * 60, *["hiv"] * 40)
    found = masked(Anatomize(), table, DistinctLDiversity(2))
    assert found.n_suppressed == 0
    assert found.effort["buckets"] == 40
    assert masked(Anatomize(), table, TCloseness("1/10")).effort["buckets"] == 20


def test_a_number_of_values_can_be_asked_for() -> None:
    table = column(*"abcdef" * 4)
    found = masked(Anatomize(l=6), table, DistinctLDiversity(2))
    assert sorted(map(len, buckets_of(found))) == [6] * 4
    with pytest.raises(InfeasibleError, match=r"anatomize\(l=7\) cannot keep"):
        masked(Anatomize(l=7), table, DistinctLDiversity(2))
    with pytest.raises(ParameterError, match="l must be at least 2, got 1"):
        Anatomize(l=1)


def test_explicit_buckets_that_break_a_promise_are_merged() -> None:
    table = column(*"abcdef" * 4)
    found = masked(Anatomize(l=2), table, DistinctLDiversity(4))
    assert holds(table, found, DistinctLDiversity(4))
    assert 2 <= found.effort["buckets"] <= 6


def test_several_columns_are_spread_at_the_same_time() -> None:
    n = 600
    table = as_table(
        {
            "age": list(range(n)),
            "ill": [f"i{i % 7}" for i in range(n)],
            "job": [f"j{(i * i) % 11}" for i in range(n)],
        },
        quasi="age",
        sensitive=["ill", "job"],
    )
    found = masked(Anatomize(), table, FrequencyLDiversity(4))
    assert holds(table, found, FrequencyLDiversity(4))
    assert found.effort["buckets"] == n // 4


def test_effort_is_golden_and_the_seed_decides() -> None:
    table = column(*"aaaaaabbbbccccddee" * 5)
    one, same, other = (
        masked(Anatomize(), table, EntropyLDiversity(2), seed=seed) for seed in (1, 1, 2)
    )
    assert dict(one.effort) == {"buckets": 45, "residue": 0, "judged": 45}
    assert one.frame.equals(same.frame)
    assert not one.frame.equals(other.frame)
    close = masked(Anatomize(), table, TCloseness("1/5"))
    assert dict(close.effort) == {"buckets": 15, "residue": 0, "judged": 207}
    assert one.optimal is None
    assert one.is_complete


def test_refuses_promises_about_more_than_values() -> None:
    table = column(*"abab")
    with pytest.raises(UnsupportedError, match=r"cannot keep k-anonymity.*show all that they did"):
        masked(Anatomize(), table, KAnonymity(2))
    with pytest.raises(UnsupportedError, match="anatomize cannot keep differential-privacy"):
        masked(Anatomize(), table, DifferentialPrivacy(1))
    with pytest.raises(UnsupportedError, match="works towards a promise: give at least one"):
        masked(Anatomize(), table)


def test_refuses_tables_without_sensitive_values_or_with_owners() -> None:
    nothing = as_table({"age": [1, 2]}, quasi="age")
    with pytest.raises(SchemaError, match="hides sensitive columns in buckets, and the table has"):
        Anatomize().mask(nothing, All([]), task_for(nothing))
    owned = as_table({"who": [1, 1], "ill": ["a", "b"]}, owner="who", sensitive="ill")
    with pytest.raises(UnsupportedError, match="by 'who' one person may have several"):
        masked(Anatomize(), owned, DistinctLDiversity(2))
    with pytest.raises(InfeasibleError, match="the table has no records"):
        masked(Anatomize(), column(), DistinctLDiversity(2))


@pytest.mark.parametrize("numbers", [[1, 2, 3, 4], [1, 1, 1, 2]], ids=["eligible", "not eligible"])
def test_refuses_what_leaving_out_cannot_help(numbers: list[int]) -> None:
    table = as_table({"age": [1, 2, 3, 4], "pay": numbers}, quasi="age", sensitive="pay")
    with pytest.raises(InfeasibleError, match=r"and e of at most [13]"):
        masked(Anatomize(), table, KEAnonymity(2, 100), suppression=1)
