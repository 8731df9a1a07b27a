"""Extent: ranges of numbers and dates by their length."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.errors import ParameterError
from unlinkable.tables.metrics import Extent
from unlinkable.tables.metrics.shared.extent import lengths
from unlinkable.tables.taxonomies import Domain, Kind


def by_definition(values: list[float], missing: bool, lo: int, hi: int) -> float:
    """The length of the range out of that of all values; all if missing values are among others."""
    if hi - lo == 1:
        return 0.0
    if missing and hi > len(values):
        return 1.0
    return (values[hi - 1] - values[lo]) / (values[-1] - values[0])


@given(st.sets(st.integers(-1000, 1000), max_size=6), st.booleans())
def test_says_what_the_definition_says(drawn: set[int], missing: bool) -> None:
    values = sorted(drawn)
    domain = Domain(Kind.NUMBER, np.array(values, np.int64), missing)
    lo, hi = (ends.astype(np.int32) for ends in np.triu_indices(domain.n))
    expected = [
        by_definition([float(v) for v in values], missing, a, b + 1)
        for a, b in zip(lo.tolist(), hi.tolist(), strict=True)
    ]
    assert lengths(domain, lo, hi + 1).tolist() == pytest.approx(expected)


def test_dates_are_measured_in_time() -> None:
    days = np.array(["2020-01-01", "2020-01-02", "2020-01-11"], "datetime64[D]")
    share = lengths(Domain(Kind.DATE, days), np.array([0, 1, 0]), np.array([2, 3, 3]))
    assert share.tolist() == pytest.approx([0.1, 0.9, 1])


def test_the_longest_domain_has_a_length() -> None:
    vast = Domain(Kind.NUMBER, np.array([-1.7e308, 0.0, 1.7e308]))
    hi = np.array([1, 2, 3])
    assert lengths(vast, np.zeros(3, int), hi).tolist() == [0, 0.5, 1]


def test_a_range_that_grows_is_no_shorter() -> None:
    numbers = Domain(Kind.NUMBER, np.array([0.1, 0.2, 0.30000000000000004, 7.0]))
    share = lengths(numbers, np.zeros(4, np.int32), np.arange(1, 5, dtype=np.int32)).tolist()
    assert all(a <= b for a, b in pairwise(share))


def test_refuses_another_extent() -> None:
    with pytest.raises(ParameterError, match="no extent 'size' among 2"):
        Extent("size")
