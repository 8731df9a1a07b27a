"""What ranges cost, in which order columns and rows come, and the bins of long columns."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import table_of
from tests.tables.methods.regions.setting import Setting
from unlinkable.kernels.local_recoding.greedy_clusters import price_boxes
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Partition
from unlinkable.tables.groups.partition import nameable
from unlinkable.tables.methods.regions.shared import range_prices as module
from unlinkable.tables.methods.regions.shared.range_prices import (
    MOST_BINS,
    Landscape,
    PricedRecords,
    list_prices,
    mean_prices,
)
from unlinkable.tables.metrics import (
    Discernibility,
    ILoss,
    MinimalDistortion,
    NormalizedCertaintyPenalty,
)
from unlinkable.tables.metrics.base import CellMetric, Shown


def people_with(n: int, *, missing: bool = False) -> Table:
    """Numbers whose taxonomy halves them, and texts that have none."""
    numbers = [*range(n), *([None] if missing else [])]
    texts = [None if x is None else f"v{x:05}" for x in numbers]
    return as_table({"a": numbers, "b": texts}, quasi=["a", "b"])


@given(tables(min_records=1), st.booleans(), st.sampled_from([ILoss(), MinimalDistortion()]))
def test_every_box_costs_what_it_would_lose(
    random: RandomTable, in_taxonomy: bool, metric: CellMetric
) -> None:
    people = table_of(random)
    attributes, keys = people.attributes, count(people).finest.keys
    lo, hi = keys.min(axis=0, keepdims=True), keys.max(axis=0, keepdims=True) + 1
    listed = list_prices(attributes, metric.cells, in_taxonomy=in_taxonomy)
    shown = nameable(lo, hi, attributes, in_taxonomy=in_taxonomy)
    lost = sum(
        float(metric.cells(a.taxonomy, shown[0][:, j], shown[1][:, j])[0])
        for j, a in enumerate(attributes)
    )
    assert price_boxes(lo, hi - 1, *listed)[0] == pytest.approx(lost)


@given(tables(min_records=1, max_records=12))
def test_columns_come_by_the_mean_price_of_two_records(random: RandomTable) -> None:
    people = table_of(random)
    finest, metric = count(people).finest, NormalizedCertaintyPenalty()
    listed = list_prices(people.attributes, metric.cells, in_taxonomy=False)
    means = mean_prices(finest.keys, listed)
    for j, attribute in enumerate(people.attributes):
        codes = finest.keys[:, j].tolist()
        pairs = [(min(a, b), max(a, b) + 1) for a in codes for b in codes]
        lo, hi = np.array(pairs, np.int32).T
        shown = nameable(lo[:, None], hi[:, None], [attribute])
        cells = metric.cells(attribute.taxonomy, shown[0][:, 0], shown[1][:, 0])
        assert means[j] == pytest.approx(cells.mean())
    prices = PricedRecords.of(finest, people.attributes, metric, in_taxonomy=False)
    arranged = np.argsort(-means, kind="stable")
    assert prices.keys.tolist() == finest.keys[:, arranged].tolist()


@given(tables(min_records=1))
def test_rows_are_sorted_by_the_column_that_differs_least(random: RandomTable) -> None:
    people = table_of(random)
    prices = PricedRecords.of(count(people).finest, people.attributes, ILoss(), in_taxonomy=True)
    rows = [tuple(row[::-1]) for row in prices.keys[prices.order].tolist()]
    assert rows == sorted(rows)
    assert sorted(prices.order.tolist()) == list(range(len(rows)))


def test_importance_multiplies_prices() -> None:
    people = as_table({"a": [1, 2, 3]}, quasi="a", importance={"a": 4.0})
    listed = list_prices(people.attributes, ILoss().cells, in_taxonomy=False)
    lo, hi = np.array([[0]], np.int32), np.array([[2]], np.int32)
    assert price_boxes(lo, hi, *listed).tolist() == [4 * 2 / 3]


def test_a_metric_of_sizes_is_replaced_by_the_certainty_penalty() -> None:
    people = people_with(9)
    finest = count(people).finest
    one, other = (
        PricedRecords.of(finest, people.attributes, metric, in_taxonomy=False)
        for metric in (Discernibility(), NormalizedCertaintyPenalty())
    )
    assert one.listed.table.tolist() == other.listed.table.tolist()


@pytest.mark.parametrize("in_taxonomy", [False, True])
@pytest.mark.parametrize("missing", [False, True])
def test_ranges_of_long_columns_cost_what_their_bins_do(in_taxonomy: bool, missing: bool) -> None:
    people = people_with(3000, missing=missing)
    listed = list_prices(people.attributes, ILoss().cells, in_taxonomy=in_taxonomy)
    assert (listed.plan[:, 2] <= MOST_BINS).all()
    rng = np.random.default_rng(1)
    ends = np.sort(rng.integers(0, 3000 + missing, (500, 2, 2)), axis=2).astype(np.int32)
    lo, hi = ends[..., 0], ends[..., 1]
    found = price_boxes(lo, hi, *listed)
    shown = nameable(lo, hi + 1, people.attributes, in_taxonomy=in_taxonomy)
    exact = sum(
        ILoss().cells(a.taxonomy, shown[0][:, j], shown[1][:, j])
        for j, a in enumerate(people.attributes)
    )
    assert (found >= exact - 1e-12).all()
    assert (found <= exact + 2 * 2 / 500).all() or in_taxonomy
    if in_taxonomy:  # texts without a tree: any two of them cost the root
        assert (found <= exact + 1 / 100).all()


def test_prices_never_fall_as_ranges_grow() -> None:
    people = people_with(2000, missing=True)
    for in_taxonomy in (False, True):
        listed = list_prices(people.attributes, ILoss().cells, in_taxonomy=in_taxonomy)
        hi = np.arange(700, 2001, dtype=np.int32)[:, None].repeat(2, axis=1)
        found = price_boxes(np.full_like(hi, 700), hi, *listed).tolist()
        assert all(a <= b for a, b in pairwise(found))


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
