"""Distances from a side table: how they are read, completed and used."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.groups.plain import histogram_of
from tests.witness.closeness import shortest_ground
from tests.witness.emd import Ground
from unlinkable.errors import DataError, SchemaError
from unlinkable.tables.data.side import SideTable
from unlinkable.tables.models.shared.distribution_distance import Reference
from unlinkable.tables.models.shared.given_distances import GivenDistances, GivenGround
from unlinkable.tables.taxonomies import Domain, Kind

ABC = Domain(Kind.CATEGORY, np.array(["a", "b", "c"], object))


def read(rows: list[tuple[Any, Any, Any]]) -> GivenDistances:
    frame = pl.DataFrame(rows, schema=["from", "to", "distance"], orient="row")
    return GivenDistances.read(SideTable("near.csv", frame))


def matrix(given_: GivenDistances, domain: Domain, whole: list[int] | None = None) -> list[Any]:
    ground = given_.ground("s", domain, np.array(whole or [1] * domain.n))
    assert isinstance(ground, GivenGround)
    return [[Fraction(cost, ground.unit) for cost in row] for row in ground.costs.tolist()]


def test_a_distance_is_the_same_both_ways_and_0_on_the_spot() -> None:
    found = matrix(read([("b", "a", 0.1), ("b", "c", 0.25), ("c", "a", 0.3)]), ABC)
    assert found == [
        [0, Fraction("0.1"), Fraction("0.3")],
        [Fraction("0.1"), 0, Fraction("0.25")],
        [Fraction("0.3"), Fraction("0.25"), 0],
    ]


def test_the_way_over_a_third_value_counts_where_it_is_shorter() -> None:
    found = matrix(read([("a", "b", 1), ("b", "c", 1), ("a", "c", 5)]), ABC)
    assert found[0][2] == 2


def test_values_that_nobody_has_are_neither_needed_nor_in_the_way() -> None:
    near = read([("a", "b", 1), ("b", "c", 1), ("a", "c", 5)])
    assert matrix(near, ABC, [1, 0, 3]) == [[0, 5], [5, 0]]
    assert matrix(read([("a", "c", 5), ("a", "elsewhere", 1)]), ABC, [1, 0, 3]) == [[0, 5], [5, 0]]


def test_a_missing_value_is_as_far_as_can_be_unless_it_is_said() -> None:
    domain = Domain(Kind.CATEGORY, np.array(["a", "b"], object), has_missing=True)
    assert matrix(read([("a", "b", 3)]), domain) == [[0, 3, 3], [3, 0, 3], [3, 3, 0]]
    said = read([("a", "b", 3), ("a", None, 2), ("", "b", 1)])
    assert matrix(said, domain) == [[0, 3, 2], [3, 0, 1], [2, 1, 0]]


def test_a_single_value_needs_no_distances() -> None:
    assert matrix(read([]), ABC, [0, 4, 0]) == [[0]]
    domain = Domain(Kind.CATEGORY, np.array(["a"], object), has_missing=True)
    assert matrix(read([]), domain) == [[0, 0], [0, 0]]


@pytest.mark.parametrize("ends", [(1, 2), (1.0, 2.0), ("1", "2"), ("1.0", "2.00")])
def test_numbers_may_be_written_in_several_ways(ends: tuple[Any, Any]) -> None:
    domain = Domain(Kind.NUMBER, np.array([1, 2, 5]))
    near = read([(*ends, 0.5)])
    assert matrix(near, domain, [1, 1, 0]) == [[0, Fraction(1, 2)], [Fraction(1, 2), 0]]
    assert list(read([("few", "2", 1)]).between(domain)) == []


def among_three(row: list[int], whole: list[int], ground: Ground) -> Fraction:
    """Add up the work where there is no choice: one of three values has too much, or too little."""
    excess = {
        v: Fraction(c, sum(row)) - Fraction(w, sum(whole))
        for v, c, w in zip("abc", row, whole, strict=True)
    }
    over = [v for v in excess if excess[v] > 0]
    under = [v for v in excess if excess[v] < 0]
    pairs = [(v, w) for v in over for w in under]
    amounts = [min(excess[v], -excess[w]) for v, w in pairs]
    return sum((x * ground(*pair) for x, pair in zip(amounts, pairs, strict=True)), Fraction(0))


@given(
    st.lists(st.integers(0, 9), min_size=3, max_size=3),
    st.lists(st.integers(0, 9), min_size=3, max_size=3).filter(any),
    st.lists(st.integers(0, 9), min_size=3, max_size=3).filter(any),
    st.sampled_from([Fraction(1), Fraction(1, 10), Fraction(1, 10**15), Fraction(10**12)]),
    st.sampled_from([1, 10**5, 10**10]),
)
def test_work_is_exact_whatever_its_size(
    far: list[int], row: list[int], rest: list[int], unit: Fraction, scale: int
) -> None:
    # With a unit of many digits, or large counts, work does not fit into 64 bits.
    whole = [c + w for c, w in zip(row, rest, strict=True)]
    pairs = dict(zip(combinations("abc", 2), [x * unit for x in far], strict=True))
    costs = {**pairs, **{(b, a): x for (a, b), x in pairs.items()}}
    present = [v for v, w in zip("abc", whole, strict=True) if w]
    ground = shortest_ground(present, lambda v, w: costs[v, w])  # type: ignore[index]
    expected = among_three(row, whole, ground)
    distance = GivenDistances("near.csv", pairs).ground("s", ABC, np.array(whole))
    arguments = (
        histogram_of([[n * scale for n in row]]),
        np.array([sum(row) * scale]),
        Reference.whole(np.array(whole) * scale, 1),
    )
    assert np.isclose(float(distance.distances(*arguments)[0]), float(expected), atol=0)
    assert distance.are_within(*arguments, expected)[0]
    if expected:
        assert not distance.are_within(*arguments, expected * (1 - Fraction(1, 10**30)))[0]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([("a", "b", -0.5)], "a distance in 'near.csv' is less than 0: -1/2"),
        ([("a", "a", 1)], "a value in 'near.csv' is 1 away from itself, not 0"),
        ([("a", "b", 1), ("b", "a", 2)], "has two distances, 1 and 2, for the same two values"),
        ([("a", "b", None)], "column 'distance' of 'near.csv' must hold a number in every row"),
        ([("a", "b", "near")], "column 'distance' of 'near.csv' must hold a number in every row"),
    ],
)
def test_refuses_distances_that_mean_nothing(rows: list[Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        read(rows)


def test_the_same_distance_may_be_said_twice() -> None:
    assert read([("a", "b", 1), ("b", "a", 1.0), ("a", "a", 0)]).furthest == 1


def test_refuses_a_table_without_its_columns() -> None:
    with pytest.raises(SchemaError, match=r"no column 'distance' among 3 \(there are 'from', 'to'"):
        GivenDistances.read(SideTable("near.csv", pl.DataFrame({"from": [], "to": [], "far": []})))


def test_says_how_many_distances_are_missing() -> None:
    with pytest.raises(
        DataError,
        match=r"2 of 3 pairs of values of 's' have no distance in 'near.csv': give a row for every",
    ):
        matrix(read([("a", "b", 1)]), ABC)
