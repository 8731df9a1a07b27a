"""Landscape: costs against the metric, nodes in order, and what happens to large columns."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.methods.regions.setting import Setting
from unlinkable.tables.data import as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Partition
from unlinkable.tables.methods.regions.shared import landscape as module
from unlinkable.tables.methods.regions.shared.landscape import Landscape
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.metrics.base import Shown

SOME = tables(min_records=1, owner=False)


@given(SOME, st.booleans(), st.data())
def test_a_box_costs_what_the_metric_says(
    random: RandomTable, in_taxonomy: bool, data: st.DataObject
) -> None:
    setting = Setting.of(random)
    land = Landscape.of(setting.finest, setting.attributes, ILoss(), in_taxonomy=in_taxonomy)
    n = len(setting.finest)
    rows = sorted(data.draw(st.sets(st.integers(0, n - 1), min_size=1)))
    labels = np.full(n, -1, np.int32)
    labels[rows] = 0
    tight = Partition.tight(setting.finest, labels, 1)
    shown = tight.publishable(setting.attributes, in_taxonomy=in_taxonomy)
    price = sum(
        land.prices.prices[
            land.prices.starts[j]
            + land.keys[rows, j].min() * land.prices.n_codes[j]
            + land.keys[rows, j].max()
        ]
        for j in range(land.keys.shape[1])
    )
    cells = [
        a.importance * ILoss().cells(a.taxonomy, shown.lo[:, j], shown.hi[:, j])[0]
        for j, a in enumerate(setting.attributes)
    ]
    assert np.isclose(price, sum(cells))


@given(SOME)
def test_nodes_come_in_the_order_of_what_records_cost_there(random: RandomTable) -> None:
    setting = Setting.of(random)
    land = Landscape.of(setting.finest, setting.attributes, ILoss(), in_taxonomy=True)
    nodes = land.nodes()
    heights = [len(a.taxonomy.levels) for a in setting.attributes]
    assert len({tuple(node) for node in nodes.tolist()}) == len(nodes) == np.prod(heights)
    losses = []
    for node in nodes:
        partition = Partition.at_levels(setting.finest, setting.attributes, node.tolist())
        losses.append(ILoss().loss(Shown.of(partition, setting.attributes)))
    assert (np.diff(losses) >= -1e-9).all()


def test_of_a_large_lattice_levels_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    people = as_table({"a": list(range(16)), "b": list(range(16))}, quasi=["a", "b"])
    finest = count(people).finest
    land = Landscape.of(finest, people.attributes, ILoss(), in_taxonomy=True)
    everything = land.nodes()
    tops = everything.max(axis=0)
    for most in (5, 2):
        monkeypatch.setattr(module, "_MOST_NODES", most)
        nodes = land.nodes()
        assert len(nodes) <= max(most, 4)
        assert (nodes[0] == 0).all()
        assert (nodes[-1] == tops).all()


def test_columns_with_many_values_are_searched_in_stretches(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_MOST_CODES", 4)
    people = as_table({"a": list(range(10))}, quasi="a")
    land = Landscape.of(count(people).finest, people.attributes, ILoss(), in_taxonomy=False)
    assert land.keys[:, 0].tolist() == [0, 0, 1, 1, 1, 2, 2, 3, 3, 3]
    assert land.prices.prices[0 * 4 + 3] == pytest.approx(9 / 10)
    assert land.prices.prices[1 * 4 + 1] == pytest.approx(2 / 10)
