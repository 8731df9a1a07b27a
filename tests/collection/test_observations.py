"""Observations: ranges that explain every value, and chances that add up."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.collection import NoiseLaw
from unlinkable.collection.observations import Observations
from unlinkable.errors import DataError

LAW = NoiseLaw(2, "uniform")


@given(
    st.lists(st.floats(-30, 30), min_size=1, max_size=20),
    st.sampled_from(["uniform", "gaussian", "laplace"]),
    st.floats(0.5, 5),
    st.sampled_from([(None, None), (0.0, 10.0), (None, 5.0), (-3.0, None)]),
    st.integers(3, 8),
)
def test_every_value_has_an_explanation(
    values: list[float],
    kind: str,
    scale: float,
    ends: tuple[float | None, float | None],
    bins: int,
) -> None:
    law = NoiseLaw(scale, kind)
    seen = Observations.of(np.array(values), law, bins, ends)
    for likelihood, counts in (seen.at_midpoints(), seen.in_cells()):
        assert likelihood.any(axis=1).all()
        assert counts.sum() == len(values)
    likelihood, counts = seen.in_all_cells()
    assert counts.sum() == len(values)
    assert likelihood.sum(axis=0) == pytest.approx(np.ones(likelihood.shape[1]), abs=1e-6)


def test_a_known_range_is_kept_where_it_explains_everything() -> None:
    seen = Observations.of(np.array([-1.5, 11.9]), LAW, 5, (0.0, 10.0))
    assert seen.edges.tolist() == [0, 2, 4, 6, 8, 10]
    assert seen.widened == (0, 0)
    assert seen.width == 2


def test_a_range_that_explains_too_little_is_widened_by_whole_intervals() -> None:
    seen = Observations.of(np.array([-4.5, 12.5]), LAW, 5, (0.0, 10.0))
    assert seen.edges.tolist() == [-4, -2, 0, 2, 4, 6, 8, 10, 12]
    assert seen.widened == (2, 1)


def test_without_a_range_that_of_the_values_is_taken() -> None:
    seen = Observations.of(np.array([1.0, 7.0]), LAW, 3, (None, None))
    assert seen.edges.tolist() == [1, 3, 5, 7]


def test_values_that_are_all_the_same_have_a_range_too() -> None:
    assert Observations.of(np.array([5.0]), LAW, 4, (None, None)).edges.tolist() == [1, 2, 3, 4, 5]
    assert Observations.of(np.array([5.0]), LAW, 4, (5.0, None)).edges.tolist() == [5, 6, 7, 8, 9]


def test_few_values_are_taken_as_they_are_and_many_are_counted_in_cells() -> None:
    few = np.linspace(0, 10, 1000)
    assert len(Observations.of(few, LAW, 5, (0.0, 10.0)).at_midpoints()[1]) == 1000
    many = np.linspace(0, 9.99, 5000)
    likelihood, counts = Observations.of(many, LAW, 5, (0.0, 10.0)).at_midpoints()
    assert len(counts) == len(likelihood) == 20
    assert counts.sum() == 5000


def test_refuses_values_that_no_such_noise_explains() -> None:
    with pytest.raises(DataError, match="noise of scale 2 does not explain them: check low, high"):
        Observations.of(np.array([1.0, 1e6]), LAW, 5, (0.0, 10.0))


def test_refuses_a_range_that_is_nothing_beside_the_noise() -> None:
    with pytest.raises(DataError, match="so narrow beside noise of scale 2 that nothing can be"):
        Observations.of(np.array([1.0]), LAW, 5, (0.0, 1e-9))


def test_what_rounding_has_moved_does_not_widen_the_range() -> None:
    seen = Observations.of(np.array([-2 - 1e-6, 5.0]), LAW, 5, (0.0, 10.0))
    assert seen.widened == (0, 0)
    assert seen.at_midpoints()[0].any(axis=1).all()
    assert Observations.of(np.array([-2.1, 5.0]), LAW, 5, (0.0, 10.0)).widened == (1, 0)
