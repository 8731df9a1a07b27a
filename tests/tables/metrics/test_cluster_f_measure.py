"""F-measure of clusters: the book's example, the definition word by word, and the claims."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from tests.tables.metrics.clustered import by_contingency, labels_of
from unlinkable.tables.metrics import MatchPoint
from unlinkable.tables.metrics.cluster_f_measure import ClusterFMeasure, f_measure
from unlinkable.tables.metrics.match_point import match_point
from unlinkable.tables.metrics.shared.clusters import Contingency

LABELS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=15)


def by_definition(natural: list[int], query: list[int]) -> float:
    """Equations 7.3 to 7.6 as they are printed, with no regard for speed."""
    total = 0.0
    for c in set(natural):
        mine = {i for i, x in enumerate(natural) if x == c}
        best = 0.0
        for k in set(query):
            theirs = {i for i, x in enumerate(query) if x == k}
            recall, precision = len(mine & theirs) / len(mine), len(mine & theirs) / len(theirs)
            if mine & theirs:
                best = max(best, 2 * recall * precision / (recall + precision))
        total += len(mine) / len(natural) * best
    return total


def test_example_7_4() -> None:
    case = cases.load("book-ch07-ex7.4-f-measure")
    counts, expected = case["input"]["contingency"]["n"], case["expected"]
    natural, query = by_contingency(counts)
    assert f_measure(natural, query) == pytest.approx(expected["overall_F"], abs=5e-6)
    tolerance = expected["printed_tolerance"]
    assert f_measure(natural, query) == pytest.approx(
        expected["printed"]["overall_F"], abs=tolerance
    )
    assert match_point(natural, query) == pytest.approx(expected["derived_match_point"], abs=1e-6)
    both = Contingency.of(natural, query)
    mine, theirs = both.natural_sizes[both.natural], both.query_sizes[both.query]
    at = (both.natural, both.query)
    for name, found in {
        "Recall": both.common / mine,
        "Precision": both.common / theirs,
        "F": 2 * both.common / (mine + theirs),
    }.items():
        assert found == pytest.approx(np.array(expected[name])[at], abs=1e-6)


def test_example_7_5() -> None:
    case = cases.load("book-ch07-ex7.5-match-point")
    before, after = (labels_of(case["input"][f"clusters_{when}"]) for when in ("before", "after"))
    assert f_measure(before, after) == case["expected"]["derived_overall_F"]


@given(LABELS)
def test_says_what_the_definition_says(pairs: list[tuple[int, int]]) -> None:
    natural, query = [a for a, _ in pairs], [b for _, b in pairs]
    assert f_measure(natural, query) == pytest.approx(by_definition(natural, query))


@given(LABELS)
def test_is_1_just_if_both_structures_are_the_same(pairs: list[tuple[int, int]]) -> None:
    natural, query = [a for a, _ in pairs], [b for _, b in pairs]
    is_same = len(set(pairs)) == len(set(natural)) == len(set(query))
    assert (f_measure(natural, query) == 1) == is_same
    assert f_measure(natural, [3 - x for x in natural]) == 1
    assert 2 / (len(pairs) + 1) <= f_measure(natural, query) <= 1


def test_is_not_symmetric() -> None:
    whole, cut = [0, 0, 0, 0], [0, 0, 0, 1]
    assert f_measure(whole, cut) == pytest.approx(6 / 7)
    assert f_measure(cut, whole) == pytest.approx(3 / 4 * 6 / 7 + 1 / 4 * 2 / 5)


@pytest.mark.parametrize("k", [1, 2, 5])
def test_all_in_one_query_cluster_gives_2_out_of_k_plus_1(k: int) -> None:
    natural = np.repeat(np.arange(k), 6)
    assert f_measure(natural, np.zeros(6 * k, int)) == pytest.approx(2 / (k + 1))


def test_records_left_out_count_in_no_cluster() -> None:
    assert f_measure([0, 0, 1, 1, 1], [0, 0, 1, -1, 0]) == f_measure([0, 0, 1, 1], [0, 0, 1, 0])


def test_has_the_bounds_that_it_declares() -> None:
    assert ClusterFMeasure.bounds == MatchPoint.bounds == (0.0, 1.0)
    assert ClusterFMeasure.higher_is_better
    assert MatchPoint.higher_is_better
