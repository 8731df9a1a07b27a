"""Coordinates: spreads, sides of cells in the published notation, and the refusals."""

from __future__ import annotations

from datetime import date, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.errors import DataError, SchemaError, UnsupportedError
from unlinkable.tables.data import as_table
from unlinkable.tables.methods.perturb import DensityPerturbation
from unlinkable.tables.methods.perturb.shared.coordinates import (
    coordinates_of,
    refuse_owner,
    spreads,
    write_sides,
)
from unlinkable.tables.taxonomies.domain import Domain, Kind
from unlinkable.tables.taxonomies.notation import read_plain

METHOD = DensityPerturbation()


@given(
    st.lists(st.integers(-20, 20), min_size=2, max_size=15, unique=True).map(sorted),
    st.sampled_from([1, 0.25]),
    st.integers(-80, 80),
    st.integers(1, 80),
)
def test_a_side_reads_back_to_the_values_in_it(
    whole: list[int], step: float, low: int, width: int
) -> None:
    domain = Domain(Kind.NUMBER, np.array(whole) * step)
    lower, upper = low / 4, (low + width) / 4
    ends = float(domain.values[0]), float(domain.values[-1])
    (text,) = write_sides(domain, np.array([lower]), np.array([upper]), ends)
    held = [
        code
        for code, value in enumerate(domain.values)
        if value >= lower and (value < upper or upper >= ends[1])
    ]
    expected = (held[0], held[-1] + 1) if held else None
    if text == "*":
        assert expected == (0, domain.n)
    else:
        assert read_plain(domain, text) == expected


def test_sides_of_dates_and_times_are_dates_and_times() -> None:
    days = as_table({"d": [date(2024, 1, 1), date(2024, 3, 1)]}, quasi="d")
    domain = days.numbered("d").observed.domain
    first = domain.as_numbers()[0]
    sides = np.array([first + 10.5]), np.array([first + 20.0])
    assert write_sides(domain, *sides, (first, first + 60))[0] == "[2024-01-12-2024-01-21)"
    times = as_table({"d": [datetime(2024, 1, 1, 12), datetime(2024, 1, 3)]}, quasi="d")
    domain = times.numbered("d").observed.domain
    first = domain.as_numbers()[0]
    sides = np.array([first]), np.array([first + 0.25])
    assert write_sides(domain, *sides, (first, first + 1.5))[0] == "<2024-01-01T18:00:00"


def test_columns_that_do_not_vary_have_the_unit_of_one() -> None:
    assert spreads(np.array([[1.0, 4.0], [5.0, 4.0]])).tolist() == [2.0, 1.0]


def test_what_is_no_point_is_refused_by_name() -> None:
    data = {"x": [1, 2, None], "job": ["a", "b", "c"], "id": [1, 2, 3]}
    people = as_table(data, quasi=["x", "job"], owner="id")
    with pytest.raises(UnsupportedError, match=r"'job' holds categories.*name the columns"):
        coordinates_of(METHOD, people, ("job",))
    with pytest.raises(DataError, match="'x' has 1 missing"):
        coordinates_of(METHOD, people, ("x",))
    with pytest.raises(SchemaError, match="no column 'y'"):
        coordinates_of(METHOD, people, ("y",))
    with pytest.raises(SchemaError, match="no column is named or quasi-identifying"):
        coordinates_of(METHOD, people, ())
    with pytest.raises(UnsupportedError, match="'id' says that people may have several"):
        refuse_owner(METHOD, people)
    with pytest.raises(DataError, match="no records"):
        coordinates_of(METHOD, as_table({"x": []}, quasi="x"), ("x",))
