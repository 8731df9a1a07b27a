"""Records that show ranges: nearest, and met."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.clustering import near_ranges
from unlinkable.typing import FloatArray

PLACES = st.integers(0, 8).map(lambda i: i / 4)
RANGE = st.tuples(PLACES, PLACES).map(sorted)
RECORD = st.tuples(RANGE, RANGE)


def sides(records: list[tuple[list[float], list[float]]]) -> tuple[FloatArray, FloatArray]:
    both = np.array(records, float).reshape(-1, 2, 2)
    return np.ascontiguousarray(both[:, :, 0]), np.ascontiguousarray(both[:, :, 1])


def gap_by_definition(one: list[float], other: list[float]) -> float:
    return min(1.0, max(0.0, one[0] - other[1], other[0] - one[1]))


@given(st.lists(RECORD, min_size=1, max_size=60), st.lists(RECORD, max_size=6))
def test_all_answers_are_those_of_looking_at_every_record(
    records: list[tuple[list[float], list[float]]], asked: list[tuple[list[float], list[float]]]
) -> None:
    tree = near_ranges.build(*sides(records))
    apart = [
        [sum(map(gap_by_definition, person, record)) for record in records] for person in asked
    ]
    amounts = np.arange(1.0, len(records) + 1)
    assert near_ranges.distances(tree, *sides(asked)).tolist() == [min(row) for row in apart]
    assert near_ranges.met_by(tree, *sides(asked)).tolist() == [
        sum(row[i] == 0 for row in apart) for i in range(len(records))
    ]
    assert near_ranges.sum_met(tree, *sides(asked), amounts).tolist() == [
        sum(a for a, gap in zip(amounts, row, strict=True) if gap == 0) for row in apart
    ]


@pytest.mark.parametrize("n", [1, 16, 17, 1000])
def test_a_record_is_nearest_to_itself(n: int) -> None:
    rng = np.random.default_rng(n)
    points = rng.random((n, 3))
    tree = near_ranges.build(points, points)
    assert not near_ranges.distances(tree, points, points).any()
    assert (near_ranges.met_by(tree, points, points) == 1).all()


def test_a_range_that_ends_before_it_begins_meets_nobody() -> None:
    tree = near_ranges.build(np.array([[0.5]]), np.array([[0.25]]))
    everywhere = np.linspace(0, 1, 9)[:, None]
    assert not near_ranges.met_by(tree, everywhere, everywhere).any()
