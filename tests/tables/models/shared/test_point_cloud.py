"""Points in balls, beside counting one by one, at all sizes of coordinates."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.groups.plain import histogram_of
from unlinkable.errors import DataError
from unlinkable.tables.models.shared.point_cloud import Coordinates, PointCloud, Span
from unlinkable.tables.taxonomies import observe

Point = tuple[int, int]

POINTS = st.lists(
    st.tuples(st.integers(-4, 4), st.integers(-4, 4)), min_size=1, max_size=12, unique=True
)
TIMES = st.sampled_from([1, 10**6, 10**8, 10**12, 10**17])
"""Squared distances that floats tell, 64-bit integers tell, and neither does."""


def squared(p: tuple[Fraction, ...], q: tuple[Fraction, ...]) -> Fraction:
    return sum(((a - b) ** 2 for a, b in zip(p, q, strict=True)), Fraction(0))


def n_in_ball(
    members: list[Point], victims: list[Point], everybody: list[Point], c: Fraction
) -> int:
    """Count what lies around the middle of the members, as near as the nearest victim."""
    q = tuple(Fraction(min(axis) + max(axis), 2) for axis in zip(*members, strict=True))
    radius = c**2 * min(squared(as_fractions(p), q) for p in victims)
    return sum(squared(as_fractions(x), q) <= radius for x in everybody)


def as_fractions(point: Point) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, point))


@given(POINTS, TIMES, st.sampled_from([Fraction(1, 2), Fraction(1), Fraction(5, 4)]), st.data())
def test_counts_what_counting_one_by_one_counts(
    points: list[Point], times: int, c: Fraction, data: st.DataObject
) -> None:
    points = [(a * times + b, b * times - a) for a, b in points]
    axes = [Coordinates.at(map(Fraction, axis)) for axis in zip(*points, strict=True)]
    codes = np.arange(len(points), dtype=np.int32)
    cuts = sorted(data.draw(st.sets(st.integers(1, len(points)), max_size=3)))
    bounds = [*pairwise([0, *(cut for cut in cuts if cut < len(points)), len(points)])]
    rows = [[int(low <= i < high) for i in range(len(points))] for low, high in bounds]
    hidden = histogram_of(rows)
    parts = [points[low:high] for low, high in bounds]

    own = PointCloud.of([(axis, codes) for axis in axes], hidden.total, scaled=False)
    assert own.points_in_balls(hidden, c).tolist() == [n_in_ball(p, p, points, c) for p in parts]

    beside = PointCloud.beside([(axis, codes) for axis in axes], axes, scaled=False)
    assert beside.points_in_balls(hidden, c).tolist() == [
        n_in_ball(p, points, points, c) for p in parts
    ]


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
