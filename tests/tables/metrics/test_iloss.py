"""ILoss: the worked examples of the book and of the thesis."""

from __future__ import annotations

import numpy as np
import pytest

from tests import cases
from tests.tables.groups.plain import rows_of_case, taxonomy_of
from tests.tables.metrics.releases import range_of, shown_cells
from tests.witness.tree import Tree
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.taxonomies import Attribute


def test_a_professional_loses_a_quarter_and_the_root_three() -> None:
    case = cases.load("book-ch04-iloss")
    job = Tree.nested(case["input"]["taxonomy"])
    for label, loss in case["expected"]["ILoss"].items():
        lo, hi = range_of(job, label)
        assert ILoss().cells(taxonomy_of(job), np.array([lo]), np.array([hi])).tolist() == [loss]


@pytest.mark.parametrize("which", ["", "2"])
def test_a_table_loses_the_mean_of_its_cells(which: str) -> None:
    case = cases.load("babu-iloss")
    weights = case["input"][f"weights{which}"]
    found = {name: Tree.nested(tree) for name, tree in case["input"]["taxonomies"].items()}
    attributes = tuple(Attribute(n, taxonomy_of(t), weights[n]) for n, t in found.items())
    rows = rows_of_case(case["input"]["table"])
    release = shown_cells(
        attributes, [[range_of(found[a], value) for a, value in row.items()] for row in rows]
    )
    sum_of_records = case["expected"]["table_weights2" if which else "table"]
    scale = len(rows) * sum(weights.values())
    assert ILoss().value(release) == pytest.approx(sum_of_records / scale)


def test_a_suppressed_record_loses_more_than_one_that_shows_only_roots() -> None:
    taxonomy = taxonomy_of(Tree({v: (v, "*") for v in "ab"}))
    assert ILoss().cells(taxonomy, np.array([0]), np.array([2]))[0] == 0.5
    assert ILoss().suppressed(taxonomy) == 1
