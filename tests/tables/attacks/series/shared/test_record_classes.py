"""Classes of releases: which are comparable, and what cannot be compared."""

from __future__ import annotations

from itertools import product

import numpy as np
import polars as pl
import pytest
from hypothesis import given

from tests.tables.attacks.series.generators import Drawn, growing_series
from unlinkable.errors import UnsupportedError
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.series.series import Edition, Series
from unlinkable.tables.attacks.series.shared.record_classes import (
    Numbers,
    block_pairs,
    blocks,
    crossing,
    new_since,
)


def releases(*shown: list[str], hidden: str = "s") -> Series:
    frames = [pl.DataFrame({"q": some, "s": [*hidden * len(some)][: len(some)]}) for some in shown]
    return Series(tuple(Edition(Target(f, ("q",), ("s",))) for f in frames))


@given(growing_series(2, (5, 4)))
def test_classes_are_comparable_if_somebody_can_be_in_both(drawn: Drawn) -> None:
    first, second = Numbers.of(drawn.series).classes
    pairs = {*zip(*(side.tolist() for side in block_pairs(*blocks(first, second))), strict=True)}
    shown = [
        [boxes[np.flatnonzero(c.labels == at)[0]] for at in range(len(c))]
        for c, boxes in ((first, drawn.boxes(0)), (second, drawn.boxes(1)))
    ]
    meet = {
        (a, b)
        for (a, one), (b, two) in product(enumerate(shown[0]), enumerate(shown[1]))
        if all(x & y for x, y in zip(one, two, strict=True))
    }
    assert pairs == meet


@given(growing_series(2, (5, 4)))
def test_new_records_are_those_that_earlier_ones_cannot_be(drawn: Drawn) -> None:
    numbers = Numbers.of(drawn.series)
    first, second = numbers.classes
    found = new_since(first, second, numbers.n_values)
    for entry, (row, value) in enumerate(zip(second.row, second.values, strict=True)):
        box = drawn.boxes(1)[np.flatnonzero(second.labels == row)[0]]
        hidden = drawn.series.texts("s")[numbers.values[0, value]]
        before = [r for r in drawn.releases[0] if r[1] == hidden and overlaps(r[0], box)]
        among = [
            r
            for r in drawn.releases[1]
            if r[1] == hidden and any(overlaps(r[0], b) for b, _ in before)
        ]
        if before:
            assert found[entry] == len(among) - len(before)
        else:
            assert found[entry] >= second.counts[entry]


def overlaps(a: tuple[frozenset[str], ...], b: tuple[frozenset[str], ...]) -> bool:
    return all(x & y for x, y in zip(a, b, strict=True))


@pytest.mark.parametrize(
    ("shown", "column"),
    [
        ([["[0-4)", "4"], ["[0-2)", "[2-4)", "4"]], None),
        ([["[0-4)"], ["[2-6)"]], "q"),
        ([["[2-6)"], ["[0-4)"]], "q"),
        ([["[0-4)", "2"], ["*"]], "q"),
        ([["[0-2)", "[1-3)"], ["*"]], "q"),
        ([["[0-2)", "[2-4)"], ["1", "2"]], None),
        ([["[0-2)"], ["[4-6)"], ["[1-5)"]], "q"),
        ([["*"], ["[4-6)"], ["5"]], None),
    ],
    ids=str,
)
def test_ranges_that_overlap_must_be_nested(shown: list[list[str]], column: str | None) -> None:
    series = releases(*shown)
    assert crossing(Numbers.of(series).classes, series.quasi) == column


def test_what_is_written_differently_and_means_the_same_is_one_class() -> None:
    (classes,) = Numbers.of(releases(["31", "[31-32)", "[32-40)"])).classes
    assert classes.sizes.tolist() == [2, 1]


def test_columns_that_are_published_as_they_are_tell_records_apart() -> None:
    frame = pl.DataFrame({"q": ["a", "a"], "s": ["x", "x"], "ward": ["1", "2"]})
    numbers = Numbers.of(Series((Edition(Target(frame, ("q",), ("s",))),)))
    assert numbers.columns == ("s", "ward")
    assert numbers.about == ("s",)
    assert numbers.n_values == 2
    assert numbers.told.tolist() == [[0, 0]]


def test_without_anything_else_published_all_records_are_alike() -> None:
    numbers = Numbers.of(Series((Edition(Target(pl.DataFrame({"q": ["a", "a"]}), ("q",), ())),)))
    assert numbers.classes[0].counts.tolist() == [2]
    assert numbers.told.shape == (0, 1)


def test_records_that_have_gone_are_noticed() -> None:
    numbers = Numbers.of(releases(["[0-4)", "[0-4)"], ["1", "[4-6)"]))
    with pytest.raises(UnsupportedError, match="have left, or what is published of them has"):
        new_since(numbers.classes[0], numbers.classes[1], numbers.n_values)
