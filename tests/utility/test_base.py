"""What metrics have in common: the definitions on random releases, weights, empty tables."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from tests.groups.plain import table_of, taxonomy_of
from tests.strategies import RandomTable, tables
from tests.utility.releases import shown_cells
from tests.utility.test_minimal_distortion import steps
from tests.witness import metrics
from tests.witness.methods import Problem
from tests.witness.metrics import Cell, Published
from tests.witness.tree import Tree
from unlinkable.engines import count
from unlinkable.groups import Partition
from unlinkable.table import Attribute
from unlinkable.utility import ILoss, MinimalDistortion, NormalizedCertaintyPenalty
from unlinkable.utility.base import CellMetric, Shown

METRICS = [ILoss(), NormalizedCertaintyPenalty(), MinimalDistortion()]


def by_definition(
    metric: CellMetric, published: list[Published], table: RandomTable, weights: dict[str, int]
) -> Fraction:
    match metric:
        case ILoss():
            return metrics.iloss(published, table.trees, table.qid, weights)
        case NormalizedCertaintyPenalty():
            return metrics.normalized_certainty_penalty(published, table.trees, table.qid, weights)
        case _:
            return metrics.minimal_distortion(published, table.trees, table.qid, weights)


@pytest.mark.parametrize("metric", METRICS, ids=str)
@given(table=tables(max_qid=3), data=st.data())
def test_says_what_the_definition_says(
    metric: CellMetric, table: RandomTable, data: st.DataObject
) -> None:
    node = {a: data.draw(st.integers(0, table.trees[a].height)) for a in table.qid}
    weights = {a: data.draw(st.integers(1, 3)) for a in table.qid}
    problem = Problem(table.rows, table.qid, table.trees, [])
    recoded = [tuple(row[a] for a in table.qid) for row in problem.generalize(node)]
    gone = data.draw(st.sets(st.sampled_from(recoded))) if recoded else set()
    published: list[Published] = [
        None if shown in gone else _cells(table, node, shown) for shown in recoded
    ]

    attributes = tuple(evolve(a, importance=weights[a.name]) for a in table_of(table).attributes)
    whole = Partition.at_levels(
        count(table_of(table)).finest, attributes, [node[a] for a in table.qid]
    )
    labels = [_labels(table, node, lo) for lo in whole.lo.tolist()]
    partition = whole.suppress(np.array([shown in gone for shown in labels], bool))
    loss = metric.measure(Shown.of(partition, attributes))
    assert loss == pytest.approx(float(by_definition(metric, published, table, weights)))


@pytest.mark.parametrize("metric", METRICS, ids=str)
def test_records_that_weigh_more_cost_more(metric: CellMetric) -> None:
    attributes = (Attribute("a", taxonomy_of(Tree({v: (v, "*") for v in "abcd"}))),)
    ranges = [[(0, 1)], [(0, 4)]]
    light, heavy = (shown_cells(attributes, ranges, [1.0, w]) for w in (1.0, 3.0))
    assert metric.measure(heavy) > metric.measure(light)


def test_an_empty_table_has_lost_nothing() -> None:
    empty = shown_cells((Attribute("a", taxonomy_of(Tree({"a": ("a", "*")}))),), [])
    assert empty.n_records == 0
    for metric in METRICS:
        assert metric.measure(empty) == 0
        assert metric.by_attribute(empty).tolist() == [0.0]


def test_importance_adds_up_to_one() -> None:
    letters = taxonomy_of(Tree({v: (v, "*") for v in "ab"}))
    release = shown_cells((Attribute("a", letters, 3.0), Attribute("b", letters)), [])
    assert release.importance.tolist() == [0.75, 0.25]
    assert shown_cells((), []).importance.tolist() == []


def _cells(table: RandomTable, node: dict[str, int], shown: tuple[object, ...]) -> dict[str, Cell]:
    cells = {}
    for a, label in zip(table.qid, shown, strict=True):
        tree = table.trees[a]
        cells[a] = Cell(label, tree.n_leaves_under(node[a], label), steps(tree, node[a], label))
    return cells


def _labels(table: RandomTable, node: dict[str, int], lo: list[int]) -> tuple[object, ...]:
    leaves = [table.trees[a].leaves[code] for a, code in zip(table.qid, lo, strict=True)]
    pairs = zip(table.qid, leaves, strict=True)
    return tuple(table.trees[a].generalize(leaf, node[a]) for a, leaf in pairs)
