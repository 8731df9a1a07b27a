"""Babu's iloss: the worked example, and its relation to ILoss."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from tests import cases
from tests.tables.groups.plain import rows_of_case, taxonomy_of
from tests.tables.metrics.random_releases import random_releases, records
from tests.tables.metrics.releases import range_of, shown_cells
from tests.witness.tree import Tree
from unlinkable.tables.metrics import BabuILoss, ILoss
from unlinkable.tables.metrics.base import Shown
from unlinkable.tables.taxonomies import Attribute


@pytest.mark.parametrize("which", ["", "2"])
def test_a_table_loses_the_sum_of_its_cells(which: str) -> None:
    case = cases.load("babu-iloss")
    weights = case["input"][f"weights{which}"]
    found = {name: Tree.nested(tree) for name, tree in case["input"]["taxonomies"].items()}
    attributes = tuple(Attribute(n, taxonomy_of(t), weights[n]) for n, t in found.items())
    rows = rows_of_case(case["input"]["table"])
    ranges = [[range_of(found[a], value) for a, value in row.items()] for row in rows]
    expected = case["expected"]
    assert (
        BabuILoss().value(shown_cells(attributes, ranges))
        == expected["table_weights2" if which else "table"]
    )
    if not which:
        each = [BabuILoss().value(shown_cells(attributes, [row])) for row in ranges]
        assert each == expected["tuple"]


def by_definition(shown: Shown) -> float:
    total = 0.0
    for record in records(shown):
        for j, attribute in enumerate(shown.attributes):
            n = attribute.taxonomy.n
            loss = 1.0 if record.ranges is None else (np.diff(record.ranges[j])[0] - 1) / n
            total += record.weight * attribute.importance * loss
    return total


@given(random_releases())
def test_says_what_the_definition_says(shown: Shown) -> None:
    assert BabuILoss().value(shown) == pytest.approx(by_definition(shown))


@given(random_releases())
def test_iloss_is_its_share_of_the_most(shown: Shown) -> None:
    most = shown.total_weight * sum(a.importance for a in shown.attributes)
    assert BabuILoss().value(shown) == pytest.approx(ILoss().value(shown) * most)


def test_a_root_loses_a_little_less_than_a_suppressed_cell() -> None:
    sex = taxonomy_of(Tree({v: (v, "*") for v in "fm"}))
    assert BabuILoss().cells(sex, np.array([0]), np.array([2])).tolist() == [0.5]
    assert BabuILoss().suppressed(sex) == 1
