"""Members: who is in which group, by all ways to put people into groups."""

from __future__ import annotations

from itertools import permutations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from unlinkable.errors import SchemaError
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.worlds.shared.members import Members, group_of_people
from unlinkable.tables.data.side import SideTable

SPANS = [(30, 40), (40, 50), (35, 45), (30, 50)]


def published(spans: list[tuple[int, int]]) -> Target:
    told = pl.DataFrame({"age": [f"[{lo}-{hi})" for lo, hi in spans], "ill": ["x"] * len(spans)})
    return Target(told, ("age",), ("ill",))


def voters(ages: list[int]) -> SideTable:
    names = [f"P{i}" for i in range(len(ages))]
    return SideTable("voters", pl.DataFrame({"name": names, "age": ages}))


def test_the_voter_list_tells_who_is_in_a_generalized_group() -> None:
    case = cases.load("wong-generalized-group-linkage")
    listed = case["input"]["external_table"]
    people = SideTable(
        "voters", pl.DataFrame(listed["rows"], schema=listed["columns"], orient="row")
    )
    told = pl.DataFrame(
        {
            "Gender": [case["input"]["generalized_qi"]["Gender"]] * case["input"]["group_size"],
            "Age": ["[60-70)"] * 2,
            "Disease": ["Flu", "HIV"],
        }
    )
    target = Target(told, ("Gender", "Age"), ("Disease",))
    parts = group_of_people(target, people)
    names = [n for n, part in zip(people.texts("Name"), parts.tolist(), strict=True) if part == 0]
    assert names == case["expected"]["matches"]
    members = Members.listed(target, "Disease", people, ("Gender", "Age"))
    seen = members.seen(("Gender", "Age"))
    exact = [seen.text(int(code)) for code in seen.values]
    assert exact == [f"{sex}, {age}" for sex, age in case["expected"]["exact_qi"]]


@given(
    st.lists(st.sampled_from(SPANS), min_size=1, max_size=4),
    st.lists(st.integers(0, 1), min_size=4, max_size=4),
    st.lists(st.sampled_from([25, 32, 37, 42, 47]), max_size=1),
)
def test_who_is_settled_is_in_his_group_in_every_world(
    spans: list[tuple[int, int]], ends: list[int], more: list[int]
) -> None:
    inside = [lo + 2 if end else hi - 3 for (lo, hi), end in zip(spans, ends, strict=False)]
    ages = [*inside, *more]
    target = published(spans)
    labels = target.counted().labels.tolist()
    parts = group_of_people(target, voters(ages)).tolist()
    worlds = [
        owners
        for owners in permutations(range(len(ages)), len(spans))
        if all(lo <= ages[p] < hi for p, (lo, hi) in zip(owners, spans, strict=True))
    ]
    for person, part in enumerate(parts):
        groups = {labels[w.index(person)] if person in w else -1 for w in worlds}
        if part >= 0:
            assert groups == {part}
    # A group that as many people could be in as it has records is settled at once.
    for group in set(labels):
        lo, hi = spans[labels.index(group)]
        could = [i for i, age in enumerate(ages) if lo <= age < hi]
        if len(could) == labels.count(group) and len({*labels}) == 1:
            assert [parts[i] for i in could] == [group] * len(could)


def test_settled_groups_settle_others() -> None:
    target = published([(30, 40), (30, 50)])
    assert group_of_people(target, voters([35, 45])).tolist() == [0, 1]
    assert group_of_people(target, voters([35, 36])).tolist() == [-1, -1], (
        "nobody fits the second alone"
    )
    members = Members.listed(target, "ill", voters([35, 36, 45]), ("age",))
    assert members.parts.tolist() == [-1, -1, -1]
    assert members.n_left_out == 2


def test_a_list_that_puts_people_into_two_groups_settles_nothing() -> None:
    told = pl.DataFrame({"age": ["[30-40)", "[30-40)", "*", "*"], "ill": list("xyxy")})
    target = Target(told, ("age",), ("ill",))
    assert group_of_people(target, voters([35, 36])).tolist() == [-1, -1]


def test_in_buckets_everybody_sees_who_is_where() -> None:
    told = pl.DataFrame({"b": [1, 2, 1], "sex": ["m", "f", "f"], "ill": list("xyz")})
    members = Members.published(Target(told, ("sex",), ("ill",), bucket="b"), "ill", ("sex",))
    assert members.parts.tolist() == [0, 1, 0]
    seen = members.seen(("sex",))
    assert [seen.text(int(code)) for code in seen.values] == ["f", "m", "f"]
    assert seen.counts.tolist() == [1, 1, 1]


def test_refuses_a_list_without_what_people_show() -> None:
    with pytest.raises(SchemaError, match=r"no column 'sex' .*in 'voters'"):
        Members.listed(published([(30, 40)]), "ill", voters([35]), ("sex",))
