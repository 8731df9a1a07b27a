"""Prices: what ranges cost, in which order columns and rows come, and the bins of long columns."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import table_of
from unlinkable.kernels.local_recoding.gathering import price_boxes
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups.partition import nameable
from unlinkable.tables.methods.regions.shared.prices import (
    MOST_BINS,
    Prices,
    list_prices,
    mean_prices,
)
from unlinkable.tables.metrics import (
    Discernibility,
    ILoss,
    MinimalDistortion,
    NormalizedCertaintyPenalty,
)
from unlinkable.tables.metrics.base import CellMetric


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
    prices = Prices.of(finest, people.attributes, metric, in_taxonomy=False)
    arranged = np.argsort(-means, kind="stable")
    assert prices.keys.tolist() == finest.keys[:, arranged].tolist()


@given(tables(min_records=1))
def test_rows_are_sorted_by_the_column_that_differs_least(random: RandomTable) -> None:
    people = table_of(random)
    prices = Prices.of(count(people).finest, people.attributes, ILoss(), in_taxonomy=True)
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
        Prices.of(finest, people.attributes, metric, in_taxonomy=False)
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
