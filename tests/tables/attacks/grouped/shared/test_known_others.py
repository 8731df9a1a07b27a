"""People of whom an adversary knows what they have.

How sure somebody can be who knows what a few others of a group have.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.attacks.tables import target
from tests.tables.groups.plain import histogram_of
from unlinkable.errors import DataError, SchemaError
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.grouped.shared.known_others import (
    KnownOthers,
    find_others,
    worst_others,
)
from unlinkable.tables.data.side import SideTable
from unlinkable.tables.taxonomies import observe
from unlinkable.tables.taxonomies.builders import Intervals

AGES = Intervals(10).build(observe("age", list(range(30, 60))))


def release() -> Target:
    columns = {
        "age": ["[30-40)", "[30-40)", "[40-50)", "*"],
        "ill": ["flu", "hiv", "flu", "flu"],
    }
    return target(columns, "age", "ill", taxonomies={"age": AGES})


def find(told: Target, **columns: list[object]) -> KnownOthers:
    people = SideTable("known", pl.DataFrame(columns))
    return find_others(told, told.counted([("ill",)]), people)


def test_people_are_found_in_their_group() -> None:
    told = target({"age": [1, 1, 2], "ill": ["flu", "hiv", "flu"]}, "age", "ill")
    others = find(told, age=[1, 2, 7], ill=["hiv", "flu", "flu"])
    assert others.group.tolist() == [0, 1, -1]
    assert others.n_found.tolist() == [1, 1]
    assert others.details == {
        "known_people": 3,
        "known_people_who_match_no_group": 1,
        "known_people_who_match_several_groups": 0,
    }
    rest, left = others.take_away("ill", told.counted([("ill",)]).finest.histograms["ill",])
    assert (rest.counts.tolist(), left.tolist()) == ([1, 0, 0], [1, 0])


def test_who_fits_several_groups_is_left_alone() -> None:
    others = find(release(), age=[33, 55], ill=["flu", "flu"])
    assert others.group.tolist() == [-2, 2]
    assert others.details["known_people_who_match_several_groups"] == 1
    assert others.n_found.tolist() == [0, 0, 1]


def test_buckets_are_groups() -> None:
    columns = {"age": [1, 2, 3, 3], "b": [7, 7, 7, 8], "ill": ["flu", "hiv", "flu", "flu"]}
    told = target(columns, "age", "ill", bucket="b")
    others = find(told, age=[1, 3], ill=["flu", "flu"])
    assert others.group.tolist() == [0, -2]


def test_who_is_known_by_fewer_columns_may_be_in_several_groups() -> None:
    columns = {"age": [1, 1], "sex": ["f", "m"], "ill": ["flu", "hiv"]}
    told = target(columns, ("age", "sex"), "ill")
    assert find(told, age=[1], ill=["flu"]).group.tolist() == [-2]
    assert find(told, sex=["m"], ill=["hiv"]).group.tolist() == [1]


def test_what_is_not_known_is_not_taken_away() -> None:
    told = target({"age": [1, 1], "ill": ["flu", "hiv"]}, "age", "ill")
    others = find(told, age=[1, 1], ill=["hiv", None])
    _, left = others.take_away("ill", told.counted([("ill",)]).finest.histograms["ill",])
    assert left.tolist() == [1]


@pytest.mark.parametrize(
    "ills", [["hiv", "hiv"], ["cancer"], ["flu", "cancer", "hiv", "hiv"]], ids=str
)
def test_a_list_that_cannot_be_true_is_refused(ills: list[object]) -> None:
    told = target({"age": [1, 1], "ill": ["flu", "hiv"]}, "age", "ill")
    others = find(told, age=[1] * len(ills), ill=ills)
    hidden = told.counted([("ill",)]).finest.histograms["ill",]
    n = {1: "1 person", 2: "1 person", 4: "2 people"}[len(ills)]
    with pytest.raises(DataError, match=f"{n} of 'known' cannot be in the release"):
        others.take_away("ill", hidden)


def test_a_list_must_tell_of_a_sensitive_column() -> None:
    told = target({"age": [1, 1], "ill": ["flu", "hiv"]}, "age", "ill")
    others = find(told, age=[1], job=["cook"])
    with pytest.raises(SchemaError, match="'known' tells of no sensitive column: name it as"):
        others.columns(("ill",))


GROUP = st.lists(st.integers(0, 3), min_size=1, max_size=7)


def worst_by_definition(values: list[int], victim: int, n: int) -> Fraction:
    """Try all choices of up to n others, take them away, and guess what the victim has."""
    others = [i for i in range(len(values)) if i != victim]
    best = Fraction(0)
    for size in range(min(n, len(others)) + 1):
        for known in combinations(others, size):
            left = [v for i, v in enumerate(values) if i not in known]
            best = max(best, Fraction(max(Counter(left).values()), len(left)))
    return best


@given(GROUP, st.integers(0, 8))
def test_the_worst_others_by_definition(values: list[int], n: int) -> None:
    row = [values.count(v) for v in range(4)]
    hidden = histogram_of([row])
    parts, wholes = worst_others(hidden, np.array([len(values)]), n)
    found = dict(zip(hidden.values.tolist(), zip(parts, wholes, strict=True), strict=True))
    for victim, value in enumerate(values):
        part, whole = found[value]
        assert Fraction(int(part), int(whole)) == worst_by_definition(values, victim, n)
