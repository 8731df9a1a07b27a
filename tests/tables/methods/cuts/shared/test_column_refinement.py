"""Fitting: proposals of top-down methods fit, and others do not."""

from __future__ import annotations

import numpy as np
import pytest
from attrs import evolve
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.tables.methods.cuts.mixed import Mixed, mixed, promises
from unlinkable.tables.data import as_table
from unlinkable.tables.methods.base.search import Solution
from unlinkable.tables.methods.cuts.shared.column_refinement import misfits_by_column
from unlinkable.tables.methods.cuts.shared.top_down import TopDown
from unlinkable.tables.methods.cuts.top_down_disclosure import TopDownDisclosure
from unlinkable.tables.methods.cuts.top_down_refinement import TopDownRefinement
from unlinkable.tables.methods.cuts.top_down_specialization import TopDownSpecialization
from unlinkable.tables.operations.base.recoding import Recoding
from unlinkable.tables.publishing.anonymizing.truthfulness import misfits

METHODS: list[TopDown] = [
    TopDownSpecialization(),
    TopDownSpecialization(numbers="taxonomy"),
    TopDownDisclosure(),
    TopDownRefinement(),
]


@given(method=st.sampled_from(METHODS), table=mixed(), data=st.data())
def test_what_top_down_methods_propose_is_of_their_kind(
    method: TopDown, table: Mixed, data: st.DataObject
) -> None:
    privacy = table.bound(data.draw(promises(table.columns)))
    assume(table.keeps(privacy, [(None,) * len(table.columns)] * len(table.labels)))
    found: Solution = table.search(method, privacy)
    assert misfits(method, found, table.task()) == []


def ages(lo: list[int], hi: list[int]) -> Recoding:
    """Show the ages 20, 30, 40 and a missing one so."""
    people = as_table({"age": [20, 30, 40, None]}, quasi="age")
    as_it_is = Recoding.of(people)
    return evolve(
        as_it_is,
        lo=np.array(lo, np.int32).reshape(-1, 1),
        hi=np.array(hi, np.int32).reshape(-1, 1),
    )


@pytest.mark.parametrize(
    ("lo", "hi", "message"),
    [
        ([0, 0, 1, 3], [2, 2, 3, 4], "intervals that overlap"),
        ([0, 1, 2, 2], [1, 2, 4, 4], "intervals with missing values"),
        ([1, 1, 2, 3], [2, 2, 3, 4], "intervals that do not hold its values"),
    ],
)
def test_intervals_that_are_none_are_named(lo: list[int], hi: list[int], message: str) -> None:
    found = misfits_by_column(ages(lo, hi), TopDownSpecialization().refinement_of)
    assert any(message in text for text in found)
    assert not misfits_by_column(
        ages([0, 0, 2, 3], [2, 2, 3, 4]), TopDownSpecialization().refinement_of
    )


def test_a_value_that_is_told_in_two_ways_is_named() -> None:
    people = as_table({"age": [20, 20, 30]}, quasi="age")
    recoding = Recoding.of(people)
    shown = evolve(recoding, lo=np.array([[0], [0], [0]], np.int32), hi=np.array([[1], [2], [2]]))
    found = misfits_by_column(shown, TopDownSpecialization().refinement_of)
    assert any("show different ones" in text for text in found)


def test_suppressed_values_are_no_subtrees_and_subtrees_are_no_suppressed_values() -> None:
    people = as_table({"job": ["a", "b", "c"]}, quasi="job")
    recoding = Recoding.of(people)
    stars = evolve(
        recoding, lo=np.array([[0], [0], [2]], np.int32), hi=np.array([[3], [3], [3]], np.int32)
    )
    assert not misfits_by_column(stars, TopDownRefinement().refinement_of)
    assert misfits_by_column(stars, TopDownSpecialization().refinement_of)
