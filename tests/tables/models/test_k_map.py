"""k-map: the population is counted, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.models.populated import Counts, group_counts, populated, sized
from unlinkable import as_table, check, checks
from unlinkable.errors import ParameterError, SchemaError
from unlinkable.tables.models import KMap, PopulationUniqueness
from unlinkable.tables.models.base import All


@given(group_counts, st.integers(1, 5))
def test_says_what_the_definition_says(counts: Counts, k: int) -> None:
    promise, groups = KMap(k, population="people"), populated(counts)
    assert promise.judge(groups).tolist() == [people >= k for _, people in counts]
    assert promise.level(groups).tolist() == [people for _, people in counts]
    published = [people for records, people in counts if records]
    assert All([promise]).holds(groups) is all(people >= k for people in published)
    checks.check_level(promise, groups)


@given(group_counts, st.integers(1, 5), st.data())
def test_absorbs(counts: Counts, k: int, data: st.DataObject) -> None:
    which = data.draw(st.lists(st.integers(0, len(counts) - 1), min_size=1, max_size=4))
    checks.check_merging(KMap(k, population="people"), populated(counts), which)


def test_more_records_than_people_do_not_help() -> None:
    assert KMap(2, population="people").judge(populated([(5, 1), (5, 0), (1, 2)])).tolist() == [
        False,
        False,
        True,
    ]


def test_who_is_not_in_the_table_is_not_judged() -> None:
    groups = populated([(1, 3), (0, 1)])
    (verdict,) = All([KMap(3, population="people")]).verdicts(groups)
    assert verdict.holds
    assert verdict.achieved == {"k": 3}


def test_tells_how_many_people_look_alike() -> None:
    promise = KMap(3, population="people.csv")
    groups = populated([(1, 3), (2, 2)], "people.csv")
    verdict = promise.verdict(groups)
    assert (verdict.holds, verdict.worst) == (False, 1)
    assert verdict.why == "2 people of 'people.csv' look like this, and at least 3 must"
    assert promise.explain_failure(groups) == (
        'k-map(k=3, population="people.csv") needs at least 3 people who look alike, and '
        "'people.csv' has 5: ask for k of at most 5, or take a larger population"
    )


def test_a_population_from_a_table_is_counted() -> None:
    sick = as_table({"job": ["cook", "cook", "clerk"], "age": [30, 31, 30]}, quasi=["job", "age"])
    people = {"age": [30, 31, 30, 31, 99], "job": ["cook", "cook", "clerk", "cook", "cook"]}
    finding = check(sick, KMap(2, population="people"), side={"people": people})
    assert [v.achieved for v in finding.verdicts] == [{"k": 1}]
    assert finding.verdicts[0].good.tolist()[:3] == [False, True, False]


def test_refers_to_its_population() -> None:
    promise = KMap(3, population="people.csv")
    assert promise.sources == ("people.csv",)
    assert promise.needs() == {("@people.csv",)}
    assert str(promise) == 'k-map(k=3, population="people.csv")'


def test_nobody_is_unique_where_two_look_alike() -> None:
    assert KMap(2, population="p").consequences() == (PopulationUniqueness(0, population="p"),)
    assert KMap(1, population="p").consequences() == ()


@given(group_counts, st.integers(2, 4))
def test_what_follows_follows(counts: Counts, k: int) -> None:
    promise, groups = KMap(k, population="people"), populated(counts)
    if All([promise]).holds(groups):
        assert All(promise.consequences()).holds(groups)


def test_covers_what_asks_for_less_of_the_same_population() -> None:
    assert KMap(3, population="p").covers(KMap(2, population="p"))
    assert not KMap(2, population="p").covers(KMap(3, population="p"))
    assert not KMap(3, population="p").covers(KMap(2, population="q"))


def test_asks_for_less_by_one_down_to_two() -> None:
    assert KMap(3, population="p").weaker() == KMap(2, population="p")
    assert KMap(2, population="p").weaker() is None


def test_refuses_what_means_nothing() -> None:
    with pytest.raises(ParameterError, match="k must be at least 1, got 0"):
        KMap(0, population="p")
    with pytest.raises(SchemaError, match=r"needs the people of 'p', who were not counted"):
        KMap(2, population="p").judge(sized([1, 2]))
