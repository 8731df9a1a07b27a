"""Asking: when two releases are the same, and what would be told more precisely."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from attrs import evolve

import unlinkable as ul
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.minimal.shared.algorithm_replay import (
    Selective,
    finest,
    one_step_finer,
    same_release,
)
from unlinkable.tables.attacks.minimal.shared.possible_tables import PossibleTables
from unlinkable.tables.data.side import SideTable
from unlinkable.tables.taxonomies import observe

TOLD = Target(
    pl.DataFrame({"age": ["[30-40)", "[30-40)", "50"], "ill": ["flu", None, "flu"]}),
    ("age",),
    ("ill",),
)
BUCKETS = Target(
    pl.DataFrame({"age": [30, 31, 32, 33], "b": [1, 1, 2, 2], "ill": ["x", "y", "x", "z"]}),
    ("age",),
    ("ill",),
    bucket="b",
)


def test_the_order_of_records_does_not_matter() -> None:
    other = evolve(TOLD, frame=TOLD.frame.reverse().select("ill", "age"))
    assert same_release(other, TOLD, ("ill",))


@pytest.mark.parametrize(
    "frame",
    [
        TOLD.frame.head(2),
        TOLD.frame.with_columns(ill=pl.Series(["flu", "flu", None])),
        TOLD.frame.with_columns(age=pl.lit("*")),
        TOLD.frame.drop("ill"),
        TOLD.frame.with_columns(ill=pl.lit("flu")),
    ],
    ids=["fewer", "dealt otherwise", "generalized", "without a column", "other values"],
)
def test_other_records_are_another_release(frame: pl.DataFrame) -> None:
    assert not same_release(evolve(TOLD, frame=frame), TOLD, ("ill",))


def test_a_column_that_is_not_compared_does_not_matter() -> None:
    assert same_release(evolve(TOLD, frame=TOLD.frame.drop("ill")), TOLD, ())


@pytest.mark.parametrize(
    ("buckets", "ill", "is_same"),
    [
        ([7, 7, 3, 3], ["x", "y", "x", "z"], True),
        ([1, 1, 2, 2], ["y", "x", "z", "x"], True),
        ([1, 1, 2, 2], ["x", "z", "x", "y"], False),
        ([1, 2, 1, 2], ["x", "x", "y", "z"], False),
    ],
    ids=["called otherwise", "in another order", "other values", "other people"],
)
def test_buckets_are_what_they_show_and_hide(
    buckets: list[int], ill: list[str], is_same: bool
) -> None:
    frame = pl.DataFrame({"age": [30, 31, 32, 33], "b": buckets, "ill": ill})
    assert same_release(evolve(BUCKETS, frame=frame), BUCKETS, ("ill",)) is is_same


def test_buckets_are_not_groups() -> None:
    assert not same_release(evolve(BUCKETS, bucket=None), BUCKETS, ("ill",))


def test_a_step_goes_down_the_taxonomy_from_what_is_shown() -> None:
    tree = ul.Tree({"a": ["a0", "a1"], "b": ["b0", "b1"]}).build(observe("q", ["a0"]))
    frame = pl.DataFrame({"p": ["*"] * 3 + ["b0"], "q": ["a"] * 3 + ["b1"], "s": list("xxyy")})
    target = Target(frame, ("p", "q"), ("s",), {"p": tree, "q": tree})
    people = pl.DataFrame({"p": ["a0", "a1", "b1", "b0"], "q": ["a0", "a1", "a1", "b1"]})
    tables = PossibleTables.of(target, SideTable("external", people), ("s",))
    frames, who = one_step_finer(tables, target)
    assert who.tolist() == [0, 1, 2, 3]
    first, second = (
        np.unique(f[n], return_inverse=True)[1] for f, n in zip(frames, "pq", strict=True)
    )
    # On p, the root is divided into a and b; on q, a into its two values. b0 and b1 stay.
    assert first[0] == first[1] != first[2]
    assert second[1] == second[2] != second[0]
    assert frames[0]["q"].n_unique() == frames[1]["p"].n_unique() == 2
    assert finest(tables)[0][0].equals(people)


def test_a_method_may_say_what_it_looks_at() -> None:
    class Reads:
        reads = ("ill",)

    assert isinstance(Reads(), Selective)
    assert not isinstance(object(), Selective)
