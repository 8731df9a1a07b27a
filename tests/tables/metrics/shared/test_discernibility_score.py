"""Discernibility score: the book's example and its contradiction, and the discernibility itself."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from tests.tables.groups.plain import rows_of_case
from tests.tables.metrics.refinements import Worked
from unlinkable.errors import ParameterError
from unlinkable.tables.metrics import Discernibility
from unlinkable.tables.metrics.shared.discernibility_score import DiscernibilityScore, Squares
from unlinkable.tables.metrics.shared.search_steps import Steps, sum_of_squares

ROOTS = {"ANY_Job": "Job", "ANY_Sex": "Sex", "[1-99)": "Age"}


def test_example_6_6_has_one_number_before_another_after_and_their_difference() -> None:
    case = cases.load("book-ch06-ex6.6-score-any-job")
    rows = [{**row, "n": 1} for row in rows_of_case(case["input"]["table"])]
    expected = case["expected"]["derived_all_initial_candidates"]
    candidates = [{**e, "attribute": ROOTS[e["value"]]} for e in expected]
    worked = Worked(rows, ["n"], case["input"]["taxonomies"], [["Job", "Sex", "Age"]])
    steps = worked.steps(candidates)
    for squares, name in [
        ("before", "sum_sq_before"),
        ("after", "sum_sq_after"),
        ("reduction", "reduction"),
    ]:
        scores = DiscernibilityScore(squares).score(steps).tolist()
        assert scores == [e[name] for e in expected]
    assert steps.squares_above is not None
    assert steps.squares_above[0] == case["expected"]["score_general_before_specialization"]
    assert steps.squares_below is not None
    assert steps.squares_below[0] == case["expected"]["score_general_printed"]
    # As the example has it, the step that brings discernibility down least would be the best.
    best = [int(DiscernibilityScore(s).score(steps).argmax()) for s in ("after", "reduction")]
    assert [expected[i]["value"] for i in best] == ["[1-99)", "ANY_Job"]


def test_generalizing_99_and_1_costs_less_than_50_and_50() -> None:
    case = cases.load("book-ch04-dm-vs-md")
    given_, expected = case["input"]["cases"], case["expected"]
    below = [[n] for each in given_ for n in each["counts"].values()]
    sizes, steps_of = np.array(below).ravel(), np.array([0, 0, 1, 1], np.int32)
    steps = Steps(
        above=[[100], [100]],
        starts=[0, 2, 4],
        below=below,
        squares_above=sum_of_squares(np.array([100, 100]), np.array([0, 1], np.int32), 2),
        squares_below=sum_of_squares(sizes, steps_of, 2),
    )
    names = [each["to"] for each in given_]
    for squares, numbers in [
        ("after", "DM_before_generalization"),
        ("before", "DM_after_generalization"),
        ("reduction", "DM_increase"),
    ]:
        scores = DiscernibilityScore(squares).score(steps).tolist()
        assert scores == [expected[numbers][name] for name in names]
    cheaper = names[int(DiscernibilityScore().score(steps).argmin())]
    assert cheaper == expected["cheaper_by_DM_increase"]


@given(st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=4), min_size=1, max_size=4))
def test_the_reduction_is_what_discernibility_falls_by(groups: list[list[int]]) -> None:
    """Each group that holds v falls apart into groups of these sizes."""
    before = np.array([sum(parts) for parts in groups], np.int64)
    after = np.array([n for parts in groups for n in parts], np.int64)
    steps = Steps(
        above=[[before.sum()]],
        starts=[0, len(after)],
        below=after.reshape(-1, 1),
        squares_above=sum_of_squares(before, np.zeros(before.size, np.int32), 1),
        squares_below=sum_of_squares(after, np.zeros(after.size, np.int32), 1),
    )
    loss = [Discernibility().of_sizes(sizes, 0) for sizes in (before, after)]
    assert DiscernibilityScore().score(steps).tolist() == [loss[0] - loss[1]]


def test_the_reduction_is_the_default() -> None:
    assert DiscernibilityScore() == DiscernibilityScore(Squares.REDUCTION)


def test_refuses_other_squares() -> None:
    with pytest.raises(ParameterError, match="no squares 'befor' among 3"):
        DiscernibilityScore("befor")
