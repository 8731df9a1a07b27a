"""Trials: errors counted by hand, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from tests.tables.metrics.people import at_levels, people
from unlinkable.errors import UnsupportedError
from unlinkable.tables.data import as_table
from unlinkable.tables.metrics import Classifier
from unlinkable.tables.metrics.base import Perturbed
from unlinkable.tables.metrics.shared.encoding import Unchanged
from unlinkable.tables.metrics.shared.learning_trials import Course, Records

N = 12


def records(classes: str, parts: list[int], weights: list[float] | None = None) -> Records:
    """Records that show nothing but their class."""
    table = as_table({"y": list(classes)}, target="y")
    given = None if weights is None else np.array(weights)
    return Records.of(Perturbed(table, table.frame, None, given), "y", np.array(parts, np.int32))


def course(n_rounds: int) -> Course:
    return Course(Classifier.DECISION_TREE, 0, n_rounds, 1, None)


def test_every_record_is_tried_in_its_round_by_what_the_others_tell() -> None:
    # Without the first four, a is the most frequent; without the next four b; without the last a.
    found = records("aabb" + "aaaa" + "bbbb" + "aa", [0] * 4 + [1] * 4 + [2] * 4 + [-1] * 2)
    n_wrong = 2 + 4 + 4
    assert course(3).errors(0, "all", found, found) == [n_wrong / N]


def test_records_that_are_tried_in_no_round_are_always_learned_from() -> None:
    found = records("bbbb" + "a" * 8, [0] * 4 + [-1] * 8)
    assert course(1).errors(0, "all", found, found) == [1]


def test_errors_count_by_the_people_that_records_stand_for() -> None:
    weights = [1.0, 3.0] + [1.0] * 10
    found = records("ab" + "a" * 10, [0, 0] + [-1] * 10, weights)
    assert course(1).errors(0, "all", found, found) == [0.75]


def test_records_that_stand_for_nobody_are_not_there() -> None:
    weights = [0.0] * 9 + [1.0] * 11
    found = records("b" * 9 + "a" * 10 + "b", [-1] * 18 + [0, 0], weights)
    assert found.classes.size == len(found.features) == found.parts.size == 11
    assert course(1).errors(0, "all", found, found) == [0.5]


def test_the_class_is_no_feature() -> None:
    table = people(30)
    found = Records.of(Unchanged.of(table), "buys", np.zeros(30, np.int32))
    assert set(found.features.columns) == {"age", "job", "region", "since"}
    assert set(found.of_columns(("job",)).features.columns) == {"job"}


def test_refuses_a_handful_of_records() -> None:
    table = people(9)
    with pytest.raises(UnsupportedError, match="9 generalized records are too few to learn from"):
        Records.of(at_levels(table, [0, 0]), "buys", np.zeros(9, np.int32))


@pytest.mark.parametrize(
    ("part", "message"),
    [(0, "no published record to learn from"), (-1, "no published record to be tried on")],
    ids=["all tried", "none tried"],
)
def test_refuses_a_split_that_leaves_nothing(part: int, message: str) -> None:
    found = records("ab" * 6, [part] * N)
    with pytest.raises(UnsupportedError, match=message):
        course(1).errors(0, "all", found, found)
