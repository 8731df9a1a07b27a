"""Bins: few, with ends that people like, and every number in its place."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.tables.charts.bins import MOST_BINS, Bins, bins_of, nice_step
from unlinkable.tables.taxonomies import Domain, Kind

FLOATS = st.floats(-1e12, 1e12) | st.floats(allow_nan=False, allow_infinity=False)
DATES = st.dates(date(1, 1, 1), date(9998, 12, 31))


def numbers(values: set[float] | set[int]) -> Domain:
    return Domain(Kind.NUMBER, np.array(sorted(values)))


def place(bins: Bins, number: float) -> int:
    """Where a number belongs, by looking at one edge after the other."""
    edges: list[float] = bins.edges.tolist()
    return len([edge for edge in edges if edge <= number]) - 1


@given(st.sets(FLOATS, min_size=1, max_size=20))
def test_every_number_has_a_bin(values: set[float]) -> None:
    bins = bins_of(numbers(values), whole=False)
    assert 1 <= len(bins.labels) == len(bins.edges) - 1 <= MOST_BINS
    assert (np.diff(bins.edges) > 0).all()
    at = bins.locate(np.array(sorted(values)))
    assert at.tolist() == [place(bins, value) for value in sorted(values)]
    assert at.min() == 0
    assert at.max() == len(bins.labels) - 1


@given(st.sets(st.integers(-(10**6), 10**6), min_size=1, max_size=20))
def test_labels_of_whole_numbers_say_what_is_in_them(values: set[int]) -> None:
    bins = bins_of(numbers(values), whole=True)
    for value in values:
        first, _, last = bins.labels[place(bins, value)].replace(",", "").partition(" to ")
        assert int(first) <= value <= int(last or first)


@given(st.sets(DATES, min_size=1, max_size=20), st.sampled_from(["D", "us"]))
def test_every_date_has_a_bin(values: set[date], unit: str) -> None:
    domain = Domain(Kind.DATE, np.array(sorted(values), f"datetime64[{unit}]"))
    bins = bins_of(domain, whole=False)
    assert 1 <= len(bins.labels) == len(bins.edges) - 1 <= MOST_BINS
    for value, at in zip(sorted(values), bins.locate(domain.as_numbers()).tolist(), strict=True):
        first, _, last = bins.labels[at].partition(" to ")
        assert first <= value.isoformat() or first.startswith(value.isoformat())
        assert value.isoformat()[: len(last or first)] <= (last or first)


@pytest.mark.parametrize(
    ("first", "days", "labels"),
    [
        (date(2024, 5, 15), 20, ["2024-05-15", "2024-05-16"]),
        (date(2024, 5, 15), 100, ["2024-05-13 to 2024-05-19", "2024-05-20 to 2024-05-26"]),
        (date(2024, 5, 15), 800, ["2024-05", "2024-06"]),
        (date(2024, 5, 15), 2000, ["2024-04 to 2024-06", "2024-07 to 2024-09"]),
        (date(1954, 5, 15), 10000, ["1954", "1955"]),
        (date(1954, 5, 15), 36500, ["1950 to 1954", "1955 to 1959"]),
    ],
    ids=["days", "weeks", "months", "quarters", "years", "five years"],
)
def test_dates_follow_the_calendar(first: date, days: int, labels: list[str]) -> None:
    ends = [first, first + timedelta(days=days)]
    bins = bins_of(Domain(Kind.DATE, np.array(ends, "datetime64[D]")), whole=False)
    assert list(bins.labels[:2]) == labels
    assert bins.below == f"before {labels[0].partition(' to ')[0]}"


def test_times_of_one_day_are_told_by_hours() -> None:
    times = np.array(["2024-05-15T08:30:00", "2024-05-15T10:00:00"], "datetime64[us]")
    bins = bins_of(Domain(Kind.DATE, times), whole=False)
    assert bins.labels == ("2024-05-15T08", "2024-05-15T09", "2024-05-15T10")


def test_decimal_fractions_begin_their_own_bins() -> None:
    bins = bins_of(numbers({0.0, 0.1, 0.2, 0.3, 2.9}), whole=False)
    assert bins.labels[3] == "0.3 to under 0.4"
    assert bins.locate(np.array([0.0, 0.1, 0.2, 0.3])).tolist() == [0, 1, 2, 3]


def test_a_single_number_has_a_bin() -> None:
    assert bins_of(numbers({7.25}), whole=False).labels == ("7 to under 8",)
    assert bins_of(numbers({7}), whole=True).labels == ("7",)


def test_infinite_numbers_are_beyond_the_bins() -> None:
    bins = bins_of(numbers({float("-inf"), 0.0, 9.0, float("inf")}), whole=False)
    outside = bins.locate(np.array([float("-inf"), float("inf")])).tolist()
    assert outside == [-1, len(bins.labels)]
    assert len(bins_of(numbers({float("inf")}), whole=False).labels) == 1


@given(st.floats(1e-300, 1e300))
def test_a_nice_step_is_the_next_one(least: float) -> None:
    step = nice_step(least)
    assert least <= step <= 2.5 * least * (1 + 1e-9)
    assert f"{step:e}"[:8] in ("1.000000", "2.000000", "5.000000")
