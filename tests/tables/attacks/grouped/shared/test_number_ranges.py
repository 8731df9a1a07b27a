"""How much lies in a narrow range of numbers."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.errors import DataError
from unlinkable.kernels.counting import tallies
from unlinkable.tables.attacks.grouped.shared.number_ranges import Ranges, tenth
from unlinkable.tables.groups import Histogram
from unlinkable.tables.taxonomies import observe
from unlinkable.tables.taxonomies.builders.flat import Verbatim

NUMBERS = st.one_of(
    st.integers(-9, 9),
    st.decimals(-2, 2, places=1).map(float),
    st.sampled_from([10**18, -(10**18), 4 * 10**18]),
)
GROUPS = st.lists(
    st.lists(st.one_of(st.none(), NUMBERS), min_size=1, max_size=6), min_size=1, max_size=4
).filter(lambda groups: any(v is not None for group in groups for v in group))
WIDTHS = st.sampled_from(
    [Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(3), Fraction(10**20)]
)

Group = list[float | None]


def histogram(groups: list[Group]) -> Histogram:
    flat = [value for group in groups for value in group]
    is_float = any(isinstance(v, float) for v in flat)
    values = [None if v is None else (float(v) if is_float else v) for v in flat]
    observed = observe("pay", values)
    taxonomy = Verbatim().build(observed)
    places = {taxonomy.domain.scalar(code): code for code in range(taxonomy.n)}
    codes = np.array([places[v] for v in values], np.int32)
    labels = np.repeat(np.arange(len(groups), dtype=np.int32), [len(g) for g in groups])
    counted = tallies.tally(labels, codes, len(groups), taxonomy.n)
    return Histogram(*counted, taxonomy.n, taxonomy)


def exactly(groups: list[Group]) -> list[list[Fraction]]:
    """Read numbers as the decimals that were written, without the missing ones."""
    has_float = any(isinstance(v, float) for g in groups for v in g)

    def read(v: float) -> Fraction:
        return Fraction(repr(float(v)) if has_float else str(v))

    return [[read(v) for v in group if v is not None] for group in groups]


def fullest(group: list[Fraction], ends: Callable[[Fraction], tuple[Fraction, Fraction]]) -> int:
    """Count the numbers in the fullest of the ranges that belong to the numbers of a group."""
    ranges = [ends(v) for v in group]
    return max((sum(low <= v <= high for v in group) for low, high in ranges), default=0)


@given(GROUPS, WIDTHS)
def test_ranges_of_a_width_start_with_a_number(groups: list[Group], width: Fraction) -> None:
    found = Ranges.of_width(histogram(groups), "pay", width).fullest()
    expected = [fullest(group, lambda v: (v, v + width)) for group in exactly(groups)]
    assert found.tolist() == expected


@given(GROUPS, WIDTHS)
def test_no_range_of_that_width_holds_more(groups: list[Group], width: Fraction) -> None:
    found = Ranges.of_width(histogram(groups), "pay", width).fullest()
    for at, group in enumerate(exactly(groups)):
        for v in group:
            for start in (v, v - width, v - width / 2):
                assert sum(start <= w <= start + width for w in group) <= found[at]


@given(GROUPS, st.sampled_from([Fraction(1, 10), Fraction(1, 3), Fraction(2)]))
def test_relative_ranges_lie_around_a_number(groups: list[Group], epsilon: Fraction) -> None:
    found = Ranges.around(histogram(groups), "pay", epsilon).fullest()
    expected = [
        fullest(group, lambda v: (v - epsilon * abs(v), v + epsilon * abs(v)))
        for group in exactly(groups)
    ]
    assert found.tolist() == expected


@given(GROUPS, st.one_of(st.none(), WIDTHS), st.one_of(st.none(), WIDTHS))
def test_one_range_for_all_holds_its_ends(
    groups: list[Group], low: Fraction | None, high: Fraction | None
) -> None:
    found = Ranges.between(histogram(groups), "pay", low, high).fullest()
    expected = [
        sum((low is None or v >= low) and (high is None or v <= high) for v in group)
        for group in exactly(groups)
    ]
    assert found.tolist() == expected


@given(GROUPS)
def test_a_tenth_of_the_way_from_the_smallest_to_the_largest(groups: list[Group]) -> None:
    numbers = [v for group in exactly(groups) for v in group]
    assert tenth(histogram(groups), "pay") == (max(numbers) - min(numbers)) / 10


def test_ranges_are_told_by_the_numbers_in_them() -> None:
    ranges = Ranges.of_width(histogram([[30, 31, 35, 80], [7, None]]), "pay", Fraction(5))
    assert [ranges.text(0), ranges.text(1)] == ["30 to 35", "7"]


def test_infinite_numbers_have_no_distance() -> None:
    with pytest.raises(DataError, match="holds infinite numbers"):
        Ranges.of_width(histogram([[1.0, float("inf")]]), "pay", Fraction(5))
