"""What is left to be told of targets: whole tables, exact sums, and numbers of any size."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import numpy as np
import pytest

from tests import cases
from tests.witness.workload import entropy_of_parts, error_of_parts
from unlinkable.tables.data import as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Histogram
from unlinkable.tables.methods.regions.shared.cuts import Cuts
from unlinkable.tables.methods.regions.shared.ground import Ground
from unlinkable.tables.methods.regions.shared.workload import (
    Classes,
    Numbers,
    Workload,
    target_counts,
)
from unlinkable.typing import FloatArray


def counts_of(values: Sequence[Any]) -> tuple[Histogram, Cuts]:
    """Count a target of records that show 0, 1, 2, ..., and list all cuts of them."""
    people = as_table({"a": range(len(values)), "t": values}, quasi="a", target="t")
    finest = count(people, [("t",)]).finest
    ground = Ground.of(finest, people.attributes, np.zeros(1, bool))
    regions = ground.whole()
    first = np.zeros(1, np.int64), np.zeros(1, np.int32)
    cuts = Cuts.on(ground, regions, *first, least=1, strict=True)
    return target_counts(finest, ("t",)), cuts


def errors_left(numbers: Sequence[int]) -> list[float]:
    halves = [[list(numbers[:i]), list(numbers[i:])] for i in range(1, len(numbers))]
    return [float(error_of_parts(both) - error_of_parts([numbers])) for both in halves]


def test_bits_of_the_whole_table_and_of_its_cuts() -> None:
    histogram, cuts = counts_of("yynny")
    classes = Classes.of(histogram)
    assert classes.whole == pytest.approx(5 * entropy_of_parts(["yynny"]))
    expected = [5 * entropy_of_parts(["yynny"[:i], "yynny"[i:]]) for i in range(1, 5)]
    assert classes(cuts) == pytest.approx(expected)


STEPS = [3, -1, 0, 3, 1]


@pytest.mark.parametrize(
    ("steps", "unit"),
    [
        (STEPS, 1),
        (STEPS, 0.01),
        (STEPS, 1 / 3),
        (STEPS, 10**12),
        (STEPS, 1e-30),
        ([1, -1, 0, 1], 2**61),
    ],
    ids=str,
)
def test_deviance_of_the_whole_table_and_of_its_cuts(steps: list[int], unit: float) -> None:
    histogram, cuts = counts_of([step * unit for step in steps])
    found = Numbers.of("t", histogram)
    assert found.whole == pytest.approx(float(error_of_parts([steps])) * unit**2)
    assert found(cuts) / unit**2 == pytest.approx(errors_left(steps))


def test_times_count_in_days() -> None:
    times = [datetime(2020, 1, day, 12, 30, 15, 123456) for day in (1, 2, 9, 5)]
    histogram, cuts = counts_of(times)
    assert Numbers.of("t", histogram)(cuts) == pytest.approx(errors_left([1, 2, 9, 5]))


def test_missing_numbers_are_left_out() -> None:
    histogram, cuts = counts_of([1, None, 2, None, 9])
    found = Numbers.of("t", histogram)
    assert found.whole == pytest.approx(38.0)
    assert found.known.tolist() == [1, 0, 1, 0, 1]
    left = errors_left([1, 2, 9])
    assert found(cuts) == pytest.approx([left[0], left[0], left[1], left[1]])


def test_large_numbers_do_not_hide_small_ones() -> None:
    histogram, cuts = counts_of([0.5, 0.25, 0.75, 0.5, 1e9])
    found = Numbers.of("t", histogram)
    assert found.unit == 0.01
    # Without the large number the rest is told as if it had never been there.
    part, inner = counts_of([0.5, 0.25, 0.75, 0.5])
    assert Numbers.of("t", part)(inner) == pytest.approx(
        [x / 16 for x in errors_left([2, 1, 3, 2])]
    )
    assert np.argmin(found(cuts)) == 3


def test_several_targets_are_added_up_as_in_the_book() -> None:
    case = cases.load("book-ch06-derived-eq6.4-6.7-mondrian-metrics")
    given, expected = case["input"]["multi"], case["expected"]
    _, cuts = counts_of("ab")

    def told(amounts: list[float], *, by_share: bool = False) -> float:
        targets = tuple(Fixed(amount, whole=2 * amount) for amount in amounts)
        return float(Workload(targets, by_share)(cuts)[0])  # type: ignore[arg-type]

    assert told(given["Entropy"]) == expected["sum_Entropy"]
    assert told(given["Error2"]) == expected["sum_Error2"]
    assert told([*given["Entropy"], *given["Error2"]], by_share=True) == 4 / 2
    assert told([0.0, 7.0], by_share=True) == 0.5


class Fixed:
    """A target of which a given amount is left."""

    def __init__(self, amount: float, whole: float) -> None:
        self.amount, self.whole = amount, whole

    def __call__(self, cuts: Cuts) -> FloatArray:
        return np.full(len(cuts), self.amount)
