"""Multirelational k-anonymity: owners of joined rows, never the rows."""

from __future__ import annotations

from collections.abc import Hashable

import pytest
from hypothesis import given
from hypothesis import strategies as st

import unlinkable as ul
from tests import cases
from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import finest_of, groups_of, rows_of_case
from tests.tables.models.counting import counted
from tests.witness import models
from unlinkable.errors import ParameterError, SchemaError
from unlinkable.tables.models import KAnonymity, MultirelationalKAnonymity, XYAnonymity
from unlinkable.tables.models.base import BindingContext, Merging

PERSONS: list[dict[str, Hashable]] = [
    {"pid": 1, "sex": "f"},
    {"pid": 2, "sex": "f"},
    {"pid": 3, "sex": "m"},
    {"pid": 4, "sex": "m"},
]
VISITS: list[dict[str, Hashable]] = [
    {"pid": 1, "zip": "a"},
    {"pid": 1, "zip": "a"},
    {"pid": 2, "zip": "a"},
    {"pid": 3, "zip": "a"},
    {"pid": 4, "zip": "a"},
    {"pid": 4, "zip": "b"},
]


def joined() -> list[dict[str, Hashable]]:
    return [{**p, **v} for p in PERSONS for v in VISITS if p["pid"] == v["pid"]]


def test_a_person_must_share_every_combination_with_others() -> None:
    groups = counted(joined(), ["sex", "zip"], owner="pid")
    verdict = MultirelationalKAnonymity(2).verdict(groups)
    assert verdict.good.tolist().count(False) == 1
    assert verdict.achieved == {"k": 1}
    assert verdict.why == "1 person here, and at least 2 must look alike"
    assert MultirelationalKAnonymity(2, qid="sex").holds(groups)
    assert not MultirelationalKAnonymity(3, qid="sex").holds(groups)


def test_example_2_4_six_records_of_two_patients_are_two() -> None:
    case = cases.load("book-ch02-ex2.4-2.5-xy-anonymity-inpatient")
    given, expected = case["input"], case["expected"]
    groups = counted(rows_of_case(given["table"]), given["X"], owner="Pid")
    assert MultirelationalKAnonymity(1).verdict(groups).achieved == {"k": expected["A_Pid(X)"]}


@given(tables(), st.integers(1, 4))
def test_says_what_the_definition_says(random: RandomTable, k: int) -> None:
    promise = MultirelationalKAnonymity(k)
    groups = finest_of(random)
    if random.owner is None:
        with pytest.raises(SchemaError, match="counts the owners of records, and no column tells"):
            promise.holds(groups)
        return
    owners = [
        len({row[random.owner] for row in group})
        for group in models.groups(random.rows, random.qid).values()
    ]
    assert promise.verdict(groups).level == min(owners, default=None)
    assert promise.holds(groups) is all(n >= k for n in owners)
    assert XYAnonymity(k, y=random.owner).holds(groups) is promise.holds(groups)


def test_a_release_of_joined_tables_keeps_it() -> None:
    rows = joined()
    table = ul.as_table(
        {name: [row[name] for row in rows] for name in ("pid", "sex", "zip")},
        quasi=["sex", "zip"],
        owner="pid",
    )
    release = ul.anonymize(table, privacy=MultirelationalKAnonymity(2))
    assert release.holds
    assert release.frame == {"sex": ["f", "f", "f", "m", "m", "m"], "zip": ["*"] * 6}


def test_is_k_anonymity_of_people_under_another_name() -> None:
    promise = MultirelationalKAnonymity(3, qid=["a", "b"])
    assert promise.merging is Merging.ABSORBS
    assert promise.consequences() == (KAnonymity(3, qid=["a", "b"]),)
    assert promise.covers(MultirelationalKAnonymity(2, qid="a"))
    assert not promise.covers(MultirelationalKAnonymity(4, qid="a"))
    assert not promise.covers(MultirelationalKAnonymity(3))
    assert promise.weaker() == MultirelationalKAnonymity(2, qid=["a", "b"])
    assert promise != KAnonymity(3, qid=["a", "b"])
    assert str(promise) == 'multirelational-k-anonymity(k=3, qid=["a", "b"])'


def test_is_bound_to_tables_that_say_who_owns_a_record() -> None:
    promise = MultirelationalKAnonymity(2, qid="a")
    assert promise.bind(BindingContext(quasi=("a",), owner="pid")) == (promise,)
    with pytest.raises(SchemaError, match="no column tells who owns a record: give one the role"):
        promise.bind(BindingContext(quasi=("a",)))
    with pytest.raises(SchemaError, match="no quasi-identifier 'a' among 1"):
        promise.bind(BindingContext(quasi=("b",), owner="pid"))


def test_refuses_what_means_nothing() -> None:
    with pytest.raises(ParameterError, match="k must be at least 1, got 0"):
        MultirelationalKAnonymity(0)
    with pytest.raises(ParameterError, match="qid must name at least one column"):
        MultirelationalKAnonymity(2, qid=())
    with pytest.raises(SchemaError, match="counts the owners of records"):
        MultirelationalKAnonymity(2).level(groups_of([[1]]))
