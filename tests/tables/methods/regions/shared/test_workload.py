"""What is left to be told of targets: whole tables, exact sums, and numbers of any size."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import numpy as np
import pytest

from tests import cases
from tests.witness.workload import entropy_of_parts, error_of_parts
from unlinkable.errors import ParameterError, SchemaError, UnsupportedError
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Histogram
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.regions import Combine, InfoGainMondrian, LSDMondrian
from unlinkable.tables.methods.regions.shared.region_cuts import Cuts
from unlinkable.tables.methods.regions.shared.region_layout import RegionLayout
from unlinkable.tables.methods.regions.shared.workload import (
    Classes,
    GuidedMethod,
    Numbers,
    Workload,
    target_counts,
)
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.models import AverageRisk, KAnonymity
from unlinkable.tables.models.base import All
from unlinkable.typing import FloatArray


def counts_of(values: Sequence[Any]) -> tuple[Histogram, Cuts]:
    """Count a target of records that show 0, 1, 2, ..., and list all cuts of them."""
    people = as_table({"a": range(len(values)), "t": values}, quasi="a", target="t")
    finest = count(people, [("t",)]).finest
    layout = RegionLayout.of(finest, people.attributes, np.zeros(1, bool))
    regions = layout.whole()
    first = np.zeros(1, np.int64), np.zeros(1, np.int32)
    cuts = Cuts.on(layout, regions, *first, least=1, strict=True)
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


METHODS: list[type[GuidedMethod]] = [InfoGainMondrian, LSDMondrian]

each_method = pytest.mark.parametrize("kind", METHODS, ids=lambda kind: kind.name)


def people(**roles: Any) -> Table:
    data = {"a": [1, 2, 3, 4], "x": [1, 1, 2, 2], "y": [5, 6, 7, 8]}
    return as_table(data, **{"quasi": "a", **roles})


@each_method
def test_all_targets_are_told_if_none_is_named(kind: type[GuidedMethod]) -> None:
    both = people(target=["x", "y"])
    bound = kind().bind(both.schema)
    assert bound.targets == ("x", "y")
    assert kind().needs(both.schema) == {("x",), ("y",)}
    assert kind("y").bind(both.schema).targets == ("y",)  # type: ignore[call-arg]
    assert bound.bind(both.schema) == bound


@each_method
def test_without_a_target_the_sensitive_column_is_told(kind: type[GuidedMethod]) -> None:
    table = people(sensitive="x", insensitive="y")
    assert kind().bind(table.schema).targets == ("x",)


def test_a_product_is_counted_together() -> None:
    method = InfoGainMondrian(combine=Combine.PRODUCT)
    assert method.needs(people(target=["x", "y"]).schema) == {("x", "y")}


@each_method
def test_refuses_a_table_without_targets(kind: type[GuidedMethod]) -> None:
    with pytest.raises(SchemaError, match="no column has the role target"):
        kind().bind(people(insensitive=["x", "y"]).schema)


@each_method
def test_refuses_columns_that_tell_nothing(kind: type[GuidedMethod]) -> None:
    table = people(target="x", identifiers="y")
    for name in ("y", "z"):
        with pytest.raises(SchemaError, match=f"no target '{name}' .*to be told"):
            kind(name).bind(table.schema)  # type: ignore[call-arg]


@each_method
def test_refuses_to_search_without_a_target(kind: type[GuidedMethod]) -> None:
    table = people(target="x", insensitive="y")
    task = Task(table.attributes, ILoss())
    with pytest.raises(SchemaError, match="does not know what is to be told: name the columns"):
        kind().search(count(table).finest, All([KAnonymity(1)]), task)


@each_method
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"targets": []}, "targets must name a column"),
        ({"targets": ["x", "x"]}, "'x' is named twice"),
        ({"combine": "all"}, "combine must be one of 'sum', 'shares', 'product', got 'all'"),
        ({"along": "tree"}, "along must be one of 'labels', 'order', 'taxonomy', got 'tree'"),
        ({"labels": "nodes"}, "labels must be one of 'intervals', 'taxonomy', got 'nodes'"),
        ({"strict": "yes"}, "strict must be true or false, got 'yes'"),
    ],
)
def test_refuses_options_that_mean_nothing(
    kind: type[GuidedMethod], options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ParameterError, match=message):
        kind(**options)


@each_method
def test_refuses_a_promise_about_all_groups_together(kind: type[GuidedMethod]) -> None:
    privacy = All([AverageRisk("1/3")])
    assert privacy.models[0].collective
    with pytest.raises(UnsupportedError, match=r"compares halves one by one.*default split"):
        kind("x").require(privacy, may_suppress=False)  # type: ignore[call-arg]
