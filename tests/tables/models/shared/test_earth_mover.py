"""The earth mover's distance, on three kinds of numbers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.groups.plain import histogram_of
from unlinkable.tables.groups import Histogram
from unlinkable.tables.models.shared.distribution_distance import Reference
from unlinkable.tables.models.shared.earth_mover import (
    EarthMover,
    EqualGround,
    HierarchicalGround,
    OrderedGround,
)
from unlinkable.tables.taxonomies import Taxonomy, observe
from unlinkable.tables.taxonomies.builders import Flat
from unlinkable.typing import BoolArray, CountArray, FloatArray

Grounded = type[EarthMover]
GROUNDS: list[Grounded] = [EqualGround, OrderedGround, HierarchicalGround]
ANY_GROUND = st.sampled_from(GROUNDS)
LARGE = 10**10
"""Counts of this size make amounts of work that do not fit into 64 bits."""


def made(ground: Grounded, hidden: Histogram, whole: CountArray) -> EarthMover:
    taxonomy = hidden.taxonomy
    assert taxonomy is not None
    if ground is OrderedGround:
        return OrderedGround(whole > 0, taxonomy.domain.missing)
    return HierarchicalGround(taxonomy) if ground is HierarchicalGround else EqualGround()


def distances(hidden: Histogram, whole: CountArray, ground: Grounded) -> FloatArray:
    sizes = hidden.reduce(np.add, hidden.counts)
    others = Reference.whole(whole, hidden.n_groups)
    return made(ground, hidden, whole).distances(hidden, sizes, others)


def are_within(
    hidden: Histogram, whole: CountArray, ground: Grounded, bound: Fraction
) -> BoolArray:
    sizes = hidden.reduce(np.add, hidden.counts)
    others = Reference.whole(whole, hidden.n_groups)
    return made(ground, hidden, whole).are_within(hidden, sizes, others, bound)


def with_missing(n_present: int) -> Taxonomy:
    return Flat().build(observe("s", [*(f"v{i}" for i in range(n_present)), None]))


@st.composite
def histograms(draw: st.DrawFn, *, missing: bool) -> Histogram:
    n = draw(st.integers(1, 5))
    row = st.lists(st.integers(0, 4), min_size=n + missing, max_size=n + missing).filter(any)
    rows = draw(st.lists(row, min_size=1, max_size=4))
    return histogram_of(rows, with_missing(n) if missing else None)


def exactly(hidden: Histogram, ground: Grounded) -> list[Fraction]:
    """Find each distance as the fraction of the smallest denominator that floats allow."""
    n = int(hidden.total.sum()) ** 2 * max(hidden.n_values - 1, 1)
    return [Fraction(x).limit_denominator(n) for x in distances(hidden, hidden.total, ground)]


@given(st.booleans().flatmap(lambda missing: histograms(missing=missing)), ANY_GROUND)
def test_large_counts_are_as_far_apart_as_small_ones(hidden: Histogram, ground: Grounded) -> None:
    large = evolve(hidden, counts=hidden.counts * LARGE)
    small_distances = distances(hidden, hidden.total, ground)
    assert np.allclose(distances(large, large.total, ground), small_distances, atol=1e-12)
    for t in exactly(hidden, ground):
        expected = are_within(hidden, hidden.total, ground, t)
        assert are_within(large, large.total, ground, t).tolist() == expected.tolist()


@given(st.booleans().flatmap(lambda missing: histograms(missing=missing)), ANY_GROUND)
def test_a_distance_is_within_itself_and_no_less(hidden: Histogram, ground: Grounded) -> None:
    for scale in (1, LARGE):
        groups = evolve(hidden, counts=hidden.counts * scale)
        for g, t in enumerate(exactly(hidden, ground)):
            assert are_within(groups, groups.total, ground, t)[g]
            if t > 0:
                less = t - Fraction(1, 10**30)
                assert not are_within(groups, groups.total, ground, less)[g]


def test_one_record_in_ten_thousand_million_makes_a_difference() -> None:
    hidden = histogram_of([[LARGE, LARGE], [LARGE + 1, LARGE - 1]])
    for ground in GROUNDS:
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
    for ground in GROUNDS:
        nobody_known = np.array([0, 0, 0, 5])
        assert distances(hidden, nobody_known, ground).tolist() == [0.0, 1.0, 1.0]
    one_of_each = np.array([1, 1, 1, 1])
    ordered = distances(hidden, one_of_each, OrderedGround)
    assert ordered.tolist() == [3 / 4, (1 / 2 + 1 + 1) / 4, (1 / 2 + 1 / 2 + 1) / 4]


def test_no_groups_have_no_distances() -> None:
    hidden = histogram_of([[1, 1]]).select(np.array([False]))
    for ground in GROUNDS:
        assert distances(hidden, np.array([0, 0]), ground).size == 0
        assert are_within(hidden, np.array([0, 0]), ground, Fraction(0)).size == 0


@given(
    st.booleans().flatmap(lambda missing: histograms(missing=missing)),
    ANY_GROUND,
    st.fractions(0, 1, max_denominator=12),
)
def test_groups_may_be_compared_with_a_set_each(
    hidden: Histogram, ground: Grounded, bound: Fraction
) -> None:
    rows = np.zeros((hidden.n_groups, hidden.n_values), np.int64)
    rows[hidden.row, hidden.values] = hidden.counts
    sizes, distance = rows.sum(axis=1), made(ground, hidden, hidden.total)
    for scale in (1, LARGE):
        groups, n = evolve(hidden, counts=hidden.counts * scale), sizes * scale
        # Each group is compared with those from it on, taken together.
        sets = np.cumsum(rows[::-1], axis=0) * scale
        others = Reference(sets, np.arange(len(rows))[::-1].astype(np.int32))
        far, near = distance.distances(groups, n, others), []
        for g in range(len(rows)):
            one = np.arange(len(rows)) == g
            whole = Reference.whole(sets[len(rows) - 1 - g], 1)
            near += distance.are_within(groups.select(one), n[one], whole, bound).tolist()
            (alone,) = distance.distances(groups.select(one), n[one], whole)
            assert np.isclose(far[g], alone, atol=1e-12)
        assert distance.are_within(groups, n, others, bound).tolist() == near


def test_large_groups_are_measured_as_small_ones_are() -> None:
    # Where a table overtakes a group of 1024 records is looked up, of 1025 searched.
    whole = np.array([1025, 2050, 1025, 2050, 1024, 512])
    for n in (1023, 1024, 1025):
        hidden = histogram_of([[n - 7, 0, 3, 0, 4, 0], [0, 0, 2 * n - 14, 6, 8, 0]])
        first, _ = distances(hidden, whole, OrderedGround)
        excess = np.array([n - 7, 0, 3, 0, 4, 0]) / n - whole / whole.sum()
        assert np.isclose(first, np.abs(np.cumsum(excess)).sum() / 5)
