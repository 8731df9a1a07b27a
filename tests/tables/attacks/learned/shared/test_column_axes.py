"""Axes: texts and values of several tables in one numbering."""

from __future__ import annotations

from datetime import date

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.tables.attacks.base.target import Target, Truth
from unlinkable.tables.attacks.learned.shared.column_axes import Axis, meanings, read_axes
from unlinkable.tables.data import as_table
from unlinkable.tables.taxonomies import observe
from unlinkable.tables.taxonomies.builders import Intervals, Tree

JOBS = Tree({"Professional": ["Engineer", "Lawyer"], "Artist": ["Dancer", "Writer"]})


def read(*columns: list[object], known: object = None) -> Axis:
    frames = [pl.DataFrame({"x": column}, strict=False) for column in columns]
    taxonomies = {} if known is None else {"x": known}
    (axis,) = read_axes(("x",), frames, taxonomies)  # type: ignore[arg-type]
    return axis


def covered(axis: Axis, shown: int, others: int) -> list[list[bool]]:
    """Whether each record of one table could be each of another."""
    return [
        [bool(max(a, c) < min(b, d)) for c, d in zip(axis.lo[others], axis.hi[others], strict=True)]
        for a, b in zip(axis.lo[shown], axis.hi[shown], strict=True)
    ]


@given(
    st.lists(st.tuples(st.integers(-9, 9), st.integers(1, 9)), min_size=1, max_size=8),
    st.lists(st.integers(-12, 12), min_size=1, max_size=8),
)
def test_a_number_is_in_an_interval_just_if_it_is(
    intervals: list[tuple[int, int]], numbers: list[int]
) -> None:
    axis = read([f"[{a}-{a + w})" for a, w in intervals], list(numbers))
    assert covered(axis, 0, 1) == [[a <= x < a + w for x in numbers] for a, w in intervals]


def test_open_ends_missing_values_and_what_means_nothing() -> None:
    axis = read(["<20", ">=30", "*", None, "unheard of"], [10, 20, 30, 40, None])
    assert axis.is_ordered
    assert covered(axis, 0, 1) == [
        [True, False, False, False, False],
        [False, False, True, True, False],
        [True] * 5,
        [False, False, False, False, True],
        [True] * 5,
    ]


def test_labels_mean_what_their_taxonomy_says() -> None:
    taxonomy = JOBS.build(observe("x", ["Dancer"]))
    axis = read(
        ["Artist", "Lawyer", "*", "{Lawyer, Dancer}"], ["Dancer", "Writer", "Cook"], known=taxonomy
    )
    assert covered(axis, 0, 1) == [
        [True, True, False],
        [False, False, False],
        [True, True, True],
        [True, False, False],
    ]
    # Nodes between values and root stay; a job that the taxonomy lacks stands alone.
    assert [level.n_nodes for level in axis.attribute.taxonomy.levels] == [5, 3, 1]


def test_labels_of_numbers_are_the_ends_that_a_rule_says() -> None:
    taxonomy = Intervals(5, 10).build(observe("x", [31, 33, 47]))
    axis = read(["[30-35)", "[40-50)"], [30, 34, 35, 49], known=taxonomy)
    assert covered(axis, 0, 1) == [[True, True, False, False], [False, False, False, True]]


def test_labels_of_numbers_without_a_rule_are_the_ends_of_their_values() -> None:
    ages = Tree({"young": [10, 20], "old": [30, 40]}).build(observe("x", [10, 20, 30, 40]))
    axis = read(["young", "old"], [10, 25, 30, 90], known=ages)
    assert covered(axis, 0, 1) == [[True, True, False, False], [False, False, True, True]]


def test_dates_are_days() -> None:
    axis = read(["[2024-01-05-2024-02-01)", "2024-03-01"], [date(2024, 1, 31), date(2024, 3, 1)])
    assert axis.is_ordered
    assert covered(axis, 0, 1) == [[True, False], [False, True]]


@pytest.mark.parametrize(
    ("texts", "is_ordered"),
    [
        (["10", "20", "*"], True),
        (["10", "[20-30)"], True),
        (["01234", "10115"], False),
        (["10", "ten"], False),
        (["2024-01-05", "2024-02-01"], True),
        (["*"], False),
    ],
    ids=str,
)
def test_texts_are_numbers_where_all_of_them_are(texts: list[str], is_ordered: bool) -> None:
    assert read(list(texts)).is_ordered is is_ordered


def test_values_that_only_the_release_has_are_nobodys() -> None:
    axis = read([1.25, 2.0], [1, 2])
    assert covered(axis, 0, 1) == [[False, False], [False, True]]


def test_numbers_lie_from_zero_to_one_and_categories_apart() -> None:
    lo, hi = read(["[10-20)", "*", None], [0, 15, 20]).places(0)
    assert lo.tolist() == [0.5, 0.0, 2.0]
    assert hi.tolist() == [0.75, 2.0, 2.0]
    first, last = read(["a", "b", "*", None]).places(0)
    assert first.tolist() == [0.0, 1.0, 0.0, 2.0]
    assert last.tolist() == [0.0, 1.0, 2.0, 2.0]


def test_an_interval_that_nobody_is_in_ends_before_it_begins() -> None:
    lo, hi = read(["<5", "[5-7)"], [5, 8]).places(0)
    assert (lo.tolist(), hi.tolist()) == ([0.0, 0.0], [-1.0, 0.0])


def test_the_original_knows_best_what_texts_mean() -> None:
    people = as_table({"job": ["Dancer", "Lawyer"]}, quasi="job", taxonomies={"job": JOBS})
    told = JOBS.build(observe("job", ["Writer"]))
    target = Target(
        pl.DataFrame({"job": ["Artist"]}),
        ("job",),
        (),
        taxonomies={"job": told},
        builders={"job": JOBS},
    )
    assert meanings(target, ("job",), Truth(people))["job"] is people.taxonomy("job")
    assert meanings(target, ("job",))["job"] is told
    listed = meanings(target, ("job",), people=pl.DataFrame({"job": ["Dancer"]}))["job"]
    assert listed is not told
    assert np.array_equal(listed.domain.values, told.domain.values)
    assert meanings(target, ("age",)) == {}
