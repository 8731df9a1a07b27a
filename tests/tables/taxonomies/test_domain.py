"""Domains: values, their numbers, and how they are written."""

from __future__ import annotations

from datetime import date, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.data.taxonomies import columns
from unlinkable.tables.taxonomies import Domain, Kind, observe
from unlinkable.tables.taxonomies.builders import Observed
from unlinkable.tables.taxonomies.notation import first_at, read_bound, read_value


def of(*values: object) -> Domain:
    return observe("x", values).domain


def test_the_missing_value_has_the_last_code() -> None:
    domain = of("b", None, "a")
    assert (domain.n, domain.n_present, domain.missing) == (3, 2, 2)
    assert [domain.text(code) for code in range(3)] == ["a", "b", ""]
    assert [domain.scalar(code) for code in range(3)] == ["a", "b", None]


def test_without_missing_values_there_is_no_code_for_them() -> None:
    domain = of("a")
    assert (domain.n, domain.missing) == (1, -1)
    assert domain.with_missing().missing == 1
    assert domain.with_missing().with_missing().n == 2


def test_values_come_out_as_plain_python_objects() -> None:
    assert of(3).scalar(0) == 3
    assert type(of(3).scalar(0)) is int
    assert of(date(2024, 1, 5)).scalar(0) == date(2024, 1, 5)
    assert of(datetime(2024, 1, 5, 6, 7)).scalar(0) == datetime(2024, 1, 5, 6, 7)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (30, "30"),
        (-0.0, "0"),
        (30.0, "30"),
        (0.1, "0.1"),
        (1e-7, "0.0000001"),
        (1e21, "1000000000000000000000"),
        (date(2024, 1, 5), "2024-01-05"),
        (datetime(2024, 1, 5), "2024-01-05T00:00:00"),
        (datetime(2024, 1, 5, 6, 7, 8, 9), "2024-01-05T06:07:08.000009"),
    ],
)
def test_values_are_written_without_ado(value: object, text: str) -> None:
    assert of(value).text(0) == text


@pytest.mark.parametrize(
    ("values", "unit"),
    [
        ([1, 5], 1),
        ([1.0, 5.0], 1.0),
        ([1.5, 2.25], 0.01),
        ([date(2024, 1, 5)], np.timedelta64(1, "D")),
        ([datetime(2024, 1, 5)], np.timedelta64(1, "D")),
        ([datetime(2024, 1, 5, 7)], np.timedelta64(1, "h")),
        ([datetime(2024, 1, 5, 7, 1)], np.timedelta64(1, "m")),
        ([datetime(2024, 1, 5, 7, 1, 1)], np.timedelta64(1, "s")),
        ([datetime(2024, 1, 5, 7, 1, 1, 5000)], np.timedelta64(1, "ms")),
        ([datetime(2024, 1, 5, 7, 1, 1, 5)], np.timedelta64(1, "us")),
    ],
)
def test_the_unit_is_the_step_that_values_are_written_in(
    values: list[object], unit: object
) -> None:
    assert of(*values).unit == unit


@given(columns().filter(lambda o: o.domain.kind is not Kind.CATEGORY))
def test_a_step_after_a_value_lies_before_the_next(observed: Observed) -> None:
    domain = observed.domain
    for code in range(domain.n_present):
        after = read_bound(domain, domain.text_after(code))
        assert after > domain.values[code]
        assert first_at(domain, after) == code + 1


@given(columns())
def test_every_value_is_found_where_it_is(observed: Observed) -> None:
    domain = observed.domain
    assert domain.locate(domain.values).tolist() == list(range(domain.n_present))
    assert domain.find(domain).tolist() == list(range(domain.n))


@given(columns().filter(lambda o: o.domain.kind is not Kind.CATEGORY))
def test_a_written_value_reads_back(observed: Observed) -> None:
    domain = observed.domain
    for code in range(domain.n_present):
        assert read_value(domain, domain.text(code)) == domain.values[code]


@given(st.lists(st.integers(-9, 9)), st.lists(st.integers(-9, 9), min_size=1))
def test_values_that_are_not_there_are_not_found(some: list[int], others: list[int]) -> None:
    domain = Domain(Kind.NUMBER, np.unique(np.array(some, np.int64)))
    expected = [domain.values.tolist().index(v) if v in some else -1 for v in others]
    assert domain.locate(np.array(others)).tolist() == expected


def test_numbers_are_found_among_categories_by_their_text() -> None:
    domain = Domain(Kind.CATEGORY, np.array(["2", "1.5"], dtype=object))
    assert domain.find(of(1.5, 2.0, 7.0, None)).tolist() == [1, 0, -1, -1]
    assert domain.with_missing().find(of(1.5, None)).tolist() == [1, 2]


def test_categories_are_found_by_name() -> None:
    domain = of("a", "b")
    assert (domain.code_of("b"), domain.code_of("c")) == (1, -1)


@given(columns())
def test_numbers_and_dates_have_a_number_each(observed: Observed) -> None:
    domain = observed.domain
    if domain.kind is Kind.CATEGORY:
        return
    start = np.datetime64("1970-01-01T00:00:00", "us")
    expected = [
        float(value)
        if domain.kind is Kind.NUMBER
        else (value.astype("datetime64[us]") - start) / np.timedelta64(1, "D")
        for value in domain.values
    ]
    assert domain.as_numbers().tolist() == pytest.approx(expected, rel=1e-15)
    assert domain.as_numbers().dtype == float
