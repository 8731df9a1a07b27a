"""The best stretches of numbers, against every grouping there is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.methods.perturb.mdav_by_definition import groupings, squares
from unlinkable.kernels.clustering.optimal_line import cut_line


@given(st.lists(st.integers(-20, 20), min_size=2, max_size=8), st.integers(2, 3))
def test_no_grouping_at_all_has_a_smaller_sum_of_squares(numbers: list[int], k: int) -> None:
    values = sorted(numbers)
    if len(values) < k:
        return
    labels, cost = cut_line(np.array(values, float), k)
    assert (np.diff(labels) >= 0).all()
    assert np.bincount(labels).min() >= k
    own = sum(
        squares([(float(values[i]),) for i in np.flatnonzero(labels == g)]) for g in set(labels)
    )
    least = min(
        sum(squares([(float(values[i]),) for i in group]) for group in groups)
        for groups in groupings(list(range(len(values))), k)
    )
    assert cost == pytest.approx(least, abs=1e-9)
    assert own == pytest.approx(least, abs=1e-9)


def test_squares_keep_their_digits_far_from_zero() -> None:
    near = np.array([0.0, 1.0, 2.0, 10.0, 11.0, 12.0])
    labels, cost = cut_line(near + 1e9, 3)
    assert labels.tolist() == [0, 0, 0, 1, 1, 1]
    assert cost == pytest.approx(4.0)


def test_of_equal_ways_the_shorter_last_stretch_is_taken() -> None:
    labels, cost = cut_line(np.zeros(5), 2)
    assert labels.tolist() == [0, 0, 0, 1, 1]
    assert cost == 0.0
