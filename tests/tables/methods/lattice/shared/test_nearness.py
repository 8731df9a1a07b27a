"""Nearness: the anonymity of the thesis, and what it is for other promises."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import load
from tests.tables.groups.plain import groups_of
from tests.tables.methods.lattice.example import medical_table, thesis_table
from tests.tables.models.populated import populated, sized
from unlinkable.tables.data import Table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.lattice.shared.nearness import Nearness, reached
from unlinkable.tables.methods.lattice.shared.survey import Survey
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.models import DeltaPresence, DistinctLDiversity, KAnonymity, KMap, TCloseness
from unlinkable.tables.models.base import All, GroupModel


def survey_of(table: Table, models: list[GroupModel], share: str = "0") -> Survey:
    privacy = All(models)
    task = Task(table.attributes, ILoss(), Fraction(share))
    return Survey.of(count(table, privacy.needs()).finest, privacy, task)


def test_the_smallest_class_of_every_node_of_the_thesis_table() -> None:
    survey = survey_of(thesis_table(), [KAnonymity(2)])
    nearness = Nearness(survey)
    found = {
        "".join(map(str, node)): nearness(survey.rollup.at(node)) for node in survey.lattice.nodes()
    }
    expected = load("babu-improved-greedy-table2-1")["expected"]["smallest_class_by_node"]
    assert found == expected


@given(st.lists(st.integers(1, 6), min_size=1, max_size=6), st.data())
def test_the_smallest_groups_are_dropped_while_they_may_be(
    sizes: list[int], data: st.DataObject
) -> None:
    limit = data.draw(st.integers(0, sum(sizes) - 1))
    left, expected = limit, 0
    for size in sorted(sizes):
        expected = size
        if size > left:
            break
        left -= size
    assert reached(KAnonymity(2), sized(sizes), limit) == expected


def test_where_lower_is_safer_the_largest_level_counts() -> None:
    groups = groups_of([[2, 0], [1, 1], [0, 4]])
    model = TCloseness("0.3", sensitive="s")
    levels = model.level(groups).tolist()
    assert reached(model, groups, 0) == -max(levels)
    # The first group is the farthest from the whole, and has two records.
    assert levels[0] == max(levels)
    assert reached(model, groups, 1) == -levels[0]
    assert reached(model, groups, 2) == -sorted(levels)[1]


def test_the_worst_that_any_adversary_may_see_counts() -> None:
    # All four groups are alone, but there are two of each value on either column.
    keys = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], np.int32)
    groups: Groups = evolve(sized([1, 1, 1, 1]), columns=("a", "b"), keys=keys)
    assert reached(KAnonymity(2), groups, 0) == 1
    assert reached(KAnonymity(2, qid=("b",)), groups, 0) == 2


def test_groups_without_records_count_if_the_promise_is_about_them() -> None:
    groups = populated([(2, 4), (0, 1)])
    assert reached(KMap(2, population="people"), groups, 0) == 4
    # One person who looks like no record is absent for sure, and cannot be left out.
    presence = DeltaPresence("0.1", "0.5", population="people")
    assert reached(presence, groups, 1) == -np.inf


def test_of_several_promises_the_one_that_is_farthest_from_being_kept_counts() -> None:
    table = medical_table()
    node = (1, 2)
    alone = {}
    for model in (KAnonymity(3), DistinctLDiversity(4, sensitive="Disease")):
        survey = survey_of(table, [model])
        alone[model.name] = Nearness(survey)(survey.rollup.at(node))
    both = survey_of(table, [KAnonymity(3), DistinctLDiversity(4, sensitive="Disease")])
    expected = min(alone["k-anonymity"] / 3, alone["distinct-l-diversity"] / 4)
    assert Nearness(both)(both.rollup.at(node)) == expected < 1


@pytest.mark.parametrize(("t", "share"), [("0", 0.0), ("0.5", None)])
def test_a_bound_that_is_lower_if_safer_is_divided_by_what_is_reached(
    t: str, share: float | None
) -> None:
    models: list[GroupModel] = [KAnonymity(1), TCloseness(t, sensitive="Disease")]
    survey = survey_of(medical_table(), models)
    top = survey.rollup.at(survey.lattice.top)
    assert Nearness(survey)(top) == 6.0  # nothing is farther from the whole than nothing
    bottom = survey.rollup.at(survey.lattice.bottom)
    level = -Nearness(survey_of(medical_table(), models[1:]))(bottom)
    assert Nearness(survey)(bottom) == (min(0.5 / level, 1.0) if share is None else share)
