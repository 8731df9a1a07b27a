"""What all top-down methods have in common: defaults, populations, odd tables and refusals."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import unlinkable as ul
from tests.tables.groups.plain import table_of
from tests.tables.methods.cuts.mixed import NoMultiple
from tests.tables.methods.populations import Sampled, sampled
from unlinkable.errors import InfeasibleError, SchemaError, UnsupportedError
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.engines import count
from unlinkable.tables.methods.base.search import Solution, Task
from unlinkable.tables.methods.cuts import (
    HDTDS,
    TopDownDisclosure,
    TopDownRefinement,
    TopDownSpecialization,
)
from unlinkable.tables.methods.cuts.shared.guides import Score
from unlinkable.tables.methods.cuts.shared.top_down import TopDown
from unlinkable.tables.metrics import Discernibility, ILoss
from unlinkable.tables.metrics.base import GroupMetric
from unlinkable.tables.models import DeltaPresence, KAnonymity, KMap
from unlinkable.tables.models.base import All, GroupModel

METHODS: list[TopDown] = [
    TopDownSpecialization(),
    HDTDS(),
    TopDownDisclosure(),
    TopDownRefinement(),
]


def search(
    method: TopDown, table: Table, *models: GroupModel, metric: GroupMetric | None = None
) -> Solution:
    bound, privacy = method.bind(table.schema), All(models)
    finest = count(table, {*bound.needs(table.schema), *privacy.needs()}).finest
    return bound.search(finest, privacy, Task(table.attributes, metric or ILoss()))


def staff() -> Table:
    return as_table(
        {"job": ["cook", "cook", "clerk", "clerk"], "age": [20, 21, 50, 51], "rich": [*"nnyy"]},
        quasi=["job", "age"],
        target="rich",
    )


# What is left to the roles of the columns


@pytest.mark.parametrize("method", METHODS, ids=str)
def test_the_score_follows_from_the_roles_of_the_columns(method: TopDown) -> None:
    bound = method.bind(staff().schema)
    assert (bound.score, bound.target) == (method.with_classes, "rich")
    assert bound.needs(staff().schema) == {("rich",)}
    plain = as_table({"job": ["cook"], "ill": ["flu"]}, quasi="job", sensitive="ill")
    assert method.bind(plain.schema).score is Score.DISCERNIBILITY
    assert method.needs(plain.schema) == frozenset()


def test_a_sensitive_column_is_a_class_if_a_score_asks_for_one() -> None:
    table = as_table({"job": ["cook"], "ill": ["flu"]}, quasi="job", sensitive="ill")
    assert TopDownSpecialization(score="igpl").bind(table.schema).target == "ill"
    with pytest.raises(SchemaError, match="target"):
        HDTDS(score="igpl").bind(as_table({"job": ["cook"]}, quasi="job").schema)
    with pytest.raises(SchemaError, match="no class column 'rihc'"):
        HDTDS(target="rihc").bind(staff().schema)


# Odd tables


@pytest.mark.parametrize("method", METHODS, ids=str)
def test_a_table_of_one_record_is_told_as_it_is(method: TopDown) -> None:
    table = as_table({"job": ["cook"], "age": [20]}, quasi=["job", "age"])
    found = search(method, table, KAnonymity(1))
    assert found.partition.sizes.tolist() == [1]
    assert found.is_complete


@pytest.mark.parametrize("method", [TopDownSpecialization(), TopDownRefinement()], ids=str)
@pytest.mark.parametrize("score", ["igpl", "discernibility", "loss"])
def test_missing_numbers_are_split_off_first(method: TopDown, score: str) -> None:
    table = as_table(
        {"age": [20, 21, 50, 51, None, None], "rich": [*"nnyyny"]}, quasi="age", target="rich"
    )
    made = type(method)(score=score)
    found = search(made, table, KAnonymity(2))
    assert [step.parts for step in found.trace] == [(0, 4), (0, 2)]
    assert search(made, table, KAnonymity(3)).trace == ()


@given(drawn=sampled(), method=st.sampled_from(METHODS))
def test_people_of_a_population_are_counted(method: TopDown, drawn: Sampled) -> None:
    table, side = table_of(drawn.random), {"people": drawn.population_frame}
    for promise in (KMap(3, population="people"), DeltaPresence(0, 0.6, population="people")):
        try:
            # It judges the published values again, among all people.
            release = ul.anonymize(table, privacy=promise, method=method, side=side)
        except InfeasibleError:
            continue
        except UnsupportedError as refusal:
            # What is told of some people and not of others overlaps.
            if isinstance(promise, DeltaPresence) and "several groups" in str(refusal):
                continue
            raise
        assert release.holds


@given(drawn=sampled())
def test_nobody_is_missed_where_presence_is_bounded_from_below(drawn: Sampled) -> None:
    table, side = table_of(drawn.random), {"people": drawn.population_frame}
    promise = DeltaPresence(0.1, 0.8, population="people")
    try:
        assert ul.anonymize(table, privacy=promise, method=TopDownSpecialization(), side=side).holds
    except InfeasibleError:
        return


# The refusals


@pytest.mark.parametrize("method", METHODS, ids=str)
def test_refuses_a_table_that_breaks_the_promise_as_a_whole(method: TopDown) -> None:
    with pytest.raises(InfeasibleError, match=r"k-anonymity\(k=5\)"):
        search(method, staff(), KAnonymity(5))
    with pytest.raises(UnsupportedError, match="starts from all records in one group"):
        search(method, staff(), NoMultiple(2))
    empty = as_table({"job": ["cook"]}, quasi="job")
    finest = count(empty).finest
    nobody = finest.select(finest.sizes < 0)
    with pytest.raises(InfeasibleError, match="no records"):
        method.search(nobody, All([KAnonymity(1)]), Task(empty.attributes, ILoss()))


def test_refuses_a_loss_that_does_not_add_up_over_cells() -> None:
    with pytest.raises(UnsupportedError, match="adds up over cells, and discernibility does not"):
        search(HDTDS(score="loss"), staff(), KAnonymity(1), metric=Discernibility())


def test_refuses_to_look_for_classes_where_there_are_none() -> None:
    plain = as_table({"job": ["cook"]}, quasi="job")
    with pytest.raises(UnsupportedError, match="score discernibility knows none: name the column"):
        search(HDTDS(beneficial=True), plain, KAnonymity(1))
    finest, task = count(staff()).finest, Task(staff().attributes, ILoss())
    with pytest.raises(UnsupportedError, match="asks for a class that was not counted"):
        HDTDS(target="rich").search(finest, All([KAnonymity(1)]), task)


def test_refuses_suppression_where_people_would_look_like_several_groups() -> None:
    table = as_table({"job": ["cook", "clerk"]}, quasi="job")
    promise = DeltaPresence(0.1, 0.9, population="people")
    people = {"job": ["cook", "clerk", "cook", "clerk"]}
    with pytest.raises(UnsupportedError, match="counts people who look like several groups"):
        ul.anonymize(table, privacy=promise, method=TopDownRefinement(), side={"people": people})
    ages = as_table({"age": [20, 30]}, quasi="age")
    side = {"people": {"age": [20, 30, 20, 30]}}
    assert ul.anonymize(ages, privacy=promise, method=TopDownRefinement(), side=side).holds
