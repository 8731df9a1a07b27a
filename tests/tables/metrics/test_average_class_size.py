"""Average class size: the definition, and what it does not see."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.metrics.releases import shown_sizes
from tests.witness import metrics
from tests.witness.metrics import Cell, Published
from unlinkable.errors import ParameterError
from unlinkable.tables.metrics import AverageClassSize
from unlinkable.typing import CountArray


@given(st.lists(st.integers(1, 9), min_size=1, max_size=8), st.integers(0, 9), st.integers(1, 5))
def test_says_what_the_definition_says(sizes: list[int], n_suppressed: int, k: int) -> None:
    published: list[Published] = [{"a": Cell(g, 1)} for g, n in enumerate(sizes) for _ in range(n)]
    expected = metrics.average_class_size([*published, *[None] * n_suppressed], ["a"], k)
    loss = AverageClassSize(k=k).value(shown_sizes(sizes, n_suppressed))
    assert loss == pytest.approx(float(expected))


def test_a_release_of_nothing_is_as_bad_as_one_group() -> None:
    loss = AverageClassSize(k=3).value
    assert loss(shown_sizes([], 12)) == loss(shown_sizes([12], 0)) == 4
    assert loss(shown_sizes([], 0)) == 0


def test_the_average_falls_when_a_large_group_goes() -> None:
    assert AverageClassSize().of_sizes(_counts([2, 8]), 0) == 5
    assert AverageClassSize().of_sizes(_counts([2]), 8) == 2


def test_the_floor_of_the_average_knows_how_much_may_go() -> None:
    sizes = _counts([1, 1, 8])
    assert AverageClassSize().floor(sizes, 0) == 10 / 3
    assert AverageClassSize().floor(sizes, 1) == 3
    assert AverageClassSize().floor(sizes, 8) == 1
    assert AverageClassSize().floor(_counts([]), 0, 7) == 7


def test_refuses_a_k_that_means_nothing() -> None:
    with pytest.raises(ParameterError, match="k must be at least 1, got 0"):
        AverageClassSize(k=0)


def _counts(sizes: list[int]) -> CountArray:
    return np.array(sizes, np.int64)
