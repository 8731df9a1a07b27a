"""LKC-privacy: the book's examples, the definition word by word, and the claims made."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import finest_of, groups_of, rows_of_case
from tests.witness import models, values
from unlinkable import checks
from unlinkable.errors import ParameterError, SchemaError
from unlinkable.registry.lookup import make
from unlinkable.tables.data import as_table
from unlinkable.tables.engines import count
from unlinkable.tables.models import KAnonymity, LKCPrivacy
from unlinkable.tables.models.base import BindingContext

SHARES = st.fractions(Fraction(1, 9), 1, max_denominator=60)


def columns_of(rows: list[dict[str, object]]) -> dict[str, list[object]]:
    return {name: [row[name] for row in rows] for name in rows[0]}


def test_example_6_2_keeps_lkc_but_not_2_anonymity() -> None:
    case = cases.load("book-ch06-ex6.2-lkc-privacy-check")
    told, expected = case["input"], case["expected"]
    rows = columns_of(rows_of_case(told["table"]))
    del rows["ID"], rows["Transfuse"]
    table = as_table(rows, quasi=told["qid_attributes"], sensitive=told["sensitive_attribute"])
    (listed,) = told["sensitive_values"]
    promise = LKCPrivacy(told["L"], told["K"], told["C"], sensitive="Surgery", values=listed)
    groups = count(table, promise.needs()).finest
    verdict = promise.verdict(groups)
    assert verdict.holds is promise.holds(groups) is expected["satisfies_LKC"]
    assert verdict.achieved == {"k": 2, "c": expected["max_confidence_at_size_2"]}
    for names, alike in expected["groups"].items():
        seen, _ = groups.project(tuple(names.split("+")))
        assert sorted(seen.sizes) == sorted(group["size"] for group in alike)
        shares = promise.parts["c"].level(seen)
        assert sorted(shares) == pytest.approx(
            sorted(group["confidence_Transgender"] for group in alike), abs=1e-6
        )
    assert KAnonymity(2).holds(groups) is expected["satisfies_2_anonymity_full_qid"]
    assert LKCPrivacy(3, 2, 1).verdict(groups).good.sum() == len(groups) - 1


def test_example_6_2_is_2_anonymous_when_ages_are_merged() -> None:
    case = cases.load("book-ch06-ex6.2-lkc-privacy-check")
    after = case["expected"]["after_merging_Age_to_[1-60)"]
    rows = columns_of(rows_of_case(case["input"]["table"]))
    ages = ["[1-60)" if age in ("[1-30)", "[30-60)") else age for age in rows["Age"]]
    table = as_table(
        {"Job": rows["Job"], "Sex": rows["Sex"], "Age": ages}, quasi=["Job", "Sex", "Age"]
    )
    groups = count(table).finest
    assert LKCPrivacy(3, 2, 1).holds(groups) is after["satisfies_2_anonymity_full_qid"]
    assert sorted(groups.sizes) == sorted(after["group_sizes"].values())


def test_example_6_5_looks_at_combinations_of_two_columns() -> None:
    case = cases.load("book-ch06-ex6.5-qid-subsets")
    told, expected = case["input"], case["expected"]
    known = LKCPrivacy(told["L"], 1, 1).knows(tuple(told["qid"]))
    assert list(map(list, known.combinations())) == expected["subsets_of_size_L_used_by_QIDTrees"]
    shorter = list(map(list, known.combinations(shorter=True)))
    assert shorter == expected["subsets_up_to_L"]
    for text, n in expected["derived_counts"].items():
        assert comb(*map(int, text[2:-1].split(","))) == n


@given(tables(owner=False), st.integers(1, 5), st.integers(1, 4), SHARES)
def test_says_what_the_definition_says(
    random: RandomTable,
    l: int,  # noqa: E741
    k: int,
    c: Fraction,
) -> None:
    groups = finest_of(random)
    for s in random.sensitive:
        promise = LKCPrivacy(l, k, c, sensitive=s)
        verdict = promise.verdict(groups)
        kept_by_all = values.is_lkc_private(random.rows, random.qid, s, L=l, K=k, C=c)
        assert verdict.holds is promise.holds(groups) is kept_by_all
        assert verdict.reached["k"] == values.lkc_size(random.rows, random.qid, l)
        if random.rows:
            share = values.lkc_confidence(random.rows, random.qid, l, s)
            assert verdict.reached["c"] == float(share or 0)


@given(tables(owner=False, min_records=1), st.integers(1, 3), SHARES, st.data())
def test_bounds_the_values_that_are_listed(
    random: RandomTable,
    l: int,  # noqa: E741
    c: Fraction,
    data: st.DataObject,
) -> None:
    there = sorted({str(row["s0"] or "") for row in random.rows})
    listed = data.draw(st.lists(st.sampled_from([*there, "nobody's"]), min_size=1, unique=True))
    promise = LKCPrivacy(l, 1, c, sensitive="s0", values=listed)
    asked = [text or None for text in listed]
    share = values.lkc_confidence(random.rows, random.qid, l, "s0", asked)
    verdict = promise.verdict(finest_of(random))
    assert verdict.reached["c"] == float(share or 0)
    assert verdict.holds is ((share or 0) <= c)


@given(tables(min_records=1), st.integers(1, 4), st.integers(1, 4))
def test_counts_people_where_they_are_known(
    random: RandomTable,
    l: int,  # noqa: E741
    k: int,
) -> None:
    groups = finest_of(random)
    fewest = min(
        models.k_anonymity(random.rows, columns, random.owner) or 0
        for columns in combinations(random.qid, min(l, len(random.qid)))
    )
    assert LKCPrivacy(l, k, 1).verdict(groups).reached == {"k": fewest}
    assert LKCPrivacy(l, k, 1).holds(groups) is (fewest >= k)


@given(tables(), st.integers(1, 4))
def test_is_k_anonymity_when_everything_is_known(random: RandomTable, k: int) -> None:
    groups = finest_of(random)
    assert LKCPrivacy(len(random.qid), k, 1, sensitive="s0").holds(groups) == (
        KAnonymity(k).holds(groups)
    )


def test_a_bound_that_no_64_bit_product_can_hold_is_decided() -> None:
    groups = groups_of([[1, 2], [2, 1]])
    barely = Fraction(2, 3) - Fraction(1, 10**40)
    assert LKCPrivacy(1, 3, "2/3", sensitive="s").holds(groups)
    assert not LKCPrivacy(1, 3, barely, sensitive="s").holds(groups)


def test_the_worst_combination_is_told_with_its_columns() -> None:
    table = as_table(
        {"a": [*"0011"], "b": [*"xxxy"], "c": [*"0101"], "s": [*"uvuv"]},
        quasi=["a", "b", "c"],
        sensitive="s",
    )
    promise = LKCPrivacy(1, 2, 1, sensitive="s")
    verdict = promise.verdict(count(table, promise.needs()).finest)
    assert verdict.seen_on == ("b",)
    assert verdict.why == "1 record here, and at least 2 must look alike"
    assert verdict.good.tolist() == [True, True, True, False]
    telling = LKCPrivacy(1, 1, 0.5, sensitive="s").verdict(count(table, promise.needs()).finest)
    assert "v" in telling.why
    assert "look alike" not in telling.why


def test_a_table_without_records_keeps_everything() -> None:
    empty = groups_of([[1, 1]]).select(np.zeros(1, bool))
    promise = LKCPrivacy(3, 5, 0.5, sensitive="s")
    assert promise.holds(empty)
    assert promise.verdict(empty).achieved == {"k": None}
    assert promise.good(empty).tolist() == promise.least_suppressed(empty, 0).tolist() == []


def test_is_about_every_sensitive_column_or_none() -> None:
    promise = LKCPrivacy(2, 5, 0.5)
    context = BindingContext(quasi=("a",), sensitive=("s", "t"))
    assert promise.bind(context) == (
        LKCPrivacy(2, 5, 0.5, sensitive="s"),
        LKCPrivacy(2, 5, 0.5, sensitive="t"),
    )
    assert promise.bind(BindingContext(quasi=("a",))) == (promise,)
    assert promise.needs() == frozenset()
    (bound,) = LKCPrivacy(2, 5, 0.5, sensitive="t").bind(context)
    assert bound.needs() == {("t",)}


def test_one_promise_covers_another_that_asks_for_less() -> None:
    promise = LKCPrivacy(3, 5, 0.5, sensitive="s")
    for less in (
        LKCPrivacy(2, 5, 0.5, sensitive="s"),
        LKCPrivacy(3, 4, 0.5, sensitive="s", values="x"),
        LKCPrivacy(3, 5, 0.6, sensitive="s"),
        LKCPrivacy(3, 5, 1, sensitive="t"),
    ):
        assert promise.covers(less)
        assert not less.covers(promise)
    assert not promise.covers(LKCPrivacy(3, 5, 0.5, sensitive="t"))
    assert not LKCPrivacy(3, 5, 0.5, sensitive="s", values="x").covers(promise)
    assert not promise.covers(KAnonymity(5))
    assert promise.consequences() == ()


def test_asks_for_less_by_one_down_to_two() -> None:
    assert LKCPrivacy(2, 3, 0.5).weaker() == LKCPrivacy(2, 2, 0.5)
    assert LKCPrivacy(2, 2, 0.5).weaker() is None


def test_explains_what_even_the_whole_table_breaks() -> None:
    whole = groups_of([[3, 1]])
    assert LKCPrivacy(2, 5, 0.5, sensitive="s").explain_failure(whole) == (
        'lkc-privacy(l=2, k=5, c=0.5, sensitive="s") needs at least 5 records, and the table has '
        "4: ask for k of at most 4, or gather more data"
    )
    assert LKCPrivacy(2, 2, 0.5, sensitive="s").explain_failure(whole) == (
        "one value of 's' has 0.75 of all 4 records, and some combination is never less telling "
        "than all together: ask for c of at least 0.75, or list the values that are sensitive"
    )


def test_is_read_back_as_it_is_written() -> None:
    promise = LKCPrivacy(2, 5, "1/3", sensitive="s", values=["x", ""])
    assert str(promise) == 'lkc-privacy(l=2, k=5, c="1/3", sensitive="s", values=["x", ""])'
    assert make("model", str(promise)) == promise


def test_merging_is_safe_and_does_not_absorb() -> None:
    promise = LKCPrivacy(1, 2, 0.5, sensitive="s")
    checks.check_does_not_absorb(promise, groups_of([[1, 1], [2, 0]]))
    checks.check_merging(promise, groups_of([[1, 1], [2, 2]]), [0, 1])


def test_refuses_what_means_nothing() -> None:
    with pytest.raises(ParameterError, match="l must be at least 1, got 0"):
        LKCPrivacy(0, 2, 0.5)
    with pytest.raises(ParameterError, match="k must be at least 1, got 0"):
        LKCPrivacy(2, 0, 0.5)
    with pytest.raises(ParameterError, match=r"c must lie in \(0, 1\], got 50"):
        LKCPrivacy(2, 2, 50)
    with pytest.raises(ParameterError, match="values must list at least one value"):
        LKCPrivacy(2, 2, 0.5, values=[])
    with pytest.raises(SchemaError, match="no sensitive column 'x' among 1"):
        LKCPrivacy(2, 2, 0.5, sensitive="x").bind(BindingContext(quasi=("a",), sensitive=("s",)))
    with pytest.raises(SchemaError, match="lists sensitive values, and the table has no sensitive"):
        LKCPrivacy(2, 2, 0.5, values="x").bind(BindingContext(quasi=("a",)))
    with pytest.raises(SchemaError, match="needs the values of 'x', which were not counted"):
        LKCPrivacy(2, 2, 0.5, sensitive="x").holds(groups_of([[1, 1]]))
