"""Predicates: how many records each fits, and which are made of a release."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from unlinkable.tables.attacks.learned.shared.column_axes import Axis, read_axes
from unlinkable.tables.attacks.learned.shared.predicates import (
    Predicates,
    extreme_and_rare,
    from_records,
    isolation_chance,
)

CODE = st.integers(0, 4)
BOX = st.tuples(CODE, CODE, CODE, CODE)


def boxes(made: list[tuple[int, int, int, int]]) -> Predicates:
    array = np.array(made, np.int32).reshape(-1, 4)
    return Predicates(array[:, :2].copy(), array[:, 2:].copy())


def axes_of(*columns: list[object]) -> tuple[Axis, ...]:
    frame = pl.DataFrame({f"c{i}": column for i, column in enumerate(columns)}, strict=False)
    return read_axes(tuple(frame.columns), [frame], {})


@given(st.lists(BOX, max_size=70), st.lists(st.tuples(CODE, CODE), max_size=12))
def test_a_predicate_fits_what_lies_in_its_box(
    made: list[tuple[int, int, int, int]], records: list[tuple[int, int]]
) -> None:
    codes = np.array(records, np.int32).reshape(-1, 2)
    counts, rows = boxes(made).matches(codes)
    for (a, b, c, d), found, row in zip(made, counts, rows, strict=True):
        fitting = [i for i, (x, y) in enumerate(records) if a <= x < c and b <= y < d]
        assert found == len(fitting)
        assert row == (fitting[0] if len(fitting) == 1 else -1)


@given(st.lists(BOX, max_size=8), st.lists(BOX, min_size=1, max_size=8))
def test_a_published_record_fits_if_all_that_it_shows_lies_within(
    made: list[tuple[int, int, int, int]], shown: list[tuple[int, int, int, int]]
) -> None:
    ranges = np.array(shown, np.int32)
    lo, hi = ranges[:, :2], ranges[:, :2] + 1 + ranges[:, 2:] % 2
    expected = [
        sum(bool((lo[i] >= [a, b]).all() and (hi[i] <= [c, d]).all()) for i in range(len(shown)))
        for a, b, c, d in made
    ]
    assert boxes(made).published(lo, hi).tolist() == expected


def test_more_predicates_than_are_tried_at_once_are_all_tried() -> None:
    codes = np.arange(1300, dtype=np.int32)[:, None]
    counts, rows = Predicates(codes, codes + 1).matches(codes)
    assert (counts == 1).all()
    assert np.array_equal(rows, codes[:, 0])


@pytest.mark.parametrize(("n", "size"), [(6, 3), (6, 1), (6, 6), (9, 4)])
def test_the_chance_to_single_out_is_the_share_of_samples(n: int, size: int) -> None:
    counts = np.arange(n + 1)
    expected = [
        sum(sum(i < c for i in drawn) == 1 for drawn in combinations(range(n), size))
        / comb(n, size)
        for c in counts
    ]
    assert isolation_chance(counts, n, size) == pytest.approx(expected)


def test_the_chance_to_single_out_is_hypergeometric_in_large_tables() -> None:
    counts = np.array([0, 1, 2, 40, 5000, 90_000])
    expected = stats.hypergeom.pmf(1, 100_000, counts, 60_000)
    assert isolation_chance(counts, 100_000, 60_000) == pytest.approx(expected, abs=1e-9)


def test_extremes_and_what_is_rare_are_tried() -> None:
    axes = axes_of([10, 20, 20, 30], ["a", "a", "b", "b"])
    made = extreme_and_rare(axes, 10, np.random.default_rng(0))
    told = {tuple(sorted(made.describe(axes, i).items())) for i in range(len(made))}
    assert told == {(("c0", "10"),), (("c0", "30"),)}


def test_no_more_rare_values_are_tried_than_asked_for() -> None:
    axes = axes_of([*"abcdefgh"])
    assert len(extreme_and_rare(axes, 3, np.random.default_rng(0))) == 3


def test_what_tells_nothing_is_not_tried() -> None:
    axes = axes_of(["*"] * 3, ["[1-9)"] * 3)
    assert not len(extreme_and_rare(axes, 10, np.random.default_rng(0)))


@pytest.mark.parametrize("width", [1, 2, 3])
def test_predicates_of_records_fit_them_and_say_something_of_so_many_columns(width: int) -> None:
    rng = np.random.default_rng(width)
    columns = [rng.integers(0, 5, 40).tolist() for _ in range(3)]
    axes = axes_of(*columns)
    made = from_records(axes, 50, width, True, rng)
    sizes = [axis.attribute.taxonomy.n for axis in axes]
    assert (((made.lo > 0) | (made.hi < sizes)).sum(axis=1) == width).all()
    codes = np.column_stack([axis.lo[0] for axis in axes])
    assert (made.matches(codes)[0] >= 1).all()
    assert len(np.unique(np.concatenate([made.lo, made.hi], axis=1), axis=0)) == len(made)


def test_numbers_that_were_replaced_stand_for_their_side() -> None:
    axes = axes_of([10, 20, 30, 40, 50, None])
    made = from_records(axes, 200, 1, False, np.random.default_rng(0))
    told = {made.describe(axes, i)["c0"] for i in range(len(made))}
    assert told == {"10", "<30", "<40", ">=40", "50", ""}


def test_predicates_are_written_as_releases_write() -> None:
    axes = axes_of([10, 20, 30, 40], ["a", "b", "c", "d"])
    made = boxes([(0, 0, 2, 4), (1, 1, 3, 3), (2, 0, 4, 1), (0, 0, 4, 4)])
    assert made.describe(axes, 0) == {"c0": "<30"}
    assert made.describe(axes, 1) == {"c0": "[20-40)", "c1": "{b, c}"}
    assert made.describe(axes, 2) == {"c0": ">=30", "c1": "a"}
    assert made.describe(axes, 3) == {"c0": "*"}


def test_any_number_but_a_missing_one_is_written_from_the_least_on() -> None:
    axes = axes_of([10, 20, None])
    assert Predicates(np.array([[0]]), np.array([[2]])).describe(axes, 0) == {"c0": ">=10"}
