"""Notation: the small grammar of published values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.data.taxonomies import texts
from unlinkable.tables.taxonomies import Domain, Kind, observe
from unlinkable.tables.taxonomies.notation import (
    first_at,
    read_bounds,
    read_plain,
    read_set,
    write_interval,
    write_set,
)

numbers = st.decimals(-1000, 1000, places=3).map(lambda d: format(d.normalize(), "f"))
days = st.dates().map(str)
times = st.datetimes().map(lambda t: t.isoformat(timespec="microseconds"))


@given(st.lists(texts() | st.text(), min_size=1))
def test_sets_read_back(members: list[str]) -> None:
    assert read_set(write_set(members)) == members


@pytest.mark.parametrize(
    "text",
    ["", "a", "{a", "a}", "{}", "{ }", "{a,}", "{,a}", '{"a}', '{"a" b}', "{a{b}", '{"\\x"}'],
)
def test_what_is_no_set_is_not_read_as_one(text: str) -> None:
    assert read_set(text) is None


@given(numbers | st.none(), numbers)
def test_intervals_of_numbers_read_back(lower: str | None, upper: str) -> None:
    assert read_bounds(Kind.NUMBER, write_interval(lower, upper)) == (lower, upper)
    assert read_bounds(Kind.NUMBER, write_interval(upper, None)) == (upper, None)


@given(days | times, days | times)
def test_intervals_of_dates_read_back(lower: str, upper: str) -> None:
    assert read_bounds(Kind.DATE, write_interval(lower, upper)) == (lower, upper)


@pytest.mark.parametrize("text", ["[1-2]", "[1,2)", "(1-2)", "[a-b)", "< 3", "<=3", ">3", "[1-2) "])
def test_what_is_no_interval_is_not_read_as_one(text: str) -> None:
    assert read_bounds(Kind.NUMBER, text) is None


def test_categories_have_no_intervals() -> None:
    assert read_bounds(Kind.CATEGORY, "[1-2)") is None


@given(
    st.lists(st.integers(-20, 20), unique=True, min_size=1),
    st.integers(-90, 90).map(lambda n: n / 4) | st.integers(-(2**70), 2**70),
)
def test_finds_the_first_value_that_is_not_below(values: list[int], bound: float) -> None:
    ordered = sorted(values)
    expected = sum(v < bound for v in ordered)
    for dtype in (np.int64, np.float64):
        domain = Domain(Kind.NUMBER, np.array(ordered, dtype))
        assert first_at(domain, bound) == expected


def test_finds_the_first_day_that_is_not_before_a_time() -> None:
    values = np.array(["2024-01-05", "2024-01-06"], "datetime64[D]")
    domain = Domain(Kind.DATE, values)
    assert first_at(domain, np.datetime64("2024-01-05T12:00", "us")) == 1
    assert first_at(domain, np.datetime64("2024-01-05T00:00", "us")) == 0


def test_nothing_is_found_where_there_is_nothing() -> None:
    assert first_at(Domain(Kind.NUMBER, np.array([], np.int64)), 3) == 0


def test_a_set_must_be_neighbours() -> None:
    domain = observe("x", ["a", "b", "c"]).domain
    assert read_plain(domain, "{b, c}") == (1, 3)
    assert read_plain(domain, "{c, b}") == (1, 3)
    assert read_plain(domain, "{a, c}") is None
    assert read_plain(domain, "{a, a, b}") is None
    assert read_plain(domain, "{a, d}") is None


def test_an_interval_must_hold_something() -> None:
    domain = observe("x", [1, 5]).domain
    assert read_plain(domain, "[2-5)") is None
    assert read_plain(domain, "[2-6)") == (1, 2)
    assert read_plain(domain, "[0-99999999999999999999)") == (0, 2)
