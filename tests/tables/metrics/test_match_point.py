"""Match point: the book's example, matrices of all pairs, and the claims."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from tests.tables.metrics.clustered import labels_of
from unlinkable.tables.metrics.match_point import match_point, rand_index

LABELS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=15)


def matrix(labels: list[int]) -> list[list[int]]:
    """Tell for every pair of records whether they are in one cluster."""
    return [[int(a == b) for b in labels] for a in labels]


def matches(natural: list[int], query: list[int]) -> list[list[int]]:
    before, after = matrix(natural), matrix(query)
    n = len(natural)
    return [[int(before[i][j] == after[i][j]) for j in range(n)] for i in range(n)]


def by_definition(natural: list[int], query: list[int]) -> float:
    """Equation 7.7 as it is printed, with all N x N cells."""
    return sum(map(sum, matches(natural, query))) / len(natural) ** 2


def test_example_7_5() -> None:
    case = cases.load("book-ch07-ex7.5-match-point")
    before, after = (labels_of(case["input"][f"clusters_{when}"]) for when in ("before", "after"))
    expected = case["expected"]
    assert matrix(before) == expected["matrix_before"]
    assert matrix(after) == expected["matrix_after"]
    assert matches(before, after) == expected["match_matrix"]
    assert match_point(before, after) == expected["match_point"] == expected["matches"] / 25
    assert rand_index(before, after) == (expected["matches"] - 5) / 20


@given(LABELS)
def test_says_what_the_definition_says(pairs: list[tuple[int, int]]) -> None:
    natural, query = [a for a, _ in pairs], [b for _, b in pairs]
    assert match_point(natural, query) == by_definition(natural, query)
    n = len(pairs)
    agree = sum(map(sum, matches(natural, query))) - n
    assert rand_index(natural, query) == (agree / (n * n - n) if n > 1 else 1)


@given(LABELS)
def test_is_symmetric_and_1_just_if_both_are_the_same(pairs: list[tuple[int, int]]) -> None:
    natural, query = [a for a, _ in pairs], [b for _, b in pairs]
    assert match_point(natural, query) == match_point(query, natural)
    is_same = len(set(pairs)) == len(set(natural)) == len(set(query))
    assert (match_point(natural, query) == 1) == is_same
    assert match_point(natural, query) >= 1 / len(pairs)


def test_single_records_against_all_in_one_reach_the_least() -> None:
    assert match_point([0, 0, 0, 0], [0, 1, 2, 3]) == 1 / 4
    assert rand_index([0, 0, 0, 0], [0, 1, 2, 3]) == 0


def test_unrelated_structures_of_many_clusters_agree_on_most_pairs() -> None:
    k = 10
    natural, query = (x.ravel() for x in np.indices((k, k)))
    expected = 1 - 2 / k + 2 / k**2
    assert match_point(natural, query) == pytest.approx(expected)


def test_counts_a_hundred_million_pairs_exactly() -> None:
    n = 100_003
    natural, query = np.arange(n) % 2, np.arange(n) % 3
    counts = [[int(((natural == i) & (query == j)).sum()) for j in range(3)] for i in range(2)]
    exact = n**2 + 2 * sum(x**2 for row in counts for x in row)
    exact -= sum(sum(row) ** 2 for row in counts)
    exact -= sum(sum(column) ** 2 for column in zip(*counts, strict=True))
    assert match_point(natural, query) == exact / n**2


def test_records_left_out_count_in_no_pair() -> None:
    assert match_point([0, 0, 1, -1], [0, 1, 1, 1]) == match_point([0, 0, 1], [0, 1, 1])
