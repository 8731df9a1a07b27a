"""(k,e)-permutation: the least sum of ranges there is, on the decimals that were written."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from tests.tables.groups.plain import rows_of_case
from tests.tables.methods.buckets.setting import buckets_of, holds, masked
from tests.witness.buckets import ke_cost, ke_least_cost, ke_least_cost_of_any
from unlinkable.errors import InfeasibleError, ParameterError, SchemaError, UnsupportedError
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.methods.buckets import KEPermutation
from unlinkable.tables.models import (
    DistinctLDiversity,
    FrequencyLDiversity,
    KAnonymity,
    KEAnonymity,
    TCloseness,
)


def staff(*pays: object) -> Table:
    return as_table(
        {"age": list(range(len(pays))), "pay": list(pays)}, quasi="age", sensitive="pay"
    )


def test_the_salaries_of_table_2_6_are_one_bucket() -> None:
    case = cases.load("book-ch02-table2.6-k-e-anonymity-proximity")
    rows = rows_of_case(case["input"]["table"])
    data = {name: [row[name] for row in rows] for name in rows[0]}
    table = as_table(data, quasi=case["input"]["qid"], sensitive=case["input"]["sensitive"])
    found = masked(KEPermutation(), table, KEAnonymity(7, 50))
    assert buckets_of(found) == [sorted(range(10), key=buckets_of(found)[0].index)]
    assert found.facts["sum of ranges"] == case["expected"]["range"]
    # Asked for less, the nine salaries from 30 to 35 can be told from one another.
    less = masked(KEPermutation(), table, KEAnonymity(2, 1))
    assert less.facts["sum of ranges"] == 1 + 1 + (80 - 34)
    for k, e in ((8, 50), (7, 51)):
        with pytest.raises(InfeasibleError, match="ask for k of at most 7 and e of at most 50"):
            masked(KEPermutation(), table, KEAnonymity(k, e))


@given(st.lists(st.integers(0, 30), min_size=1, max_size=25), st.integers(1, 4), st.integers(0, 9))
def test_the_sum_of_ranges_is_that_of_the_quadratic_program(
    pays: list[int], k: int, e: int
) -> None:
    table, least = staff(*pays), ke_least_cost(pays, k, e)
    if least is None:
        with pytest.raises(InfeasibleError, match="no release that leaves out at most 0"):
            masked(KEPermutation(), table, KEAnonymity(k, e))
        return
    found = masked(KEPermutation(), table, KEAnonymity(k, e))
    assert ke_cost(pays, buckets_of(found), k, e) == least == found.facts["sum of ranges"]
    assert holds(table, found, KEAnonymity(k, e))
    assert found.optimal


@given(st.lists(st.integers(0, 9), min_size=1, max_size=7), st.integers(1, 3), st.integers(0, 4))
def test_no_partition_of_the_records_does_better(pays: list[int], k: int, e: int) -> None:
    if (least := ke_least_cost_of_any(pays, k, e)) is not None:
        found = masked(KEPermutation(), staff(*pays), KEAnonymity(k, e))
        assert found.facts["sum of ranges"] == least


def test_ranges_are_those_of_the_decimals_that_were_written() -> None:
    # In floats, 0.3 - 0.1 is less than 0.2.
    pays = [0.1, 0.3, 0.5, 0.7]
    found = masked(KEPermutation(), staff(*pays), KEAnonymity(2, 0.2))
    assert sorted(map(sorted, buckets_of(found))) == [[0, 1], [2, 3]]
    assert found.facts["sum of ranges"] == pytest.approx(0.4)
    exact = [Fraction(Decimal(str(pay))) for pay in pays]
    assert ke_cost(exact, buckets_of(found), 2, Fraction(1, 5)) == Fraction(2, 5)


def test_dates_are_days() -> None:
    days = [date(2024, 1, d) for d in (1, 2, 9, 10)]
    found = masked(KEPermutation(), staff(*days), KEAnonymity(2, 1))
    assert sorted(map(sorted, buckets_of(found))) == [[0, 1], [2, 3]]
    assert found.facts["sum of ranges"] == 2


def test_k_and_e_can_be_asked_for() -> None:
    table = staff(1, 2, 3, 4, 5, 6, 7, 8)
    wide = masked(KEPermutation(k=4, e=3), table, DistinctLDiversity(2))
    assert sorted(map(len, buckets_of(wide))) == [4, 4]
    plain = masked(KEPermutation(), table, DistinctLDiversity(2))
    assert sorted(map(len, buckets_of(plain))) == [2, 2, 2, 2]
    with pytest.raises(ParameterError, match="k must be at least 1, got 0"):
        KEPermutation(k=0)
    with pytest.raises(ParameterError, match="e must be at least 0, got -1"):
        KEPermutation(e=-1)


def test_buckets_that_break_another_promise_are_widened() -> None:
    table = staff(1, 1, 1, 2, 10, 11, 20, 21)
    found = masked(KEPermutation(), table, KEAnonymity(2, 1), FrequencyLDiversity(2))
    assert holds(table, found, KEAnonymity(2, 1), FrequencyLDiversity(2))
    assert sorted(map(sorted, buckets_of(found))) == [[0, 1, 2, 3, 4, 5], [6, 7]]
    assert dict(found.effort) == {"buckets": 2, "values": 6, "merged": 1}
    assert found.optimal is False


@given(
    st.lists(st.sampled_from([None, 1, 2, 3, 5, 8]), min_size=1, max_size=20),
    st.sampled_from([KEAnonymity(2, 1), DistinctLDiversity(3), TCloseness("1/3")]),
)
def test_keeps_promises_and_leaves_nobody_out(pays: list[int | None], model: TCloseness) -> None:
    table = staff(*pays) if any(p is not None for p in pays) else staff(*pays, 1)
    try:
        found = masked(KEPermutation(), table, model)
    except InfeasibleError:
        assert len({*pays}) < 3
        return
    assert holds(table, found, model)
    assert sorted(i for bucket in buckets_of(found) for i in bucket) == list(range(len(table)))


def test_records_without_a_number_are_dealt_out() -> None:
    found = masked(KEPermutation(), staff(1, 2, 8, 9, None, None), KEAnonymity(2, 1))
    assert sorted(map(len, buckets_of(found))) == [3, 3]
    assert found.optimal is False


def test_other_sensitive_columns_are_hidden_too() -> None:
    table = as_table(
        {"age": [1, 2, 3, 4], "ill": list("abab"), "pay": [1, 2, 8, 9]},
        quasi="age",
        sensitive=["ill", "pay"],
    )
    found = masked(KEPermutation(), table, KEAnonymity(2, 1, sensitive="pay"))
    assert found.frame.columns == ["age", "group"]
    assert found.buckets is not None
    assert found.buckets.hidden.columns == ["group", "ill", "pay", "count"]


def test_refuses_what_it_cannot_do() -> None:
    ills = as_table({"age": [1, 2], "ill": ["a", "b"]}, quasi="age", sensitive="ill")
    with pytest.raises(UnsupportedError, match="'ill' holds categories: use anatomize"):
        masked(KEPermutation(), ills, DistinctLDiversity(2))
    with pytest.raises(SchemaError, match="no sensitive column 'pey'"):
        masked(KEPermutation(sensitive="pey"), staff(1, 2), DistinctLDiversity(2))
    with pytest.raises(UnsupportedError, match=r"cannot keep k-anonymity.*show all that they did"):
        masked(KEPermutation(), staff(1, 2), KAnonymity(2))
    with pytest.raises(UnsupportedError, match=r"differ by too many digits .* round them"):
        masked(KEPermutation(), staff(1e-20, 1e20), KEAnonymity(2, 1))
    owned = as_table({"who": [1, 1], "pay": [1, 2]}, owner="who", sensitive="pay")
    with pytest.raises(UnsupportedError, match="by 'who' one person may have several"):
        masked(KEPermutation(), owned, KEAnonymity(2, 1))
