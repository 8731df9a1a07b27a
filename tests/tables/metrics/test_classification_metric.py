"""Classification metric: the book's releases, the definition, and what merging does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import unlinkable as ul
from tests import cases
from tests.tables.metrics.class_releases import Drawn, releases_with_classes
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Partition
from unlinkable.tables.metrics import ClassificationMetric
from unlinkable.tables.metrics.base import Generalized


def cost_of(drawn: Drawn) -> float:
    return ClassificationMetric().value(drawn.shown)


def by_definition(drawn: Drawn) -> Fraction:
    """Ask every record for its penalty; of two equally frequent classes take the last."""
    penalties = 0
    for row, label in zip(drawn.rows, drawn.labels, strict=True):
        group = drawn.classes(label)
        majority = max(range(len(group)), key=lambda c: (group[c], c))
        for c, n in enumerate(row):
            penalties += n * (label < 0 or c != majority)
    return Fraction(penalties, sum(drawn.whole))


def test_example_6_3_a_class_of_four_among_twenty_costs_a_tenth() -> None:
    expected = cases.load("book-ch06-ex6.3-infogain-vs-igpl")["expected"]
    costs = []
    for name in ("final_infogain_table_6_5", "final_igpl_table_6_7"):
        rows = class_counts(expected[name], "YN")
        costs.append(cost_of(Drawn(rows, list(range(len(rows))))))
    assert costs == [4 / 40, 0.0]


def test_figure_6_8_boxes_separate_classes_that_columns_cannot() -> None:
    case = cases.load("book-ch06-fig6.8-single-vs-multidimensional")
    grid = case["input"]["grid_rows_are_age_ranks_columns_are_job_ranks"]
    cells = [(age, job) for age in range(6) for job in range(4)]
    table = ul.as_table(
        {
            "age": [age for age, _ in cells],
            "job": [job for _, job in cells],
            "y": [grid[age][job] for age, job in cells],
        },
        quasi=["age", "job"],
        target="y",
    )
    metric, expected = ClassificationMetric(), case["expected"]
    counted = count(table, metric.needs(table.schema))
    one_column = [
        {"Age": age, "Job": [0, 3]} for age in expected["example_single_dimensional"]["Age"]
    ]
    for boxes, misfits in [
        (one_column, expected["single_dimensional_min_misclassified"]),
        (expected["example_multidimensional"], expected["multidimensional_min_misclassified"]),
    ]:
        labels = [
            next(
                g
                for g, box in enumerate(boxes)
                if box["Age"][0] <= age <= box["Age"][1] and box["Job"][0] <= job <= box["Job"][1]
            )
            for age, job in cells
        ]
        finest_labels = np.empty(len(cells), np.int32)
        finest_labels[counted.labels] = labels
        partition = Partition.tight(counted.finest, finest_labels, len(boxes))
        release = Generalized.of(table, partition, counted.labels)
        assert metric.measure(release).value == misfits / len(cells)


@given(releases_with_classes())
def test_says_what_the_definition_says(drawn: Drawn) -> None:
    assert cost_of(drawn) == pytest.approx(float(by_definition(drawn)))


@given(releases_with_classes(), st.data())
def test_never_falls_when_groups_are_merged_or_left_out(drawn: Drawn, data: st.DataObject) -> None:
    assume(drawn.groups)
    group = st.integers(0, len(drawn.groups) - 1)
    merged = drawn.merged(data.draw(group), data.draw(group))
    for coarser in (merged, drawn.left_out(data.draw(group))):
        assert cost_of(drawn) <= cost_of(coarser) + 1e-12 <= 1 + 2e-12


@given(releases_with_classes(), st.data())
def test_never_falls_when_some_records_of_a_group_are_left_out(
    drawn: Drawn, data: st.DataObject
) -> None:
    gone = data.draw(st.sets(st.integers(0, len(drawn.rows) - 1)))
    rest = drawn.relabelled([-1 if i in gone else g for i, g in enumerate(drawn.labels)])
    assert cost_of(drawn) <= cost_of(rest) + 1e-12


def test_tells_who_is_left_out_and_who_is_in_the_minority() -> None:
    drawn = Drawn([[3, 1], [1, 0], [0, 5]], [0, -1, 1])
    shown = drawn.shown
    assert ClassificationMetric().details(shown) == {"left out": 0.1, "in the minority": 0.1}
    assert ClassificationMetric().value(shown) == 0.2


def test_all_is_lost_when_nothing_is_published() -> None:
    assert cost_of(Drawn([[3, 1], [0, 2]], [-1, -1])) == 1.0


def class_counts(given: Mapping[str, Any], classes: Sequence[str]) -> list[list[int]]:
    """Read the class columns of a table of a worked example."""
    places = [given["columns"].index(c) for c in classes]
    return [[row[i] for i in places] for row in given["rows"]]
