"""Discrete medians: the worked example, the literal twin, and medians of stretches."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from tests.tables.groups.plain import rows_of_case
from tests.witness import medians as witness
from unlinkable.errors import ParameterError
from unlinkable.tables.methods.perturb.shared.discrete_median import (
    Median,
    class_cuts,
    discrete_medians,
)

CASE = cases.load("babu-discrete-median-table5-4")
ROWS = rows_of_case(CASE["input"]["table"])
AGES = np.array([row["Age"] for row in ROWS], float)
RESULTS = np.array([row["Test Result"] == "Positive" for row in ROWS], np.int32)


@pytest.mark.parametrize("median", Median, ids=str)
def test_the_example_of_the_thesis_with_the_cut_that_it_gives(median: Median) -> None:
    low, high = CASE["expected"]["medians"][median]
    expected = [low if row["ID"] in CASE["expected"]["groups"][0] else high for row in ROWS]
    cuts = np.array(CASE["input"]["cut_points"], float)
    assert discrete_medians(AGES, cuts, median).tolist() == expected


def test_no_cut_of_the_example_pays() -> None:
    assert CASE["expected"]["mdl_accepts_best_cut"] is False
    assert class_cuts(AGES, RESULTS).size == 0
    # Ten times the same records are worth the words of a cut, and the best one is as expected.
    often = class_cuts(np.repeat(AGES, 10), np.repeat(RESULTS, 10))
    assert CASE["expected"]["best_cut_by_gain"] in often


NUMBERS = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 2)), min_size=1, max_size=60)


@given(NUMBERS, st.integers(1, 6))
def test_cuts_are_those_of_the_definition(pairs: list[tuple[int, int]], times: int) -> None:
    many = pairs * times
    numbers, classes = np.array(many, float).T
    found = class_cuts(numbers, classes.astype(np.int32)).tolist()
    assert found == [float(cut) for cut in witness.cuts(many)]


@given(
    st.lists(st.integers(-5, 9), min_size=1, max_size=30),
    st.sets(st.integers(-11, 19), max_size=5),
    st.sampled_from(Median),
)
def test_medians_are_those_of_the_definition(
    numbers: list[int], halves: set[int], median: Median
) -> None:
    cuts = sorted(Fraction(half, 2) for half in halves)
    found = discrete_medians(np.array(numbers, float), np.array([float(c) for c in cuts]), median)
    assert found.tolist() == witness.medians(numbers, cuts, median.value)


def test_nothing_has_no_median_and_many_classes_are_no_matter() -> None:
    assert discrete_medians(np.zeros(0), np.zeros(0)).size == 0
    assert class_cuts(np.zeros(0), np.zeros(0, np.int32)).size == 0
    many = list(range(40))
    expected = [float(cut) for cut in witness.cuts([(x, x) for x in many])]
    assert class_cuts(np.array(many, float), np.array(many, np.int32)).tolist() == expected


def test_refuses_other_medians() -> None:
    with pytest.raises(ParameterError, match="no median 'mean'"):
        Median("mean")
