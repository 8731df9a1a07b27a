"""The earth mover's distance, on three kinds of numbers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from tests.groups.plain import histogram_of
from unlinkable.errors import SchemaError
from unlinkable.groups import Histogram
from unlinkable.privacy import GroundDistance, ground_distance
from unlinkable.table import Flat, Taxonomy, observe
from unlinkable.typing import BoolArray, CountArray, FloatArray

GROUNDS = st.sampled_from(list(GroundDistance))
LARGE = 10**10
"""Counts of this size make amounts of work that do not fit into 64 bits."""


def distances(hidden: Histogram, whole: CountArray, ground: GroundDistance) -> FloatArray:
    sizes = hidden.reduce(np.add, hidden.counts)
    return ground_distance.distances(hidden, sizes, whole, ground)


def are_within(
    hidden: Histogram, whole: CountArray, ground: GroundDistance, bound: Fraction
) -> BoolArray:
    sizes = hidden.reduce(np.add, hidden.counts)
    return ground_distance.are_within(hidden, sizes, whole, ground, bound)


def with_missing(n_present: int) -> Taxonomy:
    return Flat().build(observe("s", [*(f"v{i}" for i in range(n_present)), None]))


@st.composite
def histograms(draw: st.DrawFn, *, missing: bool) -> Histogram:
    n = draw(st.integers(1, 5))
    row = st.lists(st.integers(0, 4), min_size=n + missing, max_size=n + missing).filter(any)
    rows = draw(st.lists(row, min_size=1, max_size=4))
    return histogram_of(rows, with_missing(n) if missing else None)


def exactly(hidden: Histogram, ground: GroundDistance) -> list[Fraction]:
    """Find each distance as the fraction of the smallest denominator that floats allow."""
    n = int(hidden.total.sum()) ** 2 * max(hidden.n_values - 1, 1)
    return [Fraction(x).limit_denominator(n) for x in distances(hidden, hidden.total, ground)]


@given(st.booleans().flatmap(lambda missing: histograms(missing=missing)), GROUNDS)
def test_large_counts_are_as_far_apart_as_small_ones(
    hidden: Histogram, ground: GroundDistance
) -> None:
    large = evolve(hidden, counts=hidden.counts * LARGE)
    small_distances = distances(hidden, hidden.total, ground)
    assert np.allclose(distances(large, large.total, ground), small_distances, atol=1e-12)
    for t in exactly(hidden, ground):
        expected = are_within(hidden, hidden.total, ground, t)
        assert are_within(large, large.total, ground, t).tolist() == expected.tolist()


@given(st.booleans().flatmap(lambda missing: histograms(missing=missing)), GROUNDS)
def test_a_distance_is_within_itself_and_no_less(hidden: Histogram, ground: GroundDistance) -> None:
    for scale in (1, LARGE):
        groups = evolve(hidden, counts=hidden.counts * scale)
        for g, t in enumerate(exactly(hidden, ground)):
            assert are_within(groups, groups.total, ground, t)[g]
            if t > 0:
                less = t - Fraction(1, 10**30)
                assert not are_within(groups, groups.total, ground, less)[g]


def test_one_record_in_ten_thousand_million_makes_a_difference() -> None:
    hidden = histogram_of([[LARGE, LARGE], [LARGE + 1, LARGE - 1]])
    for ground in GroundDistance:
        assert are_within(hidden, np.array([1, 1]), ground, Fraction(0)).tolist() == [True, False]
        tenth = Fraction(1, 10**10)
        assert are_within(hidden, np.array([LARGE, LARGE]), ground, tenth / 2).tolist() == [
            True,
            True,
        ]
        assert are_within(hidden, np.array([LARGE, LARGE]), ground, tenth / 3).tolist() == [
            True,
            False,
        ]


def test_a_missing_value_is_1_from_every_other() -> None:
    hidden = histogram_of([[0, 0, 0, 2], [2, 0, 0, 0], [0, 2, 0, 0]], with_missing(3))
    for ground in GroundDistance:
        nobody_known = np.array([0, 0, 0, 5])
        assert distances(hidden, nobody_known, ground).tolist() == [0.0, 1.0, 1.0]
    one_of_each = np.array([1, 1, 1, 1])
    ordered = distances(hidden, one_of_each, GroundDistance.ORDERED)
    assert ordered.tolist() == [3 / 4, (1 / 2 + 1 + 1) / 4, (1 / 2 + 1 / 2 + 1) / 4]


def test_no_groups_have_no_distances() -> None:
    hidden = histogram_of([[1, 1]]).select(np.array([False]))
    for ground in GroundDistance:
        assert distances(hidden, np.array([0, 0]), ground).size == 0
        assert are_within(hidden, np.array([0, 0]), ground, Fraction(0)).size == 0


@pytest.mark.parametrize("ground", [GroundDistance.ORDERED, GroundDistance.HIERARCHICAL])
def test_refuses_columns_without_an_order(ground: GroundDistance) -> None:
    hidden = evolve(histogram_of([[1, 1]]), taxonomy=None)
    assert are_within(hidden, hidden.total, GroundDistance.EQUAL, Fraction(0)).all()
    with pytest.raises(SchemaError, match="neither an order nor a taxonomy"):
        distances(hidden, hidden.total, ground)
