"""Axes: numbers, dates, texts and published intervals on a line."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.errors import DataError
from unlinkable.tables.models.shared.coordinates import Coordinates, Span
from unlinkable.tables.taxonomies import observe

SPAN: Span = (Fraction(-10), Fraction(99))


def ends(*values: object, span: Span | None = SPAN) -> dict[str, tuple[Fraction, Fraction]]:
    """Say by text from where to where each value reaches."""
    domain = observe("x", list(values)).domain
    axis = Coordinates.of("x", domain, span)
    return {
        domain.text(code): (Fraction(int(low), axis.parts), Fraction(int(high), axis.parts))
        for code, (low, high) in enumerate(zip(axis.low, axis.high, strict=True))
    }


def test_texts_are_numbers_or_intervals() -> None:
    assert ends("7", "-0.25", "[-5--2.5)", "<20", ">=80.5", "*") == {
        "7": (7, 7),
        "-0.25": (Fraction(-1, 4), Fraction(-1, 4)),
        "[-5--2.5)": (-5, Fraction(-5, 2)),
        "<20": (-10, 20),
        ">=80.5": (Fraction(161, 2), 99),
        "*": (-10, 99),
    }


def test_numbers_and_dates_are_where_they_are() -> None:
    assert ends(0.1, 12.25) == {
        "0.1": (Fraction(1, 10), Fraction(1, 10)),
        "12.25": (Fraction(49, 4), Fraction(49, 4)),
    }
    days = ends(date(2024, 2, 28), date(2024, 3, 1))
    assert days["2024-03-01"][0] - days["2024-02-28"][0] == 2


def test_nothing_is_nowhere() -> None:
    assert ends() == {}


@given(st.lists(st.fractions(max_denominator=50), min_size=1, max_size=6))
def test_numbers_keep_their_places_in_smaller_steps(numbers: list[Fraction]) -> None:
    axis = Coordinates.at(numbers)
    assert axis.span == (min(numbers), max(numbers))
    low, high = axis.in_parts(7 * axis.parts)
    assert [Fraction(int(x), 7 * axis.parts) for x in low] == numbers
    assert low.tolist() == high.tolist()


def test_what_is_no_number_is_refused_without_being_told() -> None:
    with pytest.raises(DataError, match="column 'x' holds texts that are neither") as error:
        ends("7", "cook")
    assert "cook" not in str(error.value)
    with pytest.raises(DataError, match=r"column 'x' shows '<20', which does not tell where"):
        ends("7", "<20", span=None)
    with pytest.raises(DataError, match=r"column 'x' shows '\*', which does not tell where"):
        ends("7", "*", span=None)
