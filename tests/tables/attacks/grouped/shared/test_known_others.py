"""People of whom an adversary knows what they have."""

from __future__ import annotations

import polars as pl
import pytest

from tests.tables.attacks.tables import target
from unlinkable.errors import DataError, SchemaError
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.grouped.shared.known_others import KnownOthers, find_others
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
    assert others.home.tolist() == [0, 1, -1]
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
    assert others.home.tolist() == [-2, 2]
    assert others.details["known_people_who_match_several_groups"] == 1
    assert others.n_found.tolist() == [0, 0, 1]


def test_buckets_are_groups() -> None:
    columns = {"age": [1, 2, 3, 3], "b": [7, 7, 7, 8], "ill": ["flu", "hiv", "flu", "flu"]}
    told = target(columns, "age", "ill", bucket="b")
    others = find(told, age=[1, 3], ill=["flu", "flu"])
    assert others.home.tolist() == [0, -2]


def test_who_is_known_by_fewer_columns_may_be_in_several_groups() -> None:
    columns = {"age": [1, 1], "sex": ["f", "m"], "ill": ["flu", "hiv"]}
    told = target(columns, ("age", "sex"), "ill")
    assert find(told, age=[1], ill=["flu"]).home.tolist() == [-2]
    assert find(told, sex=["m"], ill=["hiv"]).home.tolist() == [1]


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
