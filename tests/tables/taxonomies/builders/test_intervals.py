"""Intervals: exact cuts, nested widths, open ends."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from math import floor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.data.taxonomies import upto
from unlinkable.errors import ParameterError, TaxonomyError
from unlinkable.params import exact
from unlinkable.tables.taxonomies import observe
from unlinkable.tables.taxonomies.builders import Intervals
from unlinkable.tables.taxonomies.published_values import write_level


def shown(rule: Intervals, values: Sequence[float | None]) -> list[list[str]]:
    """What each level between the values and the root shows, value by value."""
    taxonomy = rule.build(observe("x", values))
    codes = upto(taxonomy.n)
    return [write_level(taxonomy, i, codes).tolist() for i in range(1, taxonomy.height)]


def by_definition(rule: Intervals, value: float, width: Fraction) -> str:
    """The interval of a number, in exact arithmetic."""
    x = exact(value)
    start = (
        rule.start if rule.start is not None else rule.low if rule.low is not None else Fraction(0)
    )
    if rule.low is not None and x < rule.low:
        return f"<{text(rule.low)}"
    if rule.high is not None and x >= rule.high:
        return f">={text(rule.high)}"
    lower = start + floor((x - start) / width) * width
    upper = lower + width
    lower = lower if rule.low is None else max(lower, rule.low)
    upper = upper if rule.high is None else min(upper, rule.high)
    return f"[{text(lower)}-{text(upper)})"


def text(number: Fraction) -> str:
    decimal = format(Decimal(number.numerator) / Decimal(number.denominator), "f")
    return decimal.rstrip("0").rstrip(".") if "." in decimal else decimal


@st.composite
def cases(draw: st.DrawFn) -> tuple[Intervals, list[float]]:
    first = draw(st.sampled_from(["1", "5", "0.1", "2.5", "0.05", "0.3"]))
    widths = [Decimal(first)]
    for factor in draw(st.lists(st.integers(2, 5), max_size=2)):
        widths.append(widths[-1] * factor)
    ends = st.none() | st.decimals(-20, 20, places=2)
    low, high = draw(ends), draw(ends)
    if low is not None and high is not None and low >= high:
        low = None
    rule = Intervals(*widths, start=draw(ends), low=low, high=high)
    whole: st.SearchStrategy[float] = st.integers(-60, 60)
    decimal = st.decimals(-60, 60, places=2).map(float)
    return rule, draw(st.lists(whole, min_size=1) | st.lists(decimal, min_size=1))


@given(cases())
def test_every_number_lies_in_the_interval_of_the_definition(
    case: tuple[Intervals, list[float]],
) -> None:
    rule, values = case
    distinct = sorted(set(values))
    assert shown(rule, list(values)) == [
        [by_definition(rule, value, width) for value in distinct] for width in rule.widths
    ]


def test_cuts_decimals_where_they_are_meant() -> None:
    values = [0.1, 0.2, 0.3, 0.6, 0.7, 1.1]
    finest, wide = shown(Intervals(0.1, 0.5), values)
    assert finest == ["[0.1-0.2)", "[0.2-0.3)", "[0.3-0.4)", "[0.6-0.7)", "[0.7-0.8)", "[1.1-1.2)"]
    assert wide == ["[0-0.5)"] * 3 + ["[0.5-1)"] * 2 + ["[1-1.5)"]


def test_open_ends_are_the_same_on_every_level() -> None:
    levels = shown(Intervals(5, 10, low=20, high=78), [3, 19, 20, 77, 78, 99])
    assert levels == [
        ["<20", "<20", "[20-25)", "[75-78)", ">=78", ">=78"],
        ["<20", "<20", "[20-30)", "[70-78)", ">=78", ">=78"],
    ]


def test_intervals_begin_at_start_or_low_or_0() -> None:
    assert shown(Intervals(10), [7, 18]) == [["[0-10)", "[10-20)"]]
    assert shown(Intervals(10, start=3), [2, 18]) == [["[-7-3)", "[13-23)"]]
    assert shown(Intervals(10, low=7), [7, 18]) == [["[7-17)", "[17-27)"]]
    assert shown(Intervals(10, start=0, low=7), [7, 18]) == [["[7-10)", "[10-20)"]]


def test_the_number_of_levels_does_not_depend_on_the_values() -> None:
    for values in ([3], [3, None], [None], [3, 500]):
        assert Intervals(5, 1000).build(observe("x", values)).height == 3


def test_a_missing_value_lies_in_no_interval() -> None:
    assert shown(Intervals(5), [3, None]) == [["[0-5)", None]]


def test_works_far_from_0() -> None:
    huge = 2**61
    assert shown(Intervals(2), [huge, huge + 3]) == [
        [f"[{huge}-{huge + 2})", f"[{huge + 2}-{huge + 4})"]
    ]


@pytest.mark.parametrize(
    ("widths", "message"),
    [
        ((), "at least one level"),
        ((0,), "widths must be greater than 0, got 0"),
        ((-5, 10), "widths must be greater than 0, got -5"),
        ((5, 12), "a multiple of the one before: 12 is none of 5"),
        ((5, 5), "5 is none of 5"),
        ((10, 5), "5 is none of 10"),
        ((0.1, 0.25), "0.25 is none of 0.1"),
        (("1/3",), "1/3 cannot be written as a decimal"),
        (("wide",), "expected a number"),
    ],
)
def test_refuses_widths_that_do_not_nest(widths: tuple[float, ...], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Intervals(*widths)


def test_refuses_ends_that_cross() -> None:
    with pytest.raises(ParameterError, match="low must be less than high, got 80 and 20"):
        Intervals(5, low=80, high=20)


def test_refuses_text_and_dates() -> None:
    with pytest.raises(TaxonomyError, match="column 'x' holds text, not numbers: turn it into"):
        Intervals(5).build(observe("x", ["30"]))
    with pytest.raises(TaxonomyError, match="column 'x' holds dates, not numbers: use Dates"):
        Intervals(5).build(observe("x", [np.datetime64("2024-01-01").item()]))


def test_refuses_infinite_numbers() -> None:
    with pytest.raises(TaxonomyError, match="column 'x' holds infinite numbers"):
        Intervals(5).build(observe("x", [1.0, float("inf")]))


@pytest.mark.parametrize(("value", "width"), [(2.0**60, 0.5), (2**62, 7), (3.0**200, 5)])
def test_refuses_numbers_that_cannot_be_told_apart(value: float, width: float) -> None:
    with pytest.raises(TaxonomyError, match="column 'x' holds numbers too large for exact"):
        Intervals(width).build(observe("x", [value]))
