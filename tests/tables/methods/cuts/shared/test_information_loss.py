"""What generalizations lose: the score of the way back, and the rise of a loss."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import load
from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import finest_of, table_of
from tests.tables.methods.lattice.example import table_with
from tests.witness.classes import ilpg_of_step
from tests.witness.tree import Tree
from unlinkable.tables.data import Table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.cuts.shared.information_loss import (
    Fixed,
    Measured,
    OfSizes,
    by_class,
    by_metric,
)
from unlinkable.tables.methods.cuts.shared.tea import TeaIndex
from unlinkable.tables.metrics import (
    AverageClassSize,
    Discernibility,
    ILoss,
    MinimalDistortion,
    NormalizedCertaintyPenalty,
)
from unlinkable.tables.metrics.base import GroupMetric, Shown
from unlinkable.tables.metrics.classification_metric import ClassificationMetric


def education_table() -> Table:
    """Table 6.3 of the book, with the class in a column of its own."""
    given = load("book-ch06-ex6.3-infogain-vs-igpl")["input"]
    rows = []
    for education, sex, hours, n_yes, n_no, _ in given["table"]["rows"]:
        row = {"Education": education, "Sex": sex, "Work_Hrs": str(hours)}
        rows += [{**row, "Class": "Y"}] * n_yes + [{**row, "Class": "N"}] * n_no
    trees = {
        "Education": Tree.nested(given["taxonomies"]["Education"]),
        "Sex": Tree.nested(given["taxonomies"]["Sex"]),
        "Work_Hrs": Tree.nested({"[1-99)": {"30": {}, "40": {}}}),
    }
    return table_with(rows, trees, sensitive=["Class"])


def test_the_gains_of_example_6_3() -> None:
    table, printed = education_table(), load("book-ch06-ex6.3-infogain-vs-igpl")["expected"]
    index = TeaIndex(count(table, [("Class",)]).finest, table.attributes)
    lost = by_class(index, "Class")
    expected = [printed["printed"][v]["InfoGain"] for v in ("ANY_Edu", "ANY_Sex", "[1-99)")]
    roots = [int(first) for first in index.starts[:-1]]
    assert [lost.of(root) for root in roots] == pytest.approx(expected, abs=1e-4)


def test_a_loss_per_gain_is_the_score_of_the_literature() -> None:
    table = education_table()
    index = TeaIndex(count(table, [("Class",)]).finest, table.attributes)
    lost = by_class(index, "Class").of(0)
    # From 2 to 6 records in the smallest group, with classes as the book prints them.
    children = ["N" * 4, "N" * 12, "Y" * 20 + "N" * 4]
    assert ilpg_of_step(children, [6 - 2]) == pytest.approx(lost / 4)


METRICS: list[tuple[GroupMetric, type]] = [
    (ILoss(), Fixed),
    (NormalizedCertaintyPenalty(), Fixed),
    (MinimalDistortion(), Fixed),
    (Discernibility(), OfSizes),
    (AverageClassSize(2), OfSizes),
    (ClassificationMetric("s0"), Measured),
]


@given(
    tables(min_records=1, max_records=14, max_qid=3),
    st.sampled_from(METRICS),
    st.data(),
)
def test_a_rise_is_the_difference_of_two_measurements(
    random: RandomTable, chosen: tuple[GroupMetric, type], data: st.DataObject
) -> None:
    metric, kind = chosen
    finest, attributes = finest_of(random), table_of(random).attributes
    index = TeaIndex(finest, attributes)
    lost = by_metric(index, attributes, metric)
    assert type(lost) is kind
    while index.is_open.any():
        now = metric.loss(Shown.of(index.partition(), attributes))
        is_open = np.flatnonzero(index.is_open).tolist()
        for node in is_open:
            after = metric.loss(Shown.of(index.partition_after(index.look(node)), attributes))
            assert lost.of(node) == pytest.approx(after - now, abs=1e-9)
        step = index.look(data.draw(st.sampled_from(is_open)))
        lost.follow(step)
        index.apply(step)


@given(tables(min_records=1, max_records=14, max_qid=2, max_sensitive=1))
def test_towards_a_class_all_that_counts_is_what_the_children_tell(random: RandomTable) -> None:
    finest, attributes = finest_of(random), table_of(random).attributes
    index = TeaIndex(finest, attributes)
    lost = by_class(index, "s0")
    for node in np.flatnonzero(index.is_open).tolist():
        step = index.look(node)
        column, children = index.children(node)
        rows = [
            [
                sum(
                    n
                    for g in step.rows[index.nodes[step.rows, column] == child].tolist()
                    for v, n in _entries(finest, g)
                    if v == value
                )
                for value in range(finest.histograms["s0",].n_values)
            ]
            for child in children
        ]
        plain = _entropy([sum(counts) for counts in zip(*rows, strict=True)])
        n = sum(map(sum, rows))
        plain -= sum(sum(counts) / n * _entropy(counts) for counts in rows)
        assert lost.of(node) == pytest.approx(plain, abs=1e-9)


def _entries(finest: Groups, group: int) -> list[tuple[int, int]]:
    h = finest.histograms["s0",]
    at = slice(h.indptr[group], h.indptr[group + 1])
    return list(zip(h.values[at].tolist(), h.counts[at].tolist(), strict=True))


def _entropy(counts: list[int]) -> float:
    n = sum(counts)
    return -sum(c / n * float(np.log2(c / n)) for c in counts if c) if n else 0.0
