"""Numbers and dates as whole steps: what was written, and nothing else."""

from __future__ import annotations

from datetime import date, datetime
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.errors import DataError
from unlinkable.tables.taxonomies import observe
from unlinkable.tables.taxonomies.scale import Scale, scale_of

FINITE = st.floats(allow_nan=False, allow_infinity=False)


def scale(*values: object) -> Scale:
    return scale_of("s", observe("s", list(values)).domain)


@given(
    st.one_of(
        st.lists(FINITE, min_size=1, max_size=5),
        st.lists(st.integers(-(10**16), 10**16).map(lambda n: n / 10**4), min_size=1, max_size=5),
        st.lists(st.integers(-999, 999).map(lambda n: n / 10**2), min_size=1, max_size=5),
    )
)
def test_floats_are_the_decimals_that_were_written(values: list[float]) -> None:
    found = scale(*values)
    meant = sorted({Fraction(repr(value)) for value in values})
    assert [Fraction(int(step), found.parts) for step in found.steps] == meant


@given(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=5))
def test_whole_numbers_are_themselves(values: list[int]) -> None:
    found = scale(*values)
    assert found.parts == 1
    assert found.steps.tolist() == sorted(set(values))
    assert found.is_wide is any(abs(value) >= 2**62 for value in values)


def test_numbers_of_few_digits_take_64_bits() -> None:
    assert scale(0.1, 12.25).steps.dtype == np.int64
    assert scale(1e-300, 1e300).is_wide
    assert scale(2**63 + 5, 1).steps.tolist() == [1, 2**63 + 5]


def test_days_are_steps_and_times_are_parts_of_days() -> None:
    days = scale(date(2024, 2, 28), date(2024, 3, 1))
    assert np.diff(days.steps).tolist() == [2]
    assert days.floats(np.diff(days.steps)).tolist() == [2.0]
    times = scale(datetime(2024, 2, 28, 6), datetime(2024, 3, 1, 12))
    assert times.floats(np.diff(times.steps)).tolist() == [2.25]


def test_differences_come_back_in_units_as_they_would_be_written() -> None:
    found = scale(0.1, 0.3)
    assert found.floats(np.diff(found.steps)).tolist() == [0.2]
    assert found.floats(np.diff(found.steps) ** 2, power=2).tolist() == [0.04]


def test_what_is_too_large_for_a_float_is_infinite() -> None:
    found = scale(-1.7e308, 1.7e308)
    assert found.floats(np.diff(found.steps)).tolist() == [np.inf]
    assert found.floats(-np.diff(found.steps)).tolist() == [-np.inf]


def test_a_column_of_missing_values_has_no_steps() -> None:
    assert scale(None, None).steps.size == 0


def test_infinite_numbers_are_refused() -> None:
    with pytest.raises(DataError, match="column 's' holds infinite numbers, which have no dist"):
        scale(1.5, float("inf"))
