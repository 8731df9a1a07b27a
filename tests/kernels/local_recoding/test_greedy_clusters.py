"""Putting clusters together and parting them: kernels against plain lists."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.methods.regions.clusters_by_definition import Cluster, Greedy
from unlinkable.kernels.local_recoding.greedy_clusters import gather, part, price_boxes, price_of


@dataclass(frozen=True)
class Rows:
    """Rows of codes, and for every column where its codes lie on a line: a range costs its length.

    Codes go to bins of ``width`` neighbours; a range is as long as its bins.
    """

    keys: list[tuple[int, ...]]
    lines: list[list[int]]
    weights: list[float]
    width: int

    def price(self, rows: Cluster) -> float:
        total = 0
        for j, line in enumerate(self.lines):
            codes = {self.keys[row][j] for row in rows}
            if len(codes) > 1:
                first = min(codes) // self.width * self.width
                last = min((max(codes) // self.width + 1) * self.width, len(line)) - 1
                total += line[last] - line[first]
        return float(total)

    @property
    def listed(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        bins = [np.arange(len(line), dtype=np.int32) // self.width for line in self.lines]
        plan, tables, n_codes, n_prices = [], [], 0, 0
        for line, own in zip(self.lines, bins, strict=True):
            n = int(own[-1]) + 1
            table = np.zeros((n, n))
            for a in range(n):
                for b in range(a, n):
                    last = min((b + 1) * self.width, len(line)) - 1
                    table[a, b] = line[last] - line[a * self.width]
            plan.append((n_codes, n_prices, n))
            tables.append(table.ravel())
            n_codes, n_prices = n_codes + own.size, n_prices + n * n
        return np.concatenate(bins), np.concatenate(tables), np.array(plan, np.int64)

    def greedy(self, reach: int) -> Greedy:
        return Greedy(range(len(self.keys)), self.weights, self.price, lambda _: True, reach)


@st.composite
def rows(draw: st.DrawFn) -> Rows:
    lines = [
        sorted(draw(st.lists(st.integers(0, 20), min_size=n, max_size=n)))
        for n in draw(st.lists(st.integers(1, 5), min_size=1, max_size=3))
    ]
    keys = draw(
        st.lists(
            st.tuples(*(st.integers(0, len(line) - 1) for line in lines)),
            min_size=1,
            max_size=12,
            unique=True,
        )
    )
    weights = draw(st.lists(st.integers(0, 4), min_size=len(keys), max_size=len(keys)))
    return Rows(keys, lines, [float(w) for w in weights], draw(st.integers(1, 3)))


@given(rows(), st.data())
def test_boxes_have_the_price_of_their_ranges(given_rows: Rows, data: st.DataObject) -> None:
    chosen = data.draw(st.lists(st.integers(0, len(given_rows.keys) - 1), min_size=1))
    keys = np.array(given_rows.keys, np.int32)[chosen]
    lo, hi = keys.min(axis=0, keepdims=True), keys.max(axis=0, keepdims=True)
    listed = given_rows.listed
    assert price_boxes(lo, hi, *listed).tolist() == [given_rows.price(chosen)]
    single = sum(price_of(lo[0, j], hi[0, j], j, *listed) for j in range(keys.shape[1]))
    assert single == given_rows.price(chosen)


@given(rows(), st.data(), st.integers(1, 4))
def test_open_clusters_go_where_that_costs_least(
    given_rows: Rows, data: st.DataObject, reach: int
) -> None:
    n_rows = len(given_rows.keys)
    labels = data.draw(st.lists(st.integers(0, 4), min_size=n_rows, max_size=n_rows))
    clusters = [[r for r in range(n_rows) if labels[r] == g] for g in sorted({*labels})]
    n = len(clusters)
    is_open = data.draw(st.lists(st.booleans(), min_size=n, max_size=n))
    keys, listed = np.array(given_rows.keys, np.int32), given_rows.listed
    lo = np.array([keys[rows].min(axis=0) for rows in clusters])
    hi = np.array([keys[rows].max(axis=0) for rows in clusters])
    weights = np.array([sum(given_rows.weights[r] for r in rows) for rows in clusters])
    prices = price_boxes(lo, hi, *listed)
    target, compared = gather(lo, hi, weights, prices, np.array(is_open), reach, *listed)

    expected = given_rows.greedy(reach).round(clusters, is_open)
    assert target.tolist() == expected
    assert compared <= sum(is_open) * 2 * reach
    for g in range(n):
        if expected[g] == g:
            now = [r for c, t in enumerate(expected) if t == g for r in clusters[c]]
            assert lo[g].tolist() == keys[now].min(axis=0).tolist()
            assert hi[g].tolist() == keys[now].max(axis=0).tolist()
            assert weights[g] == sum(given_rows.weights[r] for r in now)
            assert prices[g] == given_rows.price(now)


@given(rows(), st.data())
def test_clusters_are_parted_around_rows_that_are_far_apart(
    given_rows: Rows, data: st.DataObject
) -> None:
    n = len(given_rows.keys)
    order = np.array(data.draw(st.permutations(range(n))), np.int64)
    ends = sorted({*data.draw(st.lists(st.integers(1, n))), n})
    start, end = np.array([0, *ends[:-1]], np.int64), np.array(ends, np.int64)
    before = order.tolist()
    keys, weights = np.array(given_rows.keys, np.int32), np.array(given_rows.weights)
    middle = part(keys, weights, order, start, end, *given_rows.listed)
    for first, cut, last in zip(start.tolist(), middle.tolist(), end.tolist(), strict=True):
        cluster = before[first:last]
        if len(cluster) == 1:
            assert (cut, order[first]) == (-1, cluster[0])
            continue
        lower, upper = given_rows.greedy(1).halves(cluster)
        assert order[first:cut].tolist() == lower
        assert order[cut:last].tolist() == upper
