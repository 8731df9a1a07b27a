"""What metrics have in common: the definitions on random releases, weights, empty tables."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import numpy as np
import pytest
from attrs import evolve, frozen
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import table_of, taxonomy_of
from tests.tables.metrics.drawn import Drawn, releases
from tests.tables.metrics.releases import shown_cells
from tests.tables.metrics.test_minimal_distortion import steps
from tests.witness import metrics
from tests.witness.methods import Problem
from tests.witness.metrics import Cell, Published
from tests.witness.tree import Tree
from unlinkable.errors import UnsupportedError
from unlinkable.tables.data import as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Partition
from unlinkable.tables.metrics import ILoss, MinimalDistortion, NormalizedCertaintyPenalty
from unlinkable.tables.metrics.base import CellMetric, GroupMetric, Perturbed, Shown
from unlinkable.tables.taxonomies import Attribute

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
    loss = metric.value(Shown.of(partition, attributes))
    assert loss == pytest.approx(float(by_definition(metric, published, table, weights)))


@pytest.mark.parametrize("metric", METRICS, ids=str)
def test_records_that_weigh_more_cost_more(metric: CellMetric) -> None:
    attributes = (Attribute("a", taxonomy_of(Tree({v: (v, "*") for v in "abcd"}))),)
    ranges = [[(0, 1)], [(0, 4)]]
    light, heavy = (shown_cells(attributes, ranges, [1.0, w]) for w in (1.0, 3.0))
    assert metric.value(heavy) > metric.value(light)


def test_an_empty_table_has_lost_nothing() -> None:
    empty = shown_cells((Attribute("a", taxonomy_of(Tree({"a": ("a", "*")}))),), [])
    assert empty.n_records == 0
    for metric in METRICS:
        assert metric.value(empty) == 0
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


@given(releases())
def test_groups_hide_what_their_records_hide(drawn: Drawn) -> None:
    """Boxes, sizes, weights and classes of every group and of what is left out, in plain loops."""
    shown = drawn.generalized().shown
    kept, left_out = shown.hidden(("y",))
    weights = drawn.weights or [1] * len(drawn.rows)
    records = list(zip(drawn.rows, drawn.boxes, weights, strict=True))
    leaves = [str(value) for value in sorted({str(row["y"]) for row in drawn.rows})]
    boxes = sorted({box for box in drawn.boxes if box is not None})
    dense = np.zeros((len(boxes), kept.n_values), int)
    dense[kept.row, kept.values] = kept.counts
    for g, box in enumerate(boxes):
        members = [(row, w) for row, b, w in records if b == box]
        assert [*zip(shown.lo[g].tolist(), shown.hi[g].tolist(), strict=True)] == list(box)
        assert shown.sizes[g] == len(members)
        assert shown.weights[g] == sum(w for _, w in members)
        classes = [str(row["y"]) for row, _ in members]
        assert dense[g].tolist() == [classes.count(leaf) for leaf in leaves]
    gone = [(str(row["y"]), w) for row, b, w in records if b is None]
    assert len(shown.sizes) == len(boxes)
    assert left_out.tolist() == [sum(y == leaf for y, _ in gone) for leaf in leaves]
    assert (shown.n_suppressed, shown.suppressed_weight) == (len(gone), sum(w for _, w in gone))
    assert (shown.n_records, shown.total_weight) == (len(records), sum(weights))


@given(releases())
def test_knows_what_every_code_weighed_before(drawn: Drawn) -> None:
    weights = drawn.weights or [1] * len(drawn.rows)
    expected = [
        [
            sum(w for row, w in zip(drawn.rows, weights, strict=True) if row[a] == value)
            for value in domain
        ]
        for a, domain in drawn.domains.items()
    ]
    assert [x.tolist() for x in drawn.generalized().shown.before] == expected


def test_what_was_not_counted_is_not_told() -> None:
    table = as_table({"a": ["x"], "y": ["u"], "z": ["v"]}, quasi="a", insensitive=["y", "z"])
    partition = Partition.whole(count(table, [("y",)]).finest)
    shown = Shown.of(partition, table.attributes)
    assert shown.hidden(("y",))[1].tolist() == [0]
    with pytest.raises(UnsupportedError, match="the values of y, z were not counted"):
        shown.hidden(("y", "z"))


@pytest.mark.parametrize("ask", ["finest", "labels", "before", "origin"])
def test_without_a_partition_nobody_knows_which_record_is_where(ask: str) -> None:
    letters = taxonomy_of(Tree({v: (v, "*") for v in "ab"}))
    shown = shown_cells((Attribute("a", letters),), [[(0, 1)]])
    with pytest.raises(UnsupportedError, match="is not known here: measure the bundle, or a table"):
        getattr(shown, ask)


@frozen
class Groups(GroupMetric):
    """How many groups there are: more is better."""

    name: ClassVar[str] = "groups"
    reference: ClassVar[str] = "none"
    higher_is_better: ClassVar[bool] = True

    def value(self, shown: Shown) -> float:
        return float(len(shown.sizes))


@given(releases())
def test_a_search_keeps_small_what_is_better_large(drawn: Drawn) -> None:
    shown = drawn.generalized().shown
    assert Groups().loss(shown) == -Groups().value(shown)
    assert ILoss().loss(shown) == ILoss().value(shown)
    assert Groups().needs(drawn.generalized().original.schema) == frozenset()


@given(releases())
def test_the_whole_is_the_mean_of_its_attributes_by_importance(drawn: Drawn) -> None:
    published = drawn.generalized()
    for metric in METRICS:
        told = metric.measure(published)
        assert list(told.details) == list(drawn.qid)
        assert told.value == metric.measure(published).value == metric.value(published.shown)
        weights = [drawn.importance[a] for a in drawn.qid]
        mean = sum(w * x for w, x in zip(weights, told.details.values(), strict=True))
        assert told.value == pytest.approx(mean / sum(weights) * metric.scale(published.shown))


@pytest.mark.parametrize("metric", [*METRICS, Groups()], ids=str)
def test_other_kinds_of_releases_are_refused(metric: GroupMetric) -> None:
    table = as_table({"a": [1, 2]}, quasi="a")
    with pytest.raises(
        UnsupportedError,
        match=f"{metric} cannot measure a perturbed release: it measures how far values were "
        "generalized; it reads generalized releases",
    ):
        metric.measure(Perturbed(table, table.frame, None))
