"""Loss bounds: any metric that never falls can be pruned by, and the best release is found."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import ClassVar

import pytest
from attrs import evolve, frozen
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable
from tests.tables.groups.plain import table_of
from tests.tables.methods.lattice.example import table_with
from tests.tables.methods.lattice.setting import Setting, settings
from tests.tables.methods.lattice.test_optimal import Opaque
from tests.witness.tree import Tree
from unlinkable.errors import InfeasibleError
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups, Partition
from unlinkable.tables.methods import MinGen, Optimal
from unlinkable.tables.methods.base.search import Solution, Task
from unlinkable.tables.methods.lattice.shared.lattice import Lattice, Node
from unlinkable.tables.methods.lattice.shared.loss_bounds import (
    CellLossBounds,
    LossBounds,
    MonotoneLossBounds,
    SizeLossBounds,
    loss_bounds_for,
)
from unlinkable.tables.methods.lattice.shared.rollup import RollUp
from unlinkable.tables.methods.shared.suppression import kept
from unlinkable.tables.metrics import (
    ClassificationMetric,
    Discernibility,
    ILoss,
    InformationGain,
    NonuniformEntropy,
)
from unlinkable.tables.metrics.base import GroupMetric, Shown
from unlinkable.tables.models import DistinctLDiversity, KAnonymity
from unlinkable.tables.models.base import All
from unlinkable.tables.publishing import anonymize

MONOTONE = [ClassificationMetric(), NonuniformEntropy(), InformationGain()]


def bound(metric: GroupMetric, random: RandomTable) -> GroupMetric:
    """Take the first sensitive column for the class."""
    if isinstance(metric, (ClassificationMetric, InformationGain)):
        return evolve(metric, target=random.sensitive[0])
    return metric


def counted(setting: Setting, metric: GroupMetric) -> tuple[Table, Groups]:
    table = table_of(setting.random)
    needs = {*setting.privacy.needs(), *metric.needs(table.schema)}
    return table, count(table, needs).finest


def released(table: Table, finest: Groups, privacy: All, node: Node) -> Partition:
    """What is left at a node when all groups that break the promise are left out."""
    whole = Partition.at_levels(finest, table.attributes, node)
    return whole.suppress(~kept(whole.groups(), privacy))


def all_losses(
    setting: Setting, table: Table, finest: Groups, metric: GroupMetric
) -> dict[Node, float]:
    """Measure every node that is a release, one by one."""
    losses = {}
    for node in Lattice.of(table.attributes).nodes():
        part = released(table, finest, setting.privacy, node)
        if part.n_suppressed <= setting.limit and part.n_parts:
            losses[node] = metric.loss(Shown.of(part, table.attributes))
    return losses


def search(
    method: Optimal | MinGen, setting: Setting, table: Table, finest: Groups, metric: GroupMetric
) -> Solution:
    share = Fraction(setting.limit, max(len(table), 1))
    return method.search(finest, setting.privacy, Task(table.attributes, metric, share))


@pytest.mark.parametrize("suppression", [False, True], ids=["all", "some"])
@pytest.mark.parametrize("unbound", MONOTONE, ids=str)
@given(data=st.data())
def test_the_best_of_all_nodes_is_found(
    unbound: GroupMetric, suppression: bool, data: st.DataObject
) -> None:
    setting = data.draw(settings(kinds="kdt", suppression=suppression))
    metric = bound(unbound, setting.random)
    table, finest = counted(setting, metric)
    losses = all_losses(setting, table, finest, metric)
    if not losses:
        with pytest.raises(InfeasibleError):
            search(Optimal(), setting, table, finest, metric)
        return
    found = search(Optimal(), setting, table, finest, metric)
    assert found.optimal
    assert found.node is not None
    loss = metric.loss(Shown.of(found.partition, table.attributes))
    assert loss == pytest.approx(min(losses.values()), abs=1e-12)
    assert losses[tuple(found.node.values())] == pytest.approx(loss, abs=1e-12)
    effort = found.effort
    assert effort["checked"] + effort["bounded"] + effort["pruned_below"] == effort["nodes"]
    by_hand = search(MinGen(), setting, table, finest, metric)
    if isinstance(metric, ClassificationMetric):  # It counts: equal losses are equal.
        assert by_hand.node == found.node
    assert metric.loss(Shown.of(by_hand.partition, table.attributes)) == pytest.approx(
        loss, abs=1e-12
    )


@pytest.mark.parametrize("unbound", MONOTONE, ids=str)
@given(data=st.data())
def test_what_a_node_loses_bounds_all_releases_above_it(
    unbound: GroupMetric, data: st.DataObject
) -> None:
    setting = data.draw(settings(kinds="kd"))
    metric = bound(unbound, setting.random)
    table, finest = counted(setting, metric)
    rollup = RollUp(finest, table.attributes, setting.privacy.needs())
    bounds = loss_bounds_for(rollup, metric, setting.limit)
    assert type(bounds) is MonotoneLossBounds
    nodes = list(Lattice.of(table.attributes).nodes())
    floors = {node: bounds.floor(node, None) for node in nodes}
    losses = all_losses(setting, table, finest, metric)
    for low, (node, loss) in product(nodes, losses.items()):
        if all(a <= b for a, b in zip(low, node, strict=True)):
            assert floors[low] <= loss + 1e-12


def patterned() -> Table:
    """A class that one of three columns tells: the other two may lose everything."""
    rows = [
        {"a": str(i % 2), "b": str(i % 4), "c": str(i % 8), "y": "yn"[i % 4 < 2]} for i in range(64)
    ]
    trees = {
        "a": Tree({v: (v, "*") for v in "01"}),
        "b": Tree({v: (v, "low" if int(v) < 2 else "high", "*") for v in "0123"}),
        "c": Tree({str(v): (str(v), "low" if v < 4 else "high", "*") for v in range(8)}),
    }
    return table_with(rows, trees, sensitive=["y"])


@frozen
class Unknown(NonuniformEntropy):
    """The same number, of which nothing is known but its values."""

    name: ClassVar[str] = "unknown"
    monotone: ClassVar[bool] = False


def test_nodes_are_pruned_that_the_plain_bounds_have_to_check() -> None:
    table = patterned()
    finest = count(table, [("y",)]).finest
    known, unknown = (
        Optimal().search(finest, All([KAnonymity(16)]), Task(table.attributes, metric, Fraction(0)))
        for metric in (NonuniformEntropy(), Unknown())
    )
    assert known.node == unknown.node
    assert known.effort == {
        "nodes": 18,
        "checked": 11,
        "bounded": 2,
        "pruned_below": 5,
        "groups": 96,
    }
    assert unknown.effort["bounded"] == 0
    assert unknown.effort["checked"] == 13


@pytest.mark.parametrize(
    ("metric", "kind"),
    [
        (ILoss(), CellLossBounds),
        (Discernibility(), SizeLossBounds),
        (NonuniformEntropy(), MonotoneLossBounds),
        (ClassificationMetric(target="y"), MonotoneLossBounds),
        (Opaque(), LossBounds),
    ],
    ids=["cells", "sizes", "entropy", "classes", "anything"],
)
def test_the_tightest_bounds_are_taken(metric: GroupMetric, kind: type[LossBounds]) -> None:
    table = patterned()
    rollup = RollUp(count(table, [("y",)]).finest, table.attributes, frozenset())
    assert type(loss_bounds_for(rollup, metric, 0)) is kind


def test_the_class_is_kept_where_the_guide_looks_at_it() -> None:
    """By the class alone the column that tells it stays; by cells the cheapest one is lost."""
    data = {"tells": ["x", "x", "y", "y"] * 4, "noise": ["u", "v"] * 8}
    table = as_table(
        {**data, "class": ["p", "p", "q", "q"] * 4},
        quasi=["tells", "noise"],
        target="class",
        importance={"noise": 9.0},
    )
    by_class = anonymize(table, privacy=KAnonymity(8), metric=ClassificationMetric())
    by_cells = anonymize(table, privacy=KAnonymity(8), metric=ILoss())
    assert by_class.solution.node == {"tells": 0, "noise": 1}
    assert by_cells.solution.node == {"tells": 1, "noise": 0}
    assert str(by_class.metric) == 'classification-metric(target="class")'
    assert by_class.measure() == 0.0


def test_a_guide_finds_its_class_among_other_columns_that_are_counted() -> None:
    """The promise counts the sensitive column as well."""
    table = as_table(
        {"a": list("xxyy"), "ill": list("uvuv"), "class": list("ppqq")},
        quasi="a",
        sensitive="ill",
        target="class",
    )
    for metric in (ClassificationMetric(), InformationGain()):
        release = anonymize(table, privacy=[KAnonymity(2), DistinctLDiversity(2)], metric=metric)
        assert release.solution.node == {"a": 0}
        assert release.metrics()[str(release.metric)] == release.measure(metric)
