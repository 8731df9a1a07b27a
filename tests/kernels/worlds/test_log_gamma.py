"""The logarithm of the gamma function."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.worlds.log_gamma import log_gamma


@given(st.lists(st.floats(1e-3, 1e9), min_size=4, max_size=4))
def test_is_that_of_each_number(values: list[float]) -> None:
    found = log_gamma(np.array(values).reshape(2, 2))
    assert found.shape == (2, 2)
    expected = [math.lgamma(value) for value in values]
    assert found.ravel().tolist() == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_of_nothing_it_is_nothing() -> None:
    assert log_gamma(np.array([], np.int64)).tolist() == []
    assert log_gamma(np.array([3, 4])).tolist() == pytest.approx([math.log(2), math.log(6)])
