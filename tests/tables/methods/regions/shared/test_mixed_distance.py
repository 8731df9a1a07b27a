"""Mixed distance: numbers by length, categories by the height of the least node over them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import polars as pl
from hypothesis import given

from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import table_of
from unlinkable.kernels.local_recoding.gathering import price_boxes
from unlinkable.kernels.local_recoding.one_pass import MISSING
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.engines import count
from unlinkable.tables.methods.regions.shared.mixed_distance import MixedDistance
from unlinkable.tables.taxonomies.builders import Tree


def measured(people: Table) -> MixedDistance:
    return MixedDistance.of(count(people).finest, people.attributes)


def apart(distance: MixedDistance, j: int, one: int, other: int) -> float:
    """Tell how far apart two codes of a category are."""
    lo, hi = np.zeros((2, 1, distance.points.codes.shape[1]), np.int32)
    lo[0, j], hi[0, j] = min(one, other), max(one, other)
    return float(price_boxes(lo, hi, *distance.priced)[0])


def test_numbers_and_dates_lie_between_0_and_1() -> None:
    born = pl.Series(["2000-01-01", "2000-01-02", "2000-01-11"]).str.to_date()
    people = as_table({"age": [20, 25, 40], "born": born}, quasi=["age", "born"])
    points = measured(people).points
    assert points.numbers.tolist() == [[0.0, 0.0], [0.25, 0.1], [1.0, 1.0]]
    assert points.codes.shape == (3, 0)


def test_a_missing_number_is_marked() -> None:
    people = as_table({"age": [20, 30, None]}, quasi="age")
    assert measured(people).points.numbers.ravel().tolist() == [0.0, 1.0, MISSING]


def test_a_column_of_one_number_tells_nothing_apart() -> None:
    people = as_table({"age": [20, 20], "sex": ["f", "m"]}, quasi=["age", "sex"])
    assert measured(people).points.numbers.ravel().tolist() == [0.0, 0.0]
    nothing = as_table({"age": pl.Series([None, None], dtype=pl.Int64)}, quasi="age")
    assert measured(nothing).points.numbers.ravel().tolist() == [MISSING]


def test_importance_counts() -> None:
    people = as_table(
        {"age": [20, 30], "sex": ["f", "m"]}, quasi=["age", "sex"], importance={"age": 3, "sex": 2}
    )
    distance = measured(people)
    assert distance.points.scale.tolist() == [3.0]
    assert apart(distance, 0, 0, 1) == 2.0


def test_categories_are_as_far_apart_as_the_least_node_is_high() -> None:
    jobs = Tree(
        {"white": {"office": ["clerk", "boss"], "shop": ["seller"]}, "blue": {"craft": ["smith"]}}
    )
    people = as_table(
        {"job": ["clerk", "boss", "seller", "smith"]}, quasi="job", taxonomies={"job": jobs}
    )
    codes = dict(zip(people.frame["job"], people.codes("job").tolist(), strict=True))
    far = {other: apart(measured(people), 0, codes["clerk"], codes[other]) for other in codes}
    assert far == {"clerk": 0.0, "boss": 1 / 3, "seller": 2 / 3, "smith": 1.0}


@given(tables(min_records=1))
def test_columns_that_tell_most_apart_come_first(random: RandomTable) -> None:
    people = table_of(random)
    finest = count(people).finest
    distance = MixedDistance.of(finest, people.attributes)
    rows = distance.points.codes
    assert sorted(map(tuple, rows.T.tolist())) == sorted(map(tuple, finest.keys.T.tolist()))
    means = [
        np.mean([apart(distance, j, a, b) for a in column for b in column])
        for j, column in enumerate(rows.T.tolist())
    ]
    assert all(a >= b - 1e-9 for a, b in pairwise(means))
